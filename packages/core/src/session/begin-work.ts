import { setTimeout as sleep } from 'node:timers/promises';
import { tidyJournal } from '../journal/tend-journal.js';
import type { ToolRuntime } from '../runtime.js';
import type { ProjectFolders } from './project-folders.js';
import { tidyTemp } from './tidy-temp.js';

type Runtime = Pick<ToolRuntime, 'getSearchIndex' | 'getTargetDir' | 'getWorkspaceContext'>;

export interface BegunWork {
  readonly folders: Pick<ProjectFolders, 'journal' | 'temp'>;
  readonly config: Runtime;
}

/** By then the first request has been sent, so that looking ahead does not hold it up. */
const REQUEST_SENT_MS = 150;

/** What is done beside the first prompt. */
export function beginWork({ folders, config }: BegunWork, signal: AbortSignal): void {
  void tidyJournal(folders.journal);
  void tidyTemp(folders.temp);
  void prepareSearch(config, signal);
}

/** The model takes a while to answer: time for what the first search would have to do, once the request is on its way. */
async function prepareSearch(config: Runtime, signal: AbortSignal): Promise<void> {
  try {
    await sleep(REQUEST_SENT_MS, undefined, { ref: false, signal });
    const [index] = await Promise.all([config.getSearchIndex(), import('../tools/grep-run.js')]);
    await index.prepare(config.getTargetDir(), config.getWorkspaceContext().getDirectories(), signal);
  } catch {
    // A head start only: whoever searches meets the same trouble, and says so.
  }
}
