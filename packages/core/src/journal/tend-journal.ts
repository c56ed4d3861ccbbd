import { readdirSync, statSync } from 'node:fs';
import { readdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitUser } from '../files/ignore-settings.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { locksFolderOf } from './locks-folder.js';

const DAY_MS = 24 * 3_600_000;
const STAMP = 'pruned';

/**
 * Puts right what a process left that was killed in the middle of a change. Costs one look into a folder when there is
 * nothing of that kind. Sentences for people: what was found and done.
 */
export async function mendJournal(gate: WorkspaceGate, folder: string): Promise<readonly string[]> {
  if (!hasEntries(join(folder, 'pending'))) return [];
  const { FileJournal } = await import('./file-journal.js');
  return new FileJournal({ gate, folder }).recover();
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/**
 * Finds out what commands of a process that was killed changed since it looked last. Costs one look into a folder when
 * none ran. Sentences for people.
 */
export async function mendLeftJobs(
  gate: WorkspaceGate,
  folder: string,
  gitUser: GitUser | undefined,
): Promise<readonly string[]> {
  const records = join(folder, 'watch', 'jobs');
  if (!hasEntries(records)) return [];
  const [{ mendJobs }, { JobRecords }] = await Promise.all([import('./mend-jobs.js'), import('./job-records.js')]);
  return mendJobs({ gate, folder, gitUser, records: new JobRecords(records) });
}

/** Removes what is too old or too much, at most once a day. Never throws; an error waits for the next time. */
export async function tidyJournal(folder: string, now = Date.now()): Promise<void> {
  try {
    const stamp = join(folder, STAMP);
    if (now - timeOf(stamp) < DAY_MS || timeOf(join(folder, 'entries')) === 0) return;
    await writeFile(stamp, '', { mode: 0o600 });
    await utimes(stamp, now / 1000, now / 1000);
    const [{ pruneJournal }, { liveSessions }] = await Promise.all([
      import('./prune.js'),
      import('./live-sessions.js'),
    ]);
    await clearLocks(locksFolderOf(folder), now);
    const live = await liveSessions(folder);
    await pruneJournal({ folder, now, keep: ({ call }) => live.has(call?.sessionId ?? '') });
  } catch {
    // Nothing depends on it.
  }
}

/** What is left of processes that were killed while they held locks. Never throws. */
async function clearLocks(folder: string, now: number): Promise<void> {
  const { isAlive, isProcessMark } = await import('./process-mark.js');
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const path = join(folder, name);
    try {
      // Locks themselves are taken over by whoever wants them next.
      if (!/^holder-|\.lock\./.test(name) || now - (await stat(path)).mtimeMs < DAY_MS) continue;
      const mark = parsed(await readFile(path, 'utf8'));
      if (!isProcessMark(mark) || isAlive(mark) !== true) await unlink(path);
    } catch {
      // Gone already, or no file that this process may remove.
    }
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Milliseconds since 1970; 0 for what is not there. */
function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
