import { ContentIndex } from './content/content-index.js';
import { FileStatter } from './content/file-stamps.js';
import type { GitTimesOptions } from './content/git-times.js';
import { SearchThreads } from './engines/threads/search-threads.js';
import { TreeIndex } from './tree/tree-index.js';

export interface SearchIndexOptions {
  readonly userExcludes?: string | undefined;
  /** How to run git where its index spares looking at files. */
  readonly git?: GitTimesOptions;
}

/** What a session remembers for its searches. Nothing is started before it is needed; `close` ends all threads. */
export class SearchIndex {
  readonly tree: TreeIndex;
  readonly statter: FileStatter;
  readonly content: ContentIndex;
  readonly threads = new SearchThreads();
  /** The file of the person's own excludes for git, absolute. */
  readonly userExcludes: string | undefined;

  constructor({ userExcludes, git }: SearchIndexOptions = {}) {
    this.userExcludes = userExcludes;
    this.tree = new TreeIndex({ userExcludes });
    this.statter = new FileStatter(git === undefined ? {} : { git });
    this.content = new ContentIndex({ stamps: this.statter });
  }

  async close(): Promise<void> {
    // The index of contents may be looking at files until it is closed.
    await this.content.close();
    await this.threads.close();
    await this.statter.close();
    this.tree.clear();
  }
}
