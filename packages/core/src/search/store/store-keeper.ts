import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContentIndex } from '../content/content-index.js';
import type { TreeIndex } from '../tree/tree-index.js';
import type { Pace } from './index-file.js';
import type { SearchStore } from './search-store.js';

export interface StoreKeeperOptions {
  readonly store: SearchStore;
  readonly tree: TreeIndex;
  readonly content: ContentIndex;
  /** Fewer entries are found again as fast as they would be read from a file. Default: 5,000. */
  readonly minEntries?: number | undefined;
  /** Between two times that something is stored, in the background. Default: a minute. */
  readonly everyMs?: number | undefined;
}

const MIN_ENTRIES = 5000;
const EVERY_MS = 60_000;
/** After the last file was learned. */
const QUIET_MS = 2000;
/** How long the event loop is held up at a time. */
const SLICE_MS = 8;
/** What the end of a process may wait for at most. */
const CLOSE_MS = 200;
/** So many changes are worth storing again, or that share of all entries. */
const MANY_CHANGES = 500;
const MANY_SHARE = 0.02;

/** Decides when what searches remember is stored: while nothing searches or learns, and at the end. It never fails. */
export class StoreKeeper {
  readonly #options: StoreKeeperOptions;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<boolean> | undefined;
  #storedChanges = 0;
  #storedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: StoreKeeperOptions) {
    this.#options = options;
  }

  /** Everything is learned that searches left to be learned. Returns at once. */
  settled(): void {
    const { everyMs = EVERY_MS } = this.#options;
    if (this.#isClosed || this.#saving !== undefined) return;
    clearTimeout(this.#timer);
    const wait = Math.max(Math.min(QUIET_MS, everyMs), this.#storedAt + everyMs - performance.now());
    this.#timer = setTimeout(() => void this.#saveInBackground(), wait).unref();
  }

  /** Stores what is worth it, if that is a matter of an instant. Learning must have ended; searches may still run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#saving;
    const end = performance.now() + CLOSE_MS;
    if (this.#isWorthIt()) await this.#save(() => performance.now() < end);
  }

  async #saveInBackground(): Promise<void> {
    if (this.#isBusy() || !this.#isWorthIt()) return;
    let sliceEnd = performance.now() + SLICE_MS;
    this.#saving = this.#save(async () => {
      if (performance.now() >= sliceEnd) {
        await nextTurn();
        sliceEnd = performance.now() + SLICE_MS;
      }
      return !this.#isClosed && !this.#isBusy();
    });
    await this.#saving;
    this.#saving = undefined;
  }

  async #save(pace: Pace): Promise<boolean> {
    const { store, tree, content } = this.#options;
    try {
      // What was stored before would be lost.
      await content.load();
      const changes = this.#changes;
      const isSaved = await store.save(
        { trees: tree.trees, contents: content.contents },
        async () => this.#changes === changes && pace(),
      );
      if (!isSaved) return false;
      this.#storedChanges = changes;
      this.#storedAt = performance.now();
      return true;
    } catch {
      // A full or read-only disk, say: the next process learns anew.
      return false;
    }
  }

  #isWorthIt(): boolean {
    const { store, tree, content, minEntries = MIN_ENTRIES } = this.#options;
    const entries = Math.max(tree.entries, content.files);
    const changes = this.#changes - this.#storedChanges;
    if (entries < minEntries || changes === 0) return false;
    return !store.hasFile || changes >= Math.min(MANY_CHANGES, entries * MANY_SHARE);
  }

  get #changes(): number {
    const { tree, content } = this.#options;
    return tree.changes + content.changes;
  }

  #isBusy(): boolean {
    const { tree, content } = this.#options;
    return tree.walks > 0 || content.isAsked;
  }
}
