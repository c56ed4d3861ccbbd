import { sep } from 'node:path';
import { partitionPoint } from '../../util/partition-point.js';
import { withoutSeparator } from '../../util/paths-below.js';
import type { FolderScopes } from './judge-folder.js';
import type { ListingMarks } from './read-folder.js';
import { isUnnamable, systemPath } from '../../files/escaped-bytes.js';
import type { WalkedFolder } from './walked-folder.js';

/** Entries that no walk shows. Names sorted by code units. */
export interface HiddenEntries {
  /** Files, links and special entries. */
  readonly gitIgnored: readonly string[];
  readonly gitIgnoredFolders: readonly string[];
  readonly qwenIgnored: number;
  readonly qwenIgnoredFolders: readonly string[];
  /** Devices, FIFOs, sockets that no rule hides. */
  readonly special: number;
}

export const NOTHING_HIDDEN: HiddenEntries = Object.freeze({
  gitIgnored: [],
  gitIgnoredFolders: [],
  qwenIgnored: 0,
  qwenIgnoredFolders: [],
  special: 0,
});

/** What a walk shows of a folder. */
export interface ShownEntries {
  readonly files: readonly string[];
  readonly links: readonly string[];
  /** As in `WalkedFolder`, the folder's own name aside. */
  readonly isWhole: boolean;
  readonly hidden: HiddenEntries;
}

/** What is remembered of a folder. */
export interface FolderRecord extends ShownEntries {
  /** The rules by which its entries were judged. */
  readonly scopes: FolderScopes;
  readonly marks: ListingMarks;
  /** Of the memory's stamps. */
  readonly stamp: number;
}

/** No place in a stored tree. */
export const NOT_STORED = -1;

/** One folder of a remembered tree. Whatever a walk needs for each is kept: strings put together anew cost more than looking. */
export class TreeNode {
  /** Canonical, without a slash at its end. */
  readonly path: string;
  /** As the file system takes it. */
  readonly systemPath: string | Buffer;
  record: FolderRecord | undefined;
  /** The folders that are to be entered, by name; undefined while nobody has looked. They stay when the record is forgotten. */
  below: readonly TreeNode[] | undefined;
  /** The rules from above, as its folder was judged last. */
  above: FolderScopes | undefined;
  /** Where a stored tree has it, until it was looked at. */
  stored = NOT_STORED;
  /** No part of the tree any more: what is learned of it is not kept. */
  isDropped = false;
  #walked: WalkedFolder | undefined;
  /** Folders on the way to one that was walked by itself, while they are not in `below`. */
  #others: Map<string, TreeNode> | undefined;

  constructor(path: string) {
    this.path = withoutSeparator(path);
    this.systemPath = systemPath(path);
  }

  get name(): string {
    return this.path.slice(this.path.lastIndexOf(sep) + 1);
  }

  child(name: string): TreeNode {
    const known = this.#entered(name) ?? this.#others?.get(name);
    if (known !== undefined) return known;
    const child = this.#newChild(name);
    this.#others ??= new Map();
    this.#others.set(name, child);
    return child;
  }

  /**
   * From now on it has just these folders to enter, sorted by name; those that were there stay the same nodes.
   * @returns those that are no longer there
   */
  enterOnly(names: readonly string[]): readonly TreeNode[] {
    const before = this.below ?? NONE_BELOW;
    if (before.length === 0 && this.#others === undefined) {
      this.below = names.length === 0 ? NONE_BELOW : names.map((name) => this.#newChild(name));
      return NONE_BELOW;
    }
    let gone: readonly TreeNode[] = [];
    let at = 0;
    const below = names.map((name) => {
      const from = at;
      while (at < before.length && (before[at]?.name ?? '') < name) at += 1;
      if (at > from) gone = gone.concat(before.slice(from, at));
      const same = before[at];
      if (same?.name !== name) return this.#taken(name);
      at += 1;
      return same;
    });
    gone = gone.concat(before.slice(at), Array.from(this.#others?.values() ?? []));
    this.#others = undefined;
    this.below = below.length === 0 ? NONE_BELOW : below;
    return gone;
  }

  *nodesBelow(): Generator<TreeNode> {
    yield* this.below ?? [];
    yield* this.#others?.values() ?? [];
  }

  /** With `/`, from a folder above whose path and slash have that length. */
  relativePath(start: number): string {
    const length = Math.max(0, this.path.length - start);
    const known = this.#walked?.folder;
    if (known?.length === length) return known;
    const path = this.path.slice(start);
    return sep === '/' ? path : path.replaceAll(sep, '/');
  }

  /** The same object as long as the folder is as it was. */
  walked(start: number, { files, links, isWhole }: ShownEntries): WalkedFolder {
    const known = this.#walked;
    const length = Math.max(0, this.path.length - start);
    if (known?.names === files && known.links === links && known.folder.length === length) return known;
    const folder = this.relativePath(start);
    this.#walked = { folder, names: files, links, isWhole: isWhole && !isUnnamable(folder) };
    return this.#walked;
  }

  #newChild(name: string): TreeNode {
    const child = new TreeNode(this.path + sep + name);
    child.isDropped = this.isDropped;
    return child;
  }

  #entered(name: string): TreeNode | undefined {
    const { below = NONE_BELOW } = this;
    const at = partitionPoint(below.length, (place) => (below[place]?.name ?? '') < name);
    return below[at]?.name === name ? below[at] : undefined;
  }

  #taken(name: string): TreeNode {
    const other = this.#others?.get(name);
    if (other === undefined) return this.#newChild(name);
    this.#others?.delete(name);
    return other;
  }
}

const NONE_BELOW: readonly TreeNode[] = Object.freeze([]);
