import type { WorkspaceGate } from '../files/workspace-gate.js';
import { Failure } from '../util/failure.js';
import { entriesInForce } from './entry-states.js';
import type { JournalEntry } from './journal-entry.js';
import type { Journal } from './journal.js';
import { revert, type RevertedFile } from './revert.js';
import {
  callKey,
  groupByCall,
  isBackground,
  isFirstHalf,
  filesWithin,
  lastUndo,
  selectCalls,
  shortId,
  type Selection,
  type SessionStretch,
} from './select-entries.js';
import { changedPaths, diffPaths, listCalls, type ChangedPath, type DiffedPath, type LoggedCall } from './undo-log.js';

export interface RevertOptions {
  /** True: says what would happen, and does nothing. */
  readonly dryRun?: boolean;
}

/** What an undo or a redo did, file by file. */
export interface RevertReport {
  readonly kind: 'undo' | 'redo';
  readonly dryRun: boolean;
  /** Of what was written down; absent when nothing was done. */
  readonly entryId?: string;
  /** The calls that were taken back, or made again, the last first, as they were before. */
  readonly calls: readonly LoggedCall[];
  /** Sorted by path. */
  readonly files: readonly RevertedFile[];
  /** False when at least one file was left alone. */
  readonly complete: boolean;
  /** Entries that cannot be read. */
  readonly problems: readonly string[];
  /** What changed while jobs of these calls ran, and stands: it was not taken back, and is by its own id. */
  readonly beside: readonly BesideChanges[];
}

export interface BesideChanges {
  /** Takes its place in `undo ID`, `diff ID`. */
  readonly id: string;
  /** Of the call that started the job. */
  readonly title: string;
  readonly files: number;
}

export interface LoggedChanges extends LoggedCall {
  readonly files: readonly ChangedPath[];
}

export interface ChangeLog {
  /** The last first. */
  readonly calls: readonly LoggedChanges[];
  /** How many there are beside these. */
  readonly more: number;
  readonly problems: readonly string[];
}

export interface ChangeDiff {
  readonly calls: readonly LoggedCall[];
  readonly files: readonly DiffedPath[];
  readonly problems: readonly string[];
}

/** Undo, redo and what they know, for one project. */
export interface Undo {
  log(options?: { readonly limit?: number }): Promise<ChangeLog>;
  /** @throws Failure `no_such_change`, `ambiguous_change`, `nothing_to_undo` */
  diff(selection: Selection): Promise<ChangeDiff>;
  /**
   * Takes calls back in one transaction. Files that somebody else changed since are merged, or left alone and named.
   * @throws Failure as `diff`, `already_undone`, and those of `Journal.commit`: then nothing was changed
   */
  undo(selection?: Selection, options?: RevertOptions): Promise<RevertReport>;
  /** Every change of the log, the first first, without a look at any file. */
  changes(): Promise<readonly JournalEntry[]>;
  /** For each of the stretches the files, canonical, that `undo` of them would take back. */
  filesWithin(wanted: readonly (readonly SessionStretch[])[]): Promise<readonly (readonly string[])[]>;
  /** Takes the last undo back. @throws Failure `nothing_to_redo`, and those of `Journal.commit` */
  redo(options?: RevertOptions): Promise<RevertReport>;
}

export interface UndoServices {
  readonly journal: Journal;
  readonly gate: WorkspaceGate;
}

/** A command may have changed thousands of files; the log counts lines in so many. */
const MOST_COMPARED = 50;

export function createUndo(services: UndoServices): Undo {
  const { journal } = services;
  return {
    log: async ({ limit = Infinity } = {}) => {
      const { entries, problems } = await journal.entries();
      const { calls: found, all } = listCalls(entries, { limit });
      const calls: LoggedChanges[] = [];
      for (const call of found) {
        calls.push({ ...call, files: await changedPaths(services, withIds(entries, call.entryIds), MOST_COMPARED) });
      }
      return { calls, more: all - calls.length, problems };
    },
    diff: async (selection) => {
      const { entries, problems } = await journal.entries();
      const calls = listed(
        entries,
        chosenIds(entries, selection, () => true),
      );
      const ids = calls.flatMap(({ entryIds }) => entryIds);
      return { calls, files: await diffPaths(services, withIds(entries, ids)), problems };
    },
    undo: async (selection = { last: 1 }, options = {}) => {
      const { entries, problems } = await journal.entries();
      const inForce = entriesInForce(entries);
      const ids = chosenIds(entries, selection, (id) => inForce.has(id));
      if (ids.size === 0) throw alreadyUndone(selection);
      const calls = listed(entries, ids);
      const meant = withIds(entries, [...ids]);
      // Of an undo of the same that was cut short: what it did is part of this one.
      const halves = entries.filter((entry) => inForce.has(entry.id) && isHalfOf(entry, meant)).map(({ id }) => id);
      return report(services, {
        kind: 'undo',
        entries: meant,
        reverts: [...ids, ...halves],
        calls,
        problems,
        beside: besideOf(entries, meant, inForce),
        ...options,
      });
    },
    changes: async () => (await journal.entries()).entries,
    filesWithin: async (wanted) => filesWithin((await journal.entries()).entries, wanted),
    redo: async (options = {}) => {
      const { entries, problems } = await journal.entries();
      const undone = lastUndo(entries);
      const calls = listed(entries, new Set(undone.reverts)).filter(
        ({ kind }) => kind === 'change' || kind === 'command',
      );
      const halves = entries.filter((entry) => isFirstHalf(entry) && undone.reverts.includes(entry.id));
      const reverts = [undone.id];
      return report(services, { kind: 'redo', entries: [...halves, undone], reverts, calls, problems, ...options });
    },
  };
}

/** Ids of the entries that the selected calls are made of. */
function chosenIds(
  entries: readonly JournalEntry[],
  selection: Selection,
  isMeant: (id: string) => boolean,
): ReadonlySet<string> {
  return new Set(
    selectCalls(entries, selection)
      .flatMap((call) => call.entries.map(({ id }) => id))
      .filter(isMeant),
  );
}

interface ReportInput extends RevertOptions {
  readonly kind: 'undo' | 'redo';
  readonly entries: readonly JournalEntry[];
  readonly reverts: readonly string[];
  readonly calls: readonly LoggedCall[];
  readonly problems: readonly string[];
  readonly beside?: readonly BesideChanges[];
}

/** What stands of jobs that the calls of these entries started. */
function besideOf(
  entries: readonly JournalEntry[],
  meant: readonly JournalEntry[],
  inForce: ReadonlySet<string>,
): BesideChanges[] {
  const keys = new Set(meant.flatMap(({ call }) => (call === undefined ? [] : [callKey(call)])));
  const groups = groupByCall(entries).filter(
    (group) => isBackground(group) && !group.entries.some((entry) => meant.includes(entry)),
  );
  return groups.flatMap(({ id, entries: all }) => {
    const [{ call }] = all;
    if (call === undefined || !keys.has(callKey(call))) return [];
    const standing = all.filter((entry) => inForce.has(entry.id));
    const files = new Set(standing.flatMap(({ changes }) => changes.map(({ path }) => path))).size;
    return files === 0 ? [] : [{ id: shortId(id), title: call.title, files }];
  });
}

async function report(
  services: UndoServices,
  { kind, entries, reverts, calls, problems, beside = [], dryRun = false }: ReportInput,
): Promise<RevertReport> {
  const { entry, files } = await revert(services, { kind, entries, reverts, dryRun });
  return {
    kind,
    dryRun,
    ...(entry === undefined ? {} : { entryId: entry.id }),
    calls,
    files,
    complete: files.every(({ result }) => result !== 'left'),
    problems,
    beside,
  };
}

/** In the order of the log, whatever the order of the ids. */
function withIds(entries: readonly JournalEntry[], ids: readonly string[]): JournalEntry[] {
  const wanted = new Set(ids);
  return entries.filter(({ id }) => wanted.has(id));
}

function listed(entries: readonly JournalEntry[], ids: ReadonlySet<string>): LoggedCall[] {
  return listCalls(entries, { ids }).calls;
}

function isHalfOf(entry: JournalEntry, whole: readonly JournalEntry[]): boolean {
  if (entry.kind !== 'undo' || !isFirstHalf(entry)) return false;
  const paths = new Set(whole.flatMap(({ changes }) => changes.map(({ path }) => path)));
  return entry.changes.every(({ path }) => paths.has(path)) && whole.every(({ id }) => id < entry.id);
}

function alreadyUndone(selection: Selection): Failure {
  const what = 'id' in selection ? `The call ${selection.id}` : 'What was asked for';
  return new Failure('already_undone', `${what} is undone already. \`tenon redo\` takes back the last undo.`);
}
