import { relative, sep } from 'node:path';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { lookAt, readIfStill } from './current-file.js';
import { changeWord, describeChange, type DescribedChange } from './describe-change.js';
import type { JournalEntry } from './journal-entry.js';
import type { Journal } from './journal.js';
import { revertSteps, sameContent } from './plan-revert.js';
import { groupByCall, isBackground, isCall, shortId, type CallEntries } from './select-entries.js';

/** A call of the log; or an undo, a redo. */
export interface LoggedCall {
  /** Takes its place in `undo ID`, `diff ID`. */
  readonly id: string;
  /** Of the entries that it is made of. */
  readonly entryIds: readonly string[];
  /** How many calls `undo N` takes back to take back this one too; absent for what does not stand. */
  readonly number?: number;
  readonly kind: JournalEntry['kind'];
  readonly undone: boolean;
  /** Present for what was found while its job ran, after the call had returned; it is taken back only when it is named. */
  readonly background?: true;
  /** ISO 8601, of its last entry. */
  readonly time: string;
  /** Absent for what no call made. */
  readonly callId?: string;
  readonly toolName?: string;
  readonly title?: string;
  readonly agent?: string;
  readonly sessionId?: string;
  readonly turn?: number;
  /** For an undo, the calls that it took back; for a redo, those that it made again. */
  readonly calls: readonly string[];
  /** What changed and is not written down, as sentences. */
  readonly uncovered: readonly string[];
}

/** A file as one call, or several one after the other, changed it. */
export interface ChangedPath extends DescribedChange {
  /** Canonical. */
  readonly path: string;
  /** As people know it: see `displayName`. */
  readonly name: string;
}

export interface DiffedPath extends ChangedPath {
  /** True when the file is no longer what the call left. */
  readonly changedSince: boolean;
}

/** Which calls of a log are wanted. */
export interface CallFilter {
  readonly limit?: number;
  /** Calls that one of these entries belongs to. */
  readonly ids?: ReadonlySet<string>;
}

/** The calls of a log, the last first, numbered as `undo N` counts; `all`: how many there are in the log. */
export function listCalls(
  entries: readonly JournalEntry[],
  { limit = Infinity, ids }: CallFilter = {},
): { readonly calls: LoggedCall[]; readonly all: number } {
  const groups = groupByCall(entries);
  const byEntry = new Map(entries.map((entry) => [entry.id, entry] as const));
  const groupOf = new Map(groups.flatMap((group) => group.entries.map(({ id }) => [id, shortId(group.id)] as const)));
  const calls: LoggedCall[] = [];
  let number = 0;
  for (const group of groups) {
    const isNumbered = group.inForce && isCall(group) && !isBackground(group);
    if (isNumbered) number += 1;
    if (calls.length >= limit || (ids !== undefined && !group.entries.some(({ id }) => ids.has(id)))) continue;
    const reverted = new Set(originals(group.entries, byEntry).map((id) => groupOf.get(id) ?? shortId(id)));
    calls.push({ ...describeCall(group), ...(isNumbered ? { number } : {}), calls: [...reverted] });
  }
  return { calls, all: groups.length };
}

export function describeCall({ id, entries, inForce }: CallEntries): Omit<LoggedCall, 'calls'> {
  const [{ kind, call }] = entries;
  return {
    id: shortId(id),
    entryIds: entries.map((entry) => entry.id),
    kind,
    undone: !inForce,
    ...(isBackground({ entries }) ? { background: true as const } : {}),
    time: entries.at(-1)?.time ?? entries[0].time,
    ...(call === undefined ? {} : call),
    uncovered: [...new Set(entries.flatMap(({ uncovered }) => uncovered ?? []))],
  };
}

/** Ids of the calls' entries that an undo, or a redo of one, was about. */
function originals(entries: readonly JournalEntry[], byEntry: ReadonlyMap<string, JournalEntry>): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const waiting = entries.flatMap(({ reverts }) => reverts).reverse();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    // Entries of a damaged log may speak of one another.
    if (seen.has(id)) continue;
    seen.add(id);
    const target = byEntry.get(id);
    if (target === undefined || (target.kind !== 'undo' && target.kind !== 'redo')) found.push(id);
    else waiting.push(...target.reverts.toReversed());
  }
  return found;
}

export interface DiffServices {
  readonly journal: Journal;
  readonly gate: WorkspaceGate;
}

/**
 * What entries changed, by file: from before the first of them to after the last. Sorted by path.
 * @param mostCompared of files beyond so many it is only told that they changed
 */
export async function changedPaths(
  { journal, gate }: DiffServices,
  entries: readonly JournalEntry[],
  mostCompared = Infinity,
): Promise<ChangedPath[]> {
  const found: ChangedPath[] = [];
  for (const [path, steps] of revertSteps(entries)) {
    const name = displayName(gate.roots, path);
    for (const { before, after } of steps.toReversed()) {
      if (before.kind === 'missing' && after.kind === 'missing') continue;
      const content = async (hash: string): Promise<Buffer | undefined> =>
        (await journal.content(hash)) ?? readIfStill(gate, path, hash);
      const isCompared = found.length < mostCompared;
      const described = isCompared
        ? await describeChange({ name, before, after, content })
        : { change: changeWord({ before, after }) };
      found.push({ path, name, ...described });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** The same with whether the files are still what the entries made of them. */
export async function diffPaths(services: DiffServices, entries: readonly JournalEntry[]): Promise<DiffedPath[]> {
  const steps = revertSteps(entries);
  const diffed: DiffedPath[] = [];
  for (const changed of await changedPaths(services, entries)) {
    const now = await lookAt(services.gate, changed.path);
    const last = steps.get(changed.path)?.[0];
    const changedSince = 'blocked' in now || last === undefined || !sameContent(now.state, last.after);
    diffed.push({ ...changed, changedSince });
  }
  return diffed;
}

/** Relative to the first root, with `/`, when it lies in that; otherwise absolute. */
export function displayName(roots: readonly string[], path: string): string {
  const [root] = roots;
  if (root === undefined || !path.startsWith(root + sep)) return path;
  return relative(root, path).split(sep).join('/');
}
