import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentIndex } from '../content/content-index.js';
import { WORTH_EXPECTING } from '../engines/hybrid/choose-way.js';
import type { SearchThreads } from '../engines/threads/search-threads.js';
import type { TreeIndex } from '../tree/tree-index.js';

export interface Preparation {
  /** Canonical and absolute. */
  readonly folder: string;
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
}

/** Between two slices of the walk: others have the processor for most of the time. */
const REST_MS = 10;

/** What of a session's index is prepared. */
export interface Prepared {
  readonly tree: TreeIndex;
  readonly content: Pick<ContentIndex, 'load' | 'isAsked'>;
  readonly threads: SearchThreads;
}

/**
 * Has the tree walked, what is stored loaded, and threads started where they are worth it, with rests. Ends when a search
 * begins, which does the same. How many files there are where threads were started, else 0. Never throws.
 */
export async function prepareSearch(
  { tree, content, threads }: Prepared,
  { folder, roots, signal }: Preparation,
): Promise<number> {
  const isWanted = (): boolean => !signal.aborted && !content.isAsked;
  try {
    if (!isWanted() || tree.walks > 0) return 0;
    const walk = tree.walk({ folder: { path: folder, workingDirectory: folder }, roots, signal });
    let files = 0;
    for await (const walked of walk) {
      for (const { names } of walked) files += names.length;
      if (!isWanted() || tree.walks > 1) return 0;
      await sleep(REST_MS, undefined, { ref: false, signal });
    }
    if (!isWanted()) return 0;
    await content.load();
    if (files < WORTH_EXPECTING || !isWanted()) return 0;
    threads.warm();
    return files;
  } catch {
    // A head start only: whoever searches meets the same trouble, and says so.
    return 0;
  }
}
