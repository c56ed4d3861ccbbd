import { sep } from 'node:path';
import { IgnoreFiles } from '../../files/ignore-files.js';
import { GIT_IGNORE, IgnoreScope, QWEN_IGNORE } from '../../files/ignore-stack.js';
import { provesChanges, type FolderStamp } from './folder-stamp.js';
import type { FolderScopes, Judged } from './judge-folder.js';
import { isUnnamable, systemPath } from './system-path.js';
import type { WalkedFolder } from './walked-folder.js';

/** What a folder held, and what proves that it still does. */
export interface FolderRecord extends KnownFolder {
  readonly stamp: FolderStamp;
}

/** What a folder holds, by which rules, and what is below. */
export interface KnownFolder {
  readonly scopes: FolderScopes;
  readonly judged: Judged;
  /** The folders that are to be entered, in the order of `judged.folders`. */
  readonly below: readonly Pending[];
}

/** A folder on the way. */
export interface Pending {
  readonly node: TreeNode;
  /** What holds there from above. */
  readonly above: FolderScopes;
}

/** One folder of a remembered tree. Whatever a walk needs for each is kept: strings put together anew cost more than looking. */
export class TreeNode {
  /** Canonical, without a slash at its end. */
  readonly path: string;
  /** As the file system takes it. */
  readonly systemPath: string | Buffer;
  record: FolderRecord | undefined;
  /** No part of the tree any more: what is learned of it is not kept. */
  isDropped = false;
  #walked: WalkedFolder | undefined;
  #relativePath = '';
  #children: Map<string, TreeNode> | undefined;

  constructor(path: string) {
    this.path = path.endsWith(sep) ? path.slice(0, -1) : path;
    this.systemPath = systemPath(path);
  }

  child(name: string): TreeNode {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    const child = new TreeNode(this.path + sep + name);
    child.isDropped = this.isDropped;
    this.#children ??= new Map();
    this.#children.set(name, child);
    return child;
  }

  /** With `/`, from a folder above whose path and slash have that length. */
  relativePath(start: number): string {
    const length = Math.max(0, this.path.length - start);
    if (this.#relativePath.length !== length) {
      const path = this.path.slice(start);
      this.#relativePath = sep === '/' ? path : path.replaceAll(sep, '/');
    }
    return this.#relativePath;
  }

  /** The same object as long as the folder is as it was. */
  walked(start: number, { files, links, isWhole }: Judged): WalkedFolder {
    const relativePath = this.relativePath(start);
    const known = this.#walked;
    if (known?.files === files && known.links === links && known.relativePath.length === relativePath.length)
      return known;
    this.#walked = { relativePath, files, links, isWhole: isWhole && !isUnnamable(relativePath) };
    return this.#walked;
  }

  get hasChildren(): boolean {
    return this.#children !== undefined && this.#children.size > 0;
  }

  children(): Iterable<[string, TreeNode]> {
    return this.#children ?? [];
  }

  forgetChild(name: string): void {
    this.#children?.delete(name);
  }
}

/** How many entries there are in all memories. */
export interface Room {
  entries: number;
}

/** The folders below a root, as they were judged by one choice of rules. */
export class TreeMemory {
  readonly top: TreeNode;
  /** Where times can be trusted. */
  readonly trustedDevices = new Set<number>();
  readonly files = new IgnoreFiles((stat, before) => this.trustedDevices.has(stat.dev) && provesChanges(stat, before));
  readonly empty: FolderScopes = { git: IgnoreScope.empty(GIT_IGNORE), qwen: IgnoreScope.empty(QWEN_IGNORE) };
  readonly #room: Room;

  /** `path` is canonical. */
  constructor(path: string, room: Room) {
    this.top = new TreeNode(path);
    this.#room = room;
  }

  /** As long as there is room for it. */
  remember(node: TreeNode, record: FolderRecord, maxEntries: number): void {
    this.forget(node);
    const size = sizeOf(record);
    if (node.isDropped || this.#room.entries + size > maxEntries) return;
    node.record = record;
    this.#room.entries += size;
  }

  forget(node: TreeNode): void {
    if (node.record === undefined) return;
    this.#room.entries -= sizeOf(node.record);
    node.record = undefined;
  }

  /** Forgets a folder with everything below it; walks that are there go on without a memory. */
  drop(node: TreeNode): void {
    const nodes = [node];
    for (let next = nodes.pop(); next !== undefined; next = nodes.pop()) {
      this.forget(next);
      next.isDropped = true;
      for (const [, child] of next.children()) nodes.push(child);
    }
  }

  /** Forgets the folders in a folder that are not (any more) to be entered. */
  keepOnly(node: TreeNode, folders: readonly string[]): void {
    if (!node.hasChildren) return;
    const kept = new Set(folders);
    for (const [name, child] of node.children()) {
      if (kept.has(name)) continue;
      this.drop(child);
      node.forgetChild(name);
    }
  }
}

function sizeOf({ judged }: FolderRecord): number {
  const { files, folders, links, gitIgnored, gitIgnoredFolders, qwenIgnoredFolders } = judged;
  const lists = [files, folders, links, gitIgnored, gitIgnoredFolders, qwenIgnoredFolders];
  return lists.reduce((sum, list) => sum + list.length, 1);
}
