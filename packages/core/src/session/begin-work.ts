import { setTimeout as sleep } from 'node:timers/promises';
import { tidyJournal } from '../journal/tend-journal.js';
import type { ToolRuntime } from '../runtime.js';
import { loadScheduler } from '../scheduler/load-scheduler.js';
import type { ProjectFolders } from './project-folders.js';
import { tidyTemp } from './tidy-temp.js';

export interface BegunWork {
  readonly folders: Pick<ProjectFolders, 'journal' | 'temp'>;
  readonly config: ToolRuntime;
}

/** By then the first request has been sent, so that looking ahead does not hold it up. */
const REQUEST_SENT_MS = 150;

/** What is done beside the first prompt. */
export function beginWork({ folders, config }: BegunWork, signal: AbortSignal): void {
  void tidyJournal(folders.journal);
  void tidyTemp(folders.temp);
  void prepareLater(config, signal);
}

async function prepareLater(config: ToolRuntime, signal: AbortSignal): Promise<void> {
  try {
    await sleep(REQUEST_SENT_MS, undefined, { ref: false, signal });
  } catch {
    // The session has ended.
    return;
  }
  await prepareFirstCalls(config, signal);
}

/**
 * For the time that a model takes to answer: loads what calls need and, where there are 500 files or more, walks the workspace, tries searching
 * out and learns what is in the files. In large workspaces it takes some seconds of half a processor. Ends when somebody searches, and at the
 * signal. Never rejects.
 */
export async function prepareFirstCalls(config: ToolRuntime, signal: AbortSignal): Promise<void> {
  try {
    const [index, { rehearseSearches }] = await Promise.all([
      config.getSearchIndex(),
      import('../tools/rehearse-searches.js'),
      import('../tools/grep-run.js'),
      import('../tools/glob-run.js'),
      loadScheduler(),
    ]);
    const files = await index.prepare(config.getTargetDir(), config.getWorkspaceContext().getDirectories(), signal);
    if (files > 0) await rehearseSearches(config, files, signal);
  } catch {
    // A head start only: whoever calls meets the same trouble, and says so.
  }
}
