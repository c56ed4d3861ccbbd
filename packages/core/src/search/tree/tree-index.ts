import { innermostRoot } from '../../files/ignore-rules.js';
import { TreeMemory, type Room } from './tree-memory.js';
import { TreeWalk } from './tree-walk.js';
import type { WalkedFolder, WalkOptions } from './walked-folder.js';

/** Entries remembered of all trees together: some 50 MB. */
const MAX_ENTRIES = 400_000;

export interface TreeIndexOptions {
  readonly maxEntries?: number;
  /** What a walk takes that is given none (see `WalkOptions`). */
  readonly userExcludes?: string | undefined;
}

/**
 * Remembers the folders of the workspace between calls. The answer is always that of `walkTree`: a folder is read
 * anew unless its inode and its times prove that no entry came, went or changed its type, and the ignore files
 * that were read for it are unchanged. Where the file system's times prove nothing, every walk reads everything.
 */
export class TreeIndex {
  readonly #room: Room = { entries: 0 };
  readonly #maxEntries: number;
  readonly #userExcludes: string | undefined;
  /** By root and choice of rules; the one last used stands last. */
  readonly #memories = new Map<string, TreeMemory>();

  constructor({ maxEntries = MAX_ENTRIES, userExcludes }: TreeIndexOptions = {}) {
    this.#maxEntries = maxEntries;
    this.#userExcludes = userExcludes;
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
    const { userExcludes = this.#userExcludes } = options;
    yield* new TreeWalk({ ...options, userExcludes }, this.#memoryFor(options), this.#maxEntries).run();
  }

  /** Forgets everything. */
  clear(): void {
    for (const memory of this.#memories.values()) memory.drop(memory.top);
    this.#memories.clear();
  }

  #memoryFor({ folder, roots, respectGitIgnore }: WalkOptions): TreeMemory {
    const root = innermostRoot(folder.path, roots);
    const key = JSON.stringify([root ?? folder.path, root !== undefined, respectGitIgnore !== false]);
    const memory = this.#memories.get(key) ?? new TreeMemory(root ?? folder.path, this.#room);
    this.#memories.delete(key);
    // What was not used for longest makes room first, once it gets narrow.
    for (const [oldest, other] of this.#memories) {
      if (this.#room.entries < this.#maxEntries / 2) break;
      other.drop(other.top);
      this.#memories.delete(oldest);
    }
    this.#memories.set(key, memory);
    return memory;
  }
}
