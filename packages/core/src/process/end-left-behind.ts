import { readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findLeftBehind,
  nameOfProcess,
  startOfProcess,
  type ProcessRow,
  type RecordedCommand,
} from './process-table.js';
import { numberSpace, ownerOfRecord, readRecord } from './running-record.js';

/** From TERM to KILL, and how long what was killed is waited for. */
const GRACE_MS = 300;
const GIVE_UP_MS = 700;
const POLL_MS = 20;
const MAX_NAMED = 5;

/**
 * Ends what a Tenon that was killed left running in this project, known by what it wrote down (`RunningRecord`). What
 * a living one runs is not touched, nor is any process that is not certainly one of those. Sentences for the person.
 */
export async function endLeftBehind(folder: string): Promise<string[]> {
  const notices: string[] = [];
  for (const name of namesIn(folder)) {
    const owner = ownerOfRecord(name);
    // Another start of the same number is another process: the owner is gone.
    if (owner === undefined || startOfProcess(owner.pid) === owner.started) continue;
    const path = join(folder, name);
    const { space, commands } = readRecord(path) ?? { space: undefined, commands: [] };
    const here = numberSpace();
    // Numbers of another container's processes mean nothing here; its own next Tenon will see to them.
    if (space !== undefined && space.boot === here.boot && space.pids !== here.pids) continue;
    if (space?.boot === here.boot && commands.length > 0) notices.push(...(await endAll(commands)));
    unlinkQuietly(path);
  }
  return notices;
}

async function endAll(commands: readonly RecordedCommand[]): Promise<string[]> {
  const first = findLeftBehind(commands);
  if (first.length === 0) return [];
  const names = [...new Set(first.map(({ pid }) => nameOfProcess(pid) ?? '?'))];
  let left = first;
  signalAll(left, 'SIGTERM');
  signalAll(left, 'SIGCONT');
  const begin = performance.now();
  for (let waited = 0; left.length > 0 && waited < GRACE_MS + GIVE_UP_MS; waited = performance.now() - begin) {
    await sleep(POLL_MS);
    left = findLeftBehind(commands);
    if (waited >= GRACE_MS) signalAll(left, 'SIGKILL');
  }
  const shown = names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ', …' : '');
  const what = first.length === 1 ? `1 process (${shown})` : `${first.length} processes (${shown})`;
  const end = left.length === 0 ? 'They were ended.' : `${left.length} of them could not be ended.`;
  return [`An earlier Tenon in this project was killed and left running: ${what}. ${end}`];
}

/** Only processes that were just verified. */
function signalAll(rows: readonly ProcessRow[], name: NodeJS.Signals): void {
  for (const { pid } of rows) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another Tenon that started at the same time was faster.
  }
}
