import { isSameState, type FileState, type JournalEntry } from './journal-entry.js';

/** A change of one file that is to be taken back: from what it was to what it became. */
export interface RevertStep {
  readonly before: FileState;
  readonly after: FileState;
}

/**
 * What has to be taken back of each file, the last change first. Changes of which one went on where the other had
 * ended become one: what lies between them is of no matter any more.
 * @param entries in the order of the log
 */
export function revertSteps(entries: readonly JournalEntry[]): ReadonlyMap<string, readonly RevertStep[]> {
  const paths = new Map<string, RevertStep[]>();
  for (const { path, before, after } of entries.flatMap(({ changes }) => changes)) {
    const steps = paths.get(path) ?? [];
    paths.set(path, steps);
    const [last] = steps;
    if (last !== undefined && isSameState(last.after, before)) steps[0] = { before: last.before, after };
    else steps.unshift({ before, after });
  }
  return paths;
}

/** Folders that may go when nothing is left in them, innermost first. */
export function foldersToRemove(entries: readonly JournalEntry[]): string[] {
  const folders = new Set(entries.flatMap(({ madeFolders }) => madeFolders));
  return [...folders].sort((a, b) => b.length - a.length);
}

export type StepDecision =
  /** It is as it was before already. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'restore'; readonly mode: number | undefined }
  | { readonly kind: 'delete' }
  /** Three versions of one file: now, before, after. */
  | { readonly kind: 'merge'; readonly mode: number | undefined }
  | { readonly kind: 'leave'; readonly reason: string };

/** What to do with a file that is `current` by now. Never a decision that loses what somebody else made of it. */
export function decideStep(current: FileState, { before, after }: RevertStep): StepDecision {
  if (sameContent(current, after)) {
    if (before.kind === 'missing') return { kind: current.kind === 'missing' ? 'nothing' : 'delete' };
    return { kind: 'restore', mode: modeFor(current, { before, after }) };
  }
  if (sameContent(current, before)) {
    const mode = modeFor(current, { before, after });
    const hasMode = current.kind === 'missing' || current.mode === mode;
    return hasMode ? { kind: 'nothing' } : { kind: 'restore', mode };
  }
  if (current.kind === 'missing') return leave('it was deleted since');
  if (after.kind === 'missing') return leave('the call deleted it, and another file was put there since');
  if (before.kind === 'missing') return leave('the call made it, and it was changed since');
  return { kind: 'merge', mode: modeFor(current, { before, after }) };
}

export function sameContent(a: FileState, b: FileState): boolean {
  if (a.kind === 'missing' || b.kind === 'missing') return a.kind === b.kind;
  return a.hash === b.hash;
}

/** The mode before, unless somebody gave the file another one since. */
function modeFor(current: FileState, { before, after }: RevertStep): number | undefined {
  if (before.kind === 'missing') return undefined;
  if (current.kind === 'missing' || after.kind === 'missing') return before.mode;
  return current.mode === after.mode ? before.mode : current.mode;
}

function leave(reason: string): StepDecision {
  return { kind: 'leave', reason };
}
