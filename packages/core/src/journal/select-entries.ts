import { Failure } from '../util/failure.js';
import { entriesInForce } from './entry-states.js';
import type { JournalCall, JournalEntry } from './journal-entry.js';

/** Which calls are meant. Only those whose changes stand, but for `id`, which names one. */
export type Selection =
  | { readonly last: number }
  /** Id of a call or of an entry, its short form, or the beginning of one that is no other's. */
  | { readonly id: string }
  /** Everything of the prompt that changed something last. */
  | { readonly lastTurn: true }
  /** Everything made after this call. */
  | { readonly after: string }
  /** What sessions changed from a moment on. */
  | { readonly stretches: readonly SessionStretch[] };

/** What one session changed from `since` on, until `until` where it is given; both ISO 8601. */
export interface SessionStretch {
  readonly sessionId: string;
  readonly since: string;
  readonly until?: string;
}

/** What one call changed, in one or more entries; or an undo, a redo. */
export interface CallEntries {
  /** Of its first entry. */
  readonly id: string;
  /** In the order of the log, never empty. */
  readonly entries: readonly [JournalEntry, ...JournalEntry[]];
  /** True while at least one of the entries stands. */
  readonly inForce: boolean;
}

/** The entries by call, the call that changed something last first. */
export function groupByCall(entries: readonly JournalEntry[]): CallEntries[] {
  const groups = new Map<string, { readonly entries: [JournalEntry, ...JournalEntry[]]; last: number }>();
  const wholes = wholesOf(entries);
  for (const [index, entry] of entries.entries()) {
    const key = keyOf(wholes.get(entry.id) ?? entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { entries: [entry], last: index });
    else {
      group.entries.push(entry);
      group.last = index;
    }
  }
  const inForce = entriesInForce(entries);
  return [...groups.values()]
    .sort((a, b) => b.last - a.last)
    .map((group) => ({
      id: group.entries[0].id,
      entries: group.entries,
      inForce: group.entries.some(({ id }) => inForce.has(id)),
    }));
}

/** What was found while a job ran, after the call that started it had returned. */
export function isBackground({ entries: [first] }: Pick<CallEntries, 'entries'>): boolean {
  return first.background === true;
}

/** Calls that change files of their own accord: not an undo, not a redo. */
export function isCall({ entries: [first] }: CallEntries): boolean {
  return first.kind === 'change' || first.kind === 'command';
}

/**
 * The calls that are meant, the last first.
 * @throws Failure `nothing_to_undo`, `no_such_change`, `ambiguous_change`, `already_undone`
 */
export function selectCalls(entries: readonly JournalEntry[], selection: Selection): CallEntries[] {
  const groups = groupByCall(entries).filter(isCall);
  // What may be the person's own work is taken back only when it is named.
  const standing = groups.filter((group) => group.inForce && !isBackground(group));
  const found = choose(groups, standing, selection);
  if (found.length > 0) return found;
  const named = groups.filter((group) => group.inForce && isBackground(group)).map(({ id }) => shortId(id));
  const some = named.length === 0 ? '' : ` What changed while jobs ran is taken back by its id (${named.join(', ')}).`;
  const message =
    'after' in selection
      ? `Nothing was changed after ${selection.after} that is not undone already.${some}`
      : 'There is nothing to undo: no call has changed a file of this project, or all of it is undone already. For another project, name its folder with --cwd.' +
        some;
  throw new Failure('nothing_to_undo', message);
}

function choose(groups: readonly CallEntries[], standing: readonly CallEntries[], selection: Selection): CallEntries[] {
  if ('last' in selection) return standing.slice(0, selection.last);
  if ('lastTurn' in selection) return lastTurn(standing);
  if ('stretches' in selection) return standing.filter((group) => isWithin(group, selection.stretches));
  if ('after' in selection) {
    const point = groups.indexOf(findCall(groups, selection.after));
    return groups.slice(0, point).filter((group) => standing.includes(group));
  }
  return [findCall(groups, selection.id)];
}

function isWithin({ entries: [{ call }], entries }: CallEntries, stretches: readonly SessionStretch[]): boolean {
  return stretches.some(
    ({ sessionId, since, until }) =>
      call?.sessionId === sessionId &&
      entries.some(({ time }) => time >= since && (until === undefined || time <= until)),
  );
}

/** Files that `undo` of each of the stretches would take back, canonical. */
export function filesWithin(
  entries: readonly JournalEntry[],
  wanted: readonly (readonly SessionStretch[])[],
): (readonly string[])[] {
  const inForce = entriesInForce(entries);
  const standing = groupByCall(entries).filter((group) => isCall(group) && group.inForce && !isBackground(group));
  return wanted.map((stretches) => {
    const found = standing.filter((group) => isWithin(group, stretches)).flatMap((group) => group.entries);
    const paths = found.filter(({ id }) => inForce.has(id)).flatMap(({ changes }) => changes.map(({ path }) => path));
    return [...new Set(paths)].sort();
  });
}

/** The calls of the turn that changed something last. A call that is part of no turn stands for itself. */
function lastTurn(standing: readonly CallEntries[]): CallEntries[] {
  const [newest] = standing;
  const call = newest?.entries[0].call;
  if (newest === undefined) return [];
  if (call?.turn === undefined) return [newest];
  return standing.filter(({ entries: [{ call: other }] }) => {
    return other?.sessionId === call.sessionId && other?.turn === call.turn;
  });
}

/** @throws Failure `no_such_change`, `ambiguous_change` */
export function findCall(groups: readonly CallEntries[], word: string): CallEntries {
  const named = groups.filter((group) => namesOf(group).includes(word));
  const all = named.length > 0 ? named : groups.filter((group) => namesOf(group).some((id) => id.startsWith(word)));
  // The id of a call means what was there when it returned.
  const calls = all.filter((group) => !isBackground(group));
  const found = calls.length === 0 || named.some(isNamedItself(word)) ? all : calls;
  const [first, second] = found;
  if (first === undefined || word === '') {
    throw new Failure('no_such_change', `No call of the log has the id "${word}". \`tenon log\` lists them.`);
  }
  if (second !== undefined) {
    const some = found.slice(0, 3).map(({ id }) => shortId(id));
    const advice = `Give more of it, or one of ${some.join(', ')}${found.length > 3 ? ', …' : ''}.`;
    throw new Failure('ambiguous_change', `${found.length} calls have an id that begins with "${word}". ${advice}`);
  }
  return first;
}

/** The newest undo that stands: what a redo takes back. @throws Failure `nothing_to_redo` */
export function lastUndo(entries: readonly JournalEntry[]): JournalEntry {
  const inForce = entriesInForce(entries);
  const found = entries.findLast((entry) => entry.kind === 'undo' && !isFirstHalf(entry) && inForce.has(entry.id));
  if (found !== undefined) return found;
  throw new Failure('nothing_to_redo', 'There is nothing to redo: no undo stands that could be taken back.');
}

/** Part of an undo or a redo that only makes room for the rest of it, which names it among what it takes back. */
export function isFirstHalf({ kind, reverts }: JournalEntry): boolean {
  return (kind === 'undo' || kind === 'redo') && reverts.length === 0;
}

/** Ids of first halves → the undo or redo that they belong to. */
function wholesOf(entries: readonly JournalEntry[]): ReadonlyMap<string, JournalEntry> {
  const halves = new Map(entries.flatMap((entry) => (isFirstHalf(entry) ? [[entry.id, entry] as const] : [])));
  const wholes = new Map<string, JournalEntry>();
  if (halves.size === 0) return wholes;
  for (const entry of entries) {
    for (const id of entry.reverts) if (halves.get(id)?.kind === entry.kind) wholes.set(id, entry);
  }
  return wholes;
}

/** What people are shown: the part of an id that does not come of the time, which neighbours share. */
export function shortId(id: string): string {
  return id.slice(id.lastIndexOf('-') + 1);
}

function namesOf({ entries }: CallEntries): string[] {
  const callId = entries[0].call?.callId;
  const ids = entries.flatMap(({ id }) => [id, shortId(id)]);
  return callId === undefined ? ids : [callId, ...ids];
}

/** Whether a job's changes are meant by an id of their own. */
function isNamedItself(word: string): (group: CallEntries) => boolean {
  return (group) => isBackground(group) && group.entries.some(({ id }) => id === word || shortId(id) === word);
}

/** Calls of two sessions or agents may have the same id. */
function keyOf({ id, kind, call, background }: JournalEntry): string {
  if (call === undefined || kind === 'undo' || kind === 'redo') return `entry ${id}`;
  return JSON.stringify([callKey(call), background === true]);
}

/** The same for all that belongs to one call. */
export function callKey({ sessionId, agent, callId, turn }: JournalCall): string {
  return JSON.stringify([sessionId, agent, callId, turn]);
}
