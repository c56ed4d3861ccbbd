import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { MISSING } from '../files/write-handle.js';
import { Failure } from '../util/failure.js';
import { lookAt, readAgain } from './current-file.js';
import { entriesInForce } from './entry-states.js';
import type { FileState, JournalEntry } from './journal-entry.js';
import type { Journal, StateChange } from './journal.js';
import type { LineRange } from './merge-text.js';
import { foldersToRemove, revertSteps, type RevertStep } from './plan-revert.js';
import { revertFile, type FileRevert } from './revert-file.js';

/** What became of one file, or would become. */
export interface RevertedFile {
  /** Canonical. */
  readonly path: string;
  /**
   * `merged`: restored around what somebody else changed since. `unchanged`: it was as before already.
   * `left`: not touched, `reason` says why.
   */
  readonly result: 'restored' | 'recreated' | 'deleted' | 'merged' | 'unchanged' | 'left';
  readonly reason?: string;
  /** Where the changes that are in the way are. */
  readonly lines?: readonly LineRange[];
}

export interface RevertServices {
  readonly journal: Journal;
  readonly gate: WorkspaceGate;
}

export interface RevertRequest {
  readonly kind: 'undo' | 'redo';
  /** In the order of the log. */
  readonly entries: readonly JournalEntry[];
  readonly dryRun: boolean;
}

export interface Reverted {
  /** What was written down; absent when nothing was done. */
  readonly entry?: JournalEntry;
  readonly files: readonly RevertedFile[];
}

/** Files that change while they are looked at are looked at again, this often. */
const MOST_ATTEMPTS = 4;

/**
 * Takes back what entries changed, in one transaction: every file that can be restored without losing what somebody
 * else made of it. The others are left alone and named.
 * @throws Failure of the journal's `commit`: nothing was changed
 */
export async function revert(services: RevertServices, request: RevertRequest): Promise<Reverted> {
  for (let attempt = 1; ; attempt += 1) {
    if (attempt > 1) await refuseWhatIsReverted(services.journal, request);
    try {
      return await attemptRevert(services, request);
    } catch (thrown) {
      if (attempt === MOST_ATTEMPTS || !(thrown instanceof Failure) || thrown.code !== 'file_changed') throw thrown;
    }
  }
}

/** Another process may have been quicker with the same. */
async function refuseWhatIsReverted(journal: Journal, { kind, entries }: RevertRequest): Promise<void> {
  const inForce = entriesInForce((await journal.entries()).entries);
  if (entries.every(({ id }) => inForce.has(id))) return;
  throw new Failure('already_undone', `Another ${kind} has just taken back some of the same. Look at \`tenon log\`.`);
}

async function attemptRevert({ journal, gate }: RevertServices, request: RevertRequest): Promise<Reverted> {
  const { kind, entries, dryRun } = request;
  const files: RevertedFile[] = [];
  const changes: StateChange[] = [];
  for (const [path, steps] of revertSteps(entries)) {
    const { file, change } = await planFile({ journal, gate }, path, steps);
    files.push(file);
    if (change !== undefined) changes.push(change);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  // Where every file is left alone the calls still stand.
  const stays = files.length > 0 && files.every(({ result }) => result === 'left');
  if (dryRun || stays) return { files };
  const emptyFolders = foldersToRemove(entries).filter((folder) => leadsThere(gate, folder));
  const reverts = entries.map(({ id }) => id);
  if (changes.length === 0 && emptyFolders.length === 0)
    return { entry: await recordOnly(journal, kind, reverts), files };
  const { entry } = await journal.commit({ kind, reverts, changes, emptyFolders });
  return { entry, files };
}

/** Somebody took it back by hand: nothing is left to do, but from now on it is undone. */
async function recordOnly(
  journal: Journal,
  kind: RevertRequest['kind'],
  reverts: readonly string[],
): Promise<JournalEntry> {
  const head = { version: 1, id: journal.newId(), time: new Date().toISOString(), kind, reverts } as const;
  const entry: JournalEntry = { ...head, changes: [], madeFolders: [] };
  await journal.record(entry);
  return entry;
}

interface PlannedFile {
  readonly file: RevertedFile;
  readonly change?: StateChange;
}

async function planFile(
  { journal, gate }: RevertServices,
  path: string,
  steps: readonly RevertStep[],
): Promise<PlannedFile> {
  const found = await lookAt(gate, path);
  if ('blocked' in found) return { file: { path, result: 'left', reason: found.blocked } };
  const { state } = found;
  const plan = await revertFile({
    current: state,
    steps,
    readCurrent: () => readAgain(gate, path),
    content: (hash) => journal.content(hash),
  });
  if (plan.kind === 'leave') {
    const { reason, lines } = plan;
    return { file: { path, result: 'left', reason, ...(lines === undefined ? {} : { lines }) } };
  }
  if (plan.kind === 'nothing') return { file: { path, result: 'unchanged' } };
  const refused = state.kind === 'missing' ? undefined : await whyNotWritable(path, plan);
  if (refused !== undefined) return { file: { path, result: 'left', reason: refused } };
  return { file: { path, result: resultOf(state, plan) }, change: changeOf(path, state, plan) };
}

function resultOf(state: FileState, plan: Extract<FileRevert, { kind: 'write' | 'delete' }>): RevertedFile['result'] {
  if (plan.kind === 'delete') return 'deleted';
  if (plan.merged) return 'merged';
  return state.kind === 'missing' ? 'recreated' : 'restored';
}

function changeOf(
  path: string,
  state: FileState,
  plan: Extract<FileRevert, { kind: 'write' | 'delete' }>,
): StateChange {
  const expected = state.kind === 'missing' ? MISSING : state.hash;
  const place = { path, resolvedPath: path, expected };
  return plan.kind === 'delete' ? { ...place, content: null } : { ...place, content: plan.content, mode: plan.mode };
}

/** One file that may not be written would make the whole transaction fail, so it is asked for before. */
async function whyNotWritable(path: string, plan: FileRevert): Promise<string | undefined> {
  try {
    // A file that was made read-only since can go all the same.
    if (plan.kind !== 'delete') await access(path, constants.W_OK);
    await access(dirname(path), constants.W_OK);
    return undefined;
  } catch {
    return 'it may not be written; give yourself permission, then try again';
  }
}

function leadsThere(gate: WorkspaceGate, folder: string): boolean {
  try {
    const { path, kind } = gate.resolve(folder);
    return path === folder && kind === 'directory';
  } catch {
    return false;
  }
}
