import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentIndex } from '../content/content-index.js';
import { WORTH_EXPECTING } from '../engines/hybrid/choose-way.js';
import type { TargetFolder } from '../engines/search-engine.js';
import { rehearse, REHEARSED_FILES } from '../engines/threads/rehearse.js';
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
  readonly threads: Pick<SearchThreads, 'lease'>;
}

/**
 * Has the tree walked, what is stored loaded, and threads warmed where they are worth it, with rests. Ends when a search
 * begins, which does the same. Never throws.
 */
export async function prepareSearch(
  { tree, content, threads }: Prepared,
  { folder, roots, signal }: Preparation,
): Promise<void> {
  const isWanted = (): boolean => !signal.aborted && !content.isAsked;
  try {
    if (!isWanted() || tree.walks > 0) return;
    const walk = tree.walk({ folder: { path: folder, workingDirectory: folder }, roots, signal });
    const rehearsed: TargetFolder[] = [];
    let files = 0;
    for await (const walked of walk) {
      for (const { relativePath, files: names } of walked) {
        const wanted = REHEARSED_FILES - files;
        if (wanted > 0) rehearsed.push({ folder: relativePath, names: names.slice(0, wanted), isWhole: false });
        files += names.length;
      }
      if (!isWanted() || tree.walks > 1) return;
      await sleep(REST_MS, undefined, { ref: false, signal });
    }
    if (!isWanted()) return;
    await content.load();
    if (files >= WORTH_EXPECTING && isWanted()) await rehearse(threads, { folder, folders: rehearsed, signal });
  } catch {
    // A head start only: whoever searches meets the same trouble, and says so.
  }
}
