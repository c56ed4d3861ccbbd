import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { MISSING } from '../files/write-handle.js';
import { Failure } from '../util/failure.js';
import { clearingFor, type Clearing, type Obstacle } from './clear-way.js';
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
  /** Ids that are taken back by it; by default those of all the entries. */
  readonly reverts?: readonly string[];
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
async function refuseWhatIsReverted(journal: Journal, request: RevertRequest): Promise<void> {
  const inForce = entriesInForce((await journal.entries()).entries);
  if (idsOf(request).every((id) => inForce.has(id))) return;
  const { kind } = request;
  throw new Failure('already_undone', `Another ${kind} has just taken back some of the same. Look at \`tenon log\`.`);
}

function idsOf({ entries, reverts }: RevertRequest): readonly string[] {
  return reverts ?? entries.map(({ id }) => id);
}

async function attemptRevert(services: RevertServices, request: RevertRequest): Promise<Reverted> {
  const { journal, gate } = services;
  const { kind, entries, dryRun } = request;
  const planned: PlannedFile[] = [];
  for (const [path, steps] of revertSteps(entries)) planned.push(await planFile(services, path, steps));
  const emptyFolders = foldersToRemove(entries).filter((folder) => leadsThere(gate, folder));
  const clearing = await planClearing(services, planned, emptyFolders);
  const files = planned.map(({ file }) => file).sort((a, b) => (a.path < b.path ? -1 : 1));
  // Where every file is left alone the calls still stand.
  const stays = files.length > 0 && files.every(({ result }) => result === 'left');
  if (dryRun || stays) return { files };
  if (clearing !== undefined) return revertInTwo(services, { request, clearing, files });
  const changes = planned.flatMap(({ change }) => change ?? []);
  const reverts = idsOf(request);
  if (changes.length === 0 && emptyFolders.length === 0) {
    await refuseWhatIsReverted(journal, request);
    return { entry: await recordOnly(journal, kind, reverts), files };
  }
  const { entry } = await journal.commit({ kind, reverts, changes, emptyFolders });
  return { entry, files };
}

/**
 * What is in the way of files that can be put back when it is gone; undefined when nothing is. Their plans become what
 * they will be then.
 */
async function planClearing(
  { journal, gate }: RevertServices,
  planned: PlannedFile[],
  emptyFolders: readonly string[],
): Promise<Clearing | undefined> {
  const deletions = new Map(
    planned.flatMap(({ change }) => (change?.content === null ? [[change.path, change] as const] : [])),
  );
  const way = { gate, deletions, folders: new Set(emptyFolders) };
  const changes = new Set<StateChange>();
  const folders = new Set<string>();
  let isNeeded = false;
  for (const [index, { file, steps, obstacle }] of planned.entries()) {
    if (obstacle === undefined) continue;
    const clearing = await clearingFor(way, file.path, obstacle);
    if (clearing === undefined) continue;
    const later = await planState({ journal, gate }, { path: file.path, steps, state: { kind: 'missing' } });
    planned[index] = { ...later, change: undefined };
    if (later.change === undefined) continue;
    isNeeded = true;
    for (const change of clearing.changes) changes.add(change);
    for (const folder of clearing.emptyFolders) folders.add(folder);
  }
  return isNeeded ? { changes: [...changes], emptyFolders: [...folders] } : undefined;
}

/**
 * A file and a folder of one name cannot change places in one transaction. What is in the way goes first, by an entry
 * that takes nothing back: if no more comes to pass the calls stand, and the next undo does the rest.
 */
async function revertInTwo(
  services: RevertServices,
  { request, clearing, files }: { request: RevertRequest; clearing: Clearing; files: readonly RevertedFile[] },
): Promise<Reverted> {
  const { journal } = services;
  const { entry: cleared } = await journal.commit({ kind: request.kind, reverts: [], ...clearing });
  let rest: Reverted | undefined;
  try {
    rest = await attemptRevert(services, { ...request, reverts: [...idsOf(request), cleared.id] });
    return rest.entry === undefined ? rest : { ...rest, files };
  } finally {
    // What it was, as far as possible.
    const kind = request.kind === 'undo' ? 'redo' : 'undo';
    if (rest?.entry === undefined)
      await attemptRevert(services, { kind, entries: [cleared], dryRun: false }).catch(() => undefined);
  }
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
  readonly steps: readonly RevertStep[];
  readonly change?: StateChange | undefined;
  /** Why it is left, when that may be changed. */
  readonly obstacle?: Obstacle | undefined;
}

async function planFile(services: RevertServices, path: string, steps: readonly RevertStep[]): Promise<PlannedFile> {
  const found = await lookAt(services.gate, path);
  if ('state' in found) return planState(services, { path, steps, state: found.state });
  // What it became is another matter when it is gone again by now.
  const isGone = steps.at(-1)?.before.kind === 'missing';
  if (isGone && found.obstacle === 'file above') return { file: { path, result: 'unchanged' }, steps };
  return { file: { path, result: 'left', reason: found.blocked }, steps, obstacle: found.obstacle };
}

async function planState(
  { journal, gate }: RevertServices,
  { path, steps, state }: { readonly path: string; readonly steps: readonly RevertStep[]; readonly state: FileState },
): Promise<PlannedFile> {
  const plan = await revertFile({
    current: state,
    steps,
    readCurrent: () => readAgain(gate, path),
    content: (hash) => journal.content(hash),
  });
  if (plan.kind === 'leave') {
    const { reason, lines } = plan;
    return { file: { path, result: 'left', reason, ...(lines === undefined ? {} : { lines }) }, steps };
  }
  if (plan.kind === 'nothing') return { file: { path, result: 'unchanged' }, steps };
  const refused = state.kind === 'missing' ? undefined : await whyNotWritable(path, plan);
  if (refused !== undefined) return { file: { path, result: 'left', reason: refused }, steps };
  return { file: { path, result: resultOf(state, plan) }, steps, change: changeOf(path, state, plan) };
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
