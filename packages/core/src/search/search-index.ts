import { LegacyGuesses } from '../files/guess-legacy.js';
import type { GitUser } from '../files/ignore-settings.js';
import { ContentIndex } from './content/content-index.js';
import { FileStatter } from './content/file-stamps.js';
import type { GitTimesOptions } from './content/git-times.js';
import { SearchThreads } from './engines/threads/search-threads.js';
import { prepareSearch } from './store/prepare-search.js';
import { SearchStore } from './store/search-store.js';
import { StoreKeeper } from './store/store-keeper.js';
import { TreeIndex } from './tree/tree-index.js';

export interface SearchIndexOptions {
  readonly gitUser?: GitUser | undefined;
  /** How to run git where its index spares looking at files. */
  readonly git?: GitTimesOptions;
  /** This project's own folder for what later processes may use, absolute; without one nothing is stored. */
  readonly folder?: string | undefined;
  /** See `StoreKeeperOptions`. */
  readonly minEntries?: number;
}

/** What a session remembers for its searches. Nothing is started before it is needed; `close` ends all threads. */
export class SearchIndex {
  readonly tree: TreeIndex;
  readonly statter: FileStatter;
  readonly content: ContentIndex;
  readonly threads = new SearchThreads();
  readonly guesses = new LegacyGuesses();

  readonly #keeper: StoreKeeper | undefined;

  constructor({ gitUser, git, folder, minEntries }: SearchIndexOptions = {}) {
    const store = folder === undefined ? undefined : new SearchStore(folder);
    const { threads } = this;
    this.tree = new TreeIndex({ gitUser, source: store?.treeSource });
    this.statter = new FileStatter({ threads, ...(git !== undefined && { git }) });
    this.content = new ContentIndex({
      stamps: this.statter,
      threads,
      source: store,
      onSettled: () => this.#keeper?.settled(),
    });
    const { tree, content } = this;
    if (store !== undefined) this.#keeper = new StoreKeeper({ store, tree, content, minEntries });
  }

  /**
   * Looks at the tree below a folder, canonical and absolute, without haste: a search that comes later finds it known.
   * Ends when a search begins, or at the signal. How many files there are, 0 where threads are not worth it. Never throws.
   */
  async prepare(folder: string, roots: readonly string[], signal: AbortSignal): Promise<number> {
    return prepareSearch(this, { folder, roots, signal });
  }

  async close(): Promise<void> {
    this.content.stop();
    await this.#keeper?.close();
    this.content.close();
    await this.threads.close();
    await this.statter.close();
    this.tree.clear();
  }
}
