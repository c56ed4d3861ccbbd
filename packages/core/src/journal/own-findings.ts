import { isSameState, type FileState, type JournalEntry } from './journal-entry.js';
import type { Finding, KnownFile } from './manifest.js';

/** What a command changed itself, before and after others changed the same files. */
export interface OwnFindings {
  /** From before the command to before the first of the others' changes. */
  readonly early: readonly Finding[];
  readonly late: readonly Finding[];
}

/**
 * Takes out of what was found what the journal's other entries say that they did meanwhile: taken back with the
 * command, a change of another call would be lost. Where the entries do not explain what was found, it stays whole.
 * @param entries those made since the command began, in the order of the log
 */
export function ownFindings(findings: readonly Finding[], entries: readonly JournalEntry[]): OwnFindings {
  const others = new Map<string, [Step, ...Step[]]>();
  for (const { path, before, after } of entries.flatMap(({ changes }) => changes)) {
    const steps = others.get(path);
    if (steps === undefined) others.set(path, [{ before, after }]);
    else steps.push({ before, after });
  }
  const early: Finding[] = [];
  const late: Finding[] = [];
  for (const finding of findings) {
    const steps = others.get(finding.path);
    const parts = steps === undefined ? { late: finding } : withoutSteps(finding, steps);
    if (parts.early !== undefined) early.push(parts.early);
    if (parts.late !== undefined) late.push(parts.late);
  }
  return { early, late };
}

interface Step {
  readonly before: FileState;
  readonly after: FileState;
}

interface Parts {
  readonly early?: Finding;
  readonly late?: Finding;
}

function withoutSteps(finding: Finding, all: readonly [Step, ...Step[]]): Parts {
  const { path, before, after } = finding;
  const steps = stepsSince(before, all);
  const [first] = steps;
  const last = steps.at(-1);
  const isBroken = steps.slice(1).some(({ before: next }, index) => {
    const previous = steps[index];
    return previous !== undefined && !isSameState(previous.after, next);
  });
  if (first === undefined || last === undefined || isBroken) return { late: finding };
  // What was found had ended when they began.
  if (is(after, first.before)) return { early: finding };
  return {
    ...(is(before, first.before) ? {} : { early: { path, before, after: knownOf(first.before) } }),
    ...(is(after, last.after) ? {} : { late: { path, before: knownOf(last.after), after } }),
  };
}

/** Those that the look before the command had not seen already. */
function stepsSince(before: KnownFile | undefined, steps: readonly Step[]): readonly Step[] {
  const next = steps.findIndex((step) => is(before, step.before));
  if (next >= 0) return steps.slice(next);
  return steps.slice(steps.findLastIndex((step) => is(before, step.after)) + 1);
}

function is(file: KnownFile | undefined, state: FileState): boolean {
  if (file === undefined || state.kind === 'missing') return file === undefined && state.kind === 'missing';
  return file.hash === state.hash && file.mode === state.mode;
}

/** A file that nobody looked at: its content is in the store, if anywhere. */
function knownOf(state: FileState): KnownFile | undefined {
  if (state.kind === 'missing') return undefined;
  const { hash, bytes, mode } = state;
  return { size: bytes, mtimeMs: 0, ctimeMs: 0, ino: 0, mode, hash, bytes, settled: true };
}
