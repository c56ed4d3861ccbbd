import { IgnoreFiles } from '../../files/ignore-files.js';
import { GIT_IGNORE, IgnoreScope, QWEN_IGNORE } from '../../files/ignore-stack.js';
import { provesChanges, type FolderStamp } from './folder-stamp.js';
import type { FolderScopes } from './judge-folder.js';
import type { ListingMarks } from './read-folder.js';
import { StampTable } from './stamp-table.js';
import type { StoredFolders, StoredRecord } from './stored-folders.js';
import { NOT_STORED, NOTHING_HIDDEN, TreeNode, type FolderRecord, type ShownEntries } from './tree-node.js';

/** How many entries there are in all memories. */
export interface Room {
  entries: number;
}

/** How a folder's entries were judged, and what proves that it is the same. */
export interface Judgement {
  readonly marks: ListingMarks;
  readonly scopes: FolderScopes;
  readonly stamp: FolderStamp;
}

export interface TreeMemoryOptions {
  readonly room: Room;
  readonly maxEntries: number;
  /** Its top is a workspace root. */
  readonly hasRoot: boolean;
  /** What an earlier process remembered. */
  readonly stored?: StoredFolders | undefined;
}

/** The folders below a root, as they were judged by one choice of rules. */
export class TreeMemory {
  readonly top: TreeNode;
  readonly hasRoot: boolean;
  /** Where times can be trusted. */
  readonly trustedDevices = new Set<number>();
  readonly files = new IgnoreFiles((stat, before) => this.trustedDevices.has(stat.dev) && provesChanges(stat, before));
  readonly empty: FolderScopes = { git: IgnoreScope.empty(GIT_IGNORE), qwen: IgnoreScope.empty(QWEN_IGNORE) };
  readonly stamps = new StampTable();
  /** How often something was learned or forgotten. */
  changes = 0;
  readonly #options: TreeMemoryOptions;

  /** `path` is canonical. */
  constructor(path: string, options: TreeMemoryOptions) {
    this.hasRoot = options.hasRoot;
    this.top = new TreeNode(path);
    if (options.stored !== undefined) this.top.stored = 0;
    this.#options = options;
  }

  child(node: TreeNode, name: string): TreeNode {
    this.#expand(node);
    return node.child(name);
  }

  /** As long as there is room for it. */
  remember(node: TreeNode, shown: ShownEntries, { marks, scopes, stamp }: Judgement): void {
    this.forget(node);
    this.#keep(node, shown, { marks, scopes, stamp });
    this.changes += 1;
  }

  forget(node: TreeNode): void {
    node.stored = NOT_STORED;
    if (node.record === undefined) return;
    this.changes += 1;
    this.#options.room.entries -= sizeOf(node.record, node.below);
    this.stamps.release(node.record.stamp);
    node.record = undefined;
  }

  /**
   * What is remembered of a folder with that stamp, when `scopesFor` what was found in it says the rules by which it was judged.
   */
  known(
    node: TreeNode,
    stamp: FolderStamp,
    scopesFor: (marks: ListingMarks) => FolderScopes,
  ): FolderRecord | undefined {
    if (node.stored !== NOT_STORED) this.#take(node, stamp, scopesFor);
    const { record } = node;
    if (record === undefined || !this.stamps.isSame(record.stamp, stamp)) return undefined;
    const scopes = scopesFor(record.marks);
    return scopes.git === record.scopes.git && scopes.qwen === record.scopes.qwen ? record : undefined;
  }

  /** What of a folder is worth storing, with the folders in it made known: also what nobody has looked at since it was stored. */
  storable(node: TreeNode): { readonly stamp: FolderStamp; readonly record: StoredRecord } | undefined {
    this.#expand(node);
    const { record } = node;
    const { stored } = this.#options;
    if (record === undefined) {
      const found = node.stored === NOT_STORED ? undefined : stored?.record(node.stored);
      if (stored === undefined || found === undefined) return undefined;
      return { stamp: stored.stamp(node.stored), record: found };
    }
    const { scopes, files, links, isWhole, hidden, marks } = record;
    return {
      stamp: this.stamps.at(record.stamp),
      record: { gitKey: scopes.git.key, qwenKey: scopes.qwen.key, files, links, isWhole, hidden, marks },
    };
  }

  /** Forgets a folder with everything below it; walks that are there go on without a memory. */
  drop(node: TreeNode): void {
    const nodes = [node];
    for (let next = nodes.pop(); next !== undefined; next = nodes.pop()) {
      this.forget(next);
      next.isDropped = true;
      for (const below of next.nodesBelow()) nodes.push(below);
    }
  }

  /** These are the folders to enter in a folder, by name, and what holds for them from above. Others are forgotten. */
  enterOnly(node: TreeNode, names: readonly string[], scopes: FolderScopes): void {
    this.#expand(node);
    this.forget(node);
    for (const gone of node.enterOnly(names)) this.drop(gone);
    tellBelow(node, scopes);
  }

  #keep(node: TreeNode, shown: ShownEntries, { marks, scopes, stamp }: Judgement): void {
    const { room, maxEntries } = this.#options;
    const size = sizeOf(shown, node.below);
    if (node.isDropped || room.entries + size > maxEntries) return;
    const { files, links, isWhole, hidden } = shown;
    node.record = { files, links, isWhole, hidden, scopes, marks, stamp: this.stamps.add(stamp) };
    room.entries += size;
  }

  /** Takes over what is stored of a folder, the folders in it in any case. */
  #take(node: TreeNode, stamp: FolderStamp, scopesFor: (marks: ListingMarks) => FolderScopes): void {
    this.#expand(node);
    const { stored } = this.#options;
    const found = stored?.isSame(node.stored, stamp) === true ? stored.record(node.stored) : undefined;
    node.stored = NOT_STORED;
    if (found === undefined) return;
    const scopes = scopesFor(found.marks);
    if (scopes.git.key !== found.gitKey || scopes.qwen.key !== found.qwenKey) return;
    tellBelow(node, scopes);
    this.#keep(node, found, { marks: found.marks, scopes, stamp });
  }

  #expand(node: TreeNode): void {
    const { stored } = this.#options;
    const isExpanded = node.below !== undefined;
    if (isExpanded || node.stored === NOT_STORED || stored === undefined) return;
    const { names, first } = stored.below(node.stored);
    node.enterOnly(names);
    let place = first;
    for (const child of node.below ?? []) child.stored = place++;
  }
}

function tellBelow({ below = [] }: TreeNode, scopes: FolderScopes): void {
  const isLive = scopes.git.isLive || scopes.qwen.isLive;
  for (const child of below) child.above = isLive ? scopesBelow(scopes, child.name) : scopes;
}

function scopesBelow(scopes: FolderScopes, name: string): FolderScopes {
  const git = scopes.git.below(name);
  const qwen = scopes.qwen.below(name);
  return git === scopes.git && qwen === scopes.qwen ? scopes : { git, qwen };
}

function sizeOf({ files, links, hidden }: ShownEntries, below: readonly TreeNode[] = []): number {
  const shown = 1 + files.length + links.length + below.length;
  if (hidden === NOTHING_HIDDEN) return shown;
  return shown + hidden.gitIgnored.length + hidden.gitIgnoredFolders.length + hidden.qwenIgnoredFolders.length;
}
