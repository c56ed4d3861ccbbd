import type { GitUser } from '../../files/ignore-settings.js';
import { innermostRoot } from '../../files/ignore-rules.js';
import { TreeMemory, type Room } from './tree-memory.js';
import type { TreeSource } from './stored-folders.js';
import { TreeWalk } from './tree-walk.js';
import type { WalkedFolder, WalkOptions } from './walked-folder.js';

/** Entries remembered of all trees together: some 50 MB. */
const MAX_ENTRIES = 400_000;

export interface TreeIndexOptions {
  readonly maxEntries?: number;
  /** What a walk takes that is given none (see `WalkOptions`). */
  readonly gitUser?: GitUser | undefined;
  /** What earlier processes have stored. */
  readonly source?: TreeSource | undefined;
}

/**
 * Remembers the folders of the workspace between calls. The answer is always that of `walkTree`: a folder is read
 * anew unless its inode and its times prove that no entry came, went or changed its type, and the ignore files
 * that were read for it are unchanged. Where the file system's times prove nothing, every walk reads everything.
 */
export class TreeIndex {
  readonly #room: Room = { entries: 0 };
  readonly #maxEntries: number;
  readonly #gitUser: GitUser | undefined;
  /** By root and choice of rules; the one last used stands last. */
  readonly #memories = new Map<string, TreeMemory>();

  readonly #source: TreeSource | undefined;
  #walks = 0;
  #changes = 0;

  constructor({ maxEntries = MAX_ENTRIES, gitUser, source }: TreeIndexOptions = {}) {
    this.#source = source;
    this.#maxEntries = maxEntries;
    this.#gitUser = gitUser;
  }

  /** How many entries are remembered. */
  get entries(): number {
    return this.#room.entries;
  }

  /**
   * The folders below a folder, its own files first; several at a time. Does not block the event loop for more than
   * some 15 ms. @throws the signal's reason once it is aborted
   */
  async *walk(options: WalkOptions): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
    const { gitUser = this.#gitUser } = options;
    this.#walks += 1;
    try {
      const memory = await this.#memoryFor(options);
      yield* new TreeWalk(options, memory, { remembers: this.#maxEntries > 0, gitUser }).run();
    } finally {
      this.#walks -= 1;
    }
  }

  /** How many walks are on their way. */
  get walks(): number {
    return this.#walks;
  }

  /** How often something was learned or forgotten. */
  get changes(): number {
    let sum = this.#changes;
    for (const { changes } of this.#memories.values()) sum += changes;
    return sum;
  }

  /** What is remembered below workspace roots, by what a `TreeSource` is asked for; the one last used stands last. */
  get trees(): ReadonlyMap<string, TreeMemory> {
    return new Map(Array.from(this.#memories).filter(([, { hasRoot }]) => hasRoot));
  }

  /** Forgets everything. */
  clear(): void {
    // Walks that are on their way must keep nothing more.
    if (this.#walks > 0) for (const memory of this.#memories.values()) memory.drop(memory.top);
    this.#memories.clear();
    this.#room.entries = 0;
  }

  async #memoryFor({ folder, roots, respectGitIgnore }: WalkOptions): Promise<TreeMemory> {
    const root = innermostRoot(folder.path, roots);
    const key = JSON.stringify([root ?? folder.path, root !== undefined, respectGitIgnore !== false]);
    const isNew = root !== undefined && !this.#memories.has(key);
    const stored = isNew ? await this.#source?.(key) : undefined;
    const options = { room: this.#room, maxEntries: this.#maxEntries, hasRoot: root !== undefined, stored };
    const memory = this.#memories.get(key) ?? new TreeMemory(root ?? folder.path, options);
    this.#memories.delete(key);
    // What was not used for longest makes room first, once it gets narrow.
    for (const [oldest, other] of this.#memories) {
      if (this.#room.entries < this.#maxEntries / 2) break;
      other.drop(other.top);
      this.#changes += other.changes;
      this.#memories.delete(oldest);
    }
    this.#memories.set(key, memory);
    return memory;
  }
}
