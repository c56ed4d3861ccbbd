import { isDeepStrictEqual } from 'node:util';
import type { HookAnswer, HookEventName, HookRun, HookRunEvent } from './hook-types.js';
import { strictest } from './read-answer.js';

/** A run, with the place of its hook in the settings. */
export interface PlacedRun extends HookRun {
  readonly place: number;
}

/** What all hooks of one event say together. */
export interface HookOutcome {
  /** The strictest word: deny before ask before allow. */
  readonly decision?: 'deny' | 'ask' | 'allow';
  /** Why, and who says so. */
  readonly reason?: string;
  readonly updatedInput?: object;
  /** The places of the hooks that want exactly this input. */
  readonly changedBy: readonly number[];
  readonly updatedOutput?: string;
  /** For the model, in the order of the settings. */
  readonly contexts: readonly string[];
  /** The work on the prompt is to end: who wants it, and why. */
  readonly stop?: string;
  /** In the order of the settings. */
  readonly events: readonly HookRunEvent[];
}

/** For these, the failure of a hook that fails closed forbids. */
const GUARDING: ReadonlySet<HookEventName> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'PreCompact',
  'PostToolUse',
  'PostToolUseFailure',
]);
const AFTER: ReadonlySet<HookEventName> = new Set(['PostToolUse', 'PostToolUseFailure']);

/**
 * Puts the words of hooks that ran side by side together, by the order of the settings and never by that in which they ended.
 * Of several that change the same thing differently the first one counts, and the others are told. Pure.
 */
export function mergeRuns(runs: readonly PlacedRun[], callId?: string): HookOutcome {
  const sorted = runs.toSorted((one, other) => one.place - other.place).map(closed);
  const decision = strictest(sorted.map(({ answer }) => answer.decision));
  const deciding = sorted.filter(({ answer }) => answer.decision === decision && decision !== undefined);
  const reason = deciding.map(reasonOf).join('; ');
  const isDenied = decision === 'deny';
  const ofInput = sorted.filter(({ answer }) => answer.updatedInput !== undefined);
  const updatedInput = isDenied ? undefined : ofInput[0]?.answer.updatedInput;
  const withheld = sorted.find((run) => isWithheld(run));
  const updatedOutput = withheld === undefined ? firstOutput(sorted) : withheldText(withheld);
  const stopping = sorted.find(({ answer }) => answer.stop !== undefined);
  return {
    ...(decision !== undefined && { decision, reason }),
    ...(updatedInput !== undefined && { updatedInput }),
    changedBy: isDenied
      ? []
      : ofInput.filter(({ answer }) => isDeepStrictEqual(answer.updatedInput, updatedInput)).map(({ place }) => place),
    ...(updatedOutput !== undefined && { updatedOutput }),
    contexts: sorted.flatMap(({ answer }) => answer.context ?? []),
    ...(stopping?.answer.stop !== undefined && { stop: `${quoted(stopping)}: ${stopping.answer.stop}` }),
    events: sorted.map((run) => eventOf(run, conflictOf(run, { updatedInput, updatedOutput, isDenied }), callId)),
  };
}

/** A run that failed says no where its hook is to fail closed. */
function closed(run: PlacedRun): PlacedRun {
  const { hook, problem, answer } = run;
  if (problem === undefined || !hook.failClosed || !GUARDING.has(hook.event) || answer.decision === 'deny') return run;
  return { ...run, answer: { ...answer, decision: 'deny', reason: `it failed (it ${problem})` } };
}

/** What a hook that should have looked at a result did not look at is not told. */
function isWithheld({ hook, problem }: PlacedRun): boolean {
  return problem !== undefined && hook.failClosed && AFTER.has(hook.event);
}

function withheldText(run: PlacedRun): string {
  return `The result is withheld: ${quoted(run)}, which has to look at it first, failed.`;
}

function firstOutput(runs: readonly PlacedRun[]): string | undefined {
  return runs.find(({ answer }) => answer.updatedOutput !== undefined)?.answer.updatedOutput;
}

function reasonOf(run: PlacedRun): string {
  const { reason } = run.answer;
  return reason === undefined ? quoted(run) : `${quoted(run)}: ${reason}`;
}

function quoted({ hook }: PlacedRun): string {
  return `the hook ${JSON.stringify(hook.name)}`;
}

interface Counting {
  readonly updatedInput: object | undefined;
  readonly updatedOutput: string | undefined;
  readonly isDenied: boolean;
}

/** Why a change of this run is not made, where another one is. */
function conflictOf({ answer }: PlacedRun, { updatedInput, updatedOutput, isDenied }: Counting): string | undefined {
  const isInputLost =
    answer.updatedInput !== undefined && !isDenied && !isDeepStrictEqual(answer.updatedInput, updatedInput);
  const isOutputLost = answer.updatedOutput !== undefined && answer.updatedOutput !== updatedOutput;
  return isInputLost || isOutputLost
    ? 'its change does not count: another hook, which stands before it or failed, changes the same'
    : undefined;
}

function eventOf(
  { hook, answer, problem, durationMs }: PlacedRun,
  conflict: string | undefined,
  callId?: string,
): HookRunEvent {
  const told = problem === undefined ? conflict : `it ${problem}`;
  const { reason, message, stop } = answer;
  const why = reason ?? stop;
  return {
    type: 'hook-run',
    event: hook.event,
    name: hook.name,
    ...(callId !== undefined && { callId }),
    durationMs: Math.round(durationMs),
    outcome: outcomeOf(answer, problem !== undefined),
    ...(why !== undefined && { reason: why }),
    ...(message !== undefined && { message }),
    ...(stop !== undefined && { stops: true as const }),
    ...(told !== undefined && { problem: told }),
  };
}

function outcomeOf(
  { decision, updatedInput, updatedOutput, stop }: HookAnswer,
  isFailed: boolean,
): HookRunEvent['outcome'] {
  if (isFailed) return 'failed';
  if (decision === 'deny') return 'denied';
  if (stop !== undefined) return 'stopped';
  if (decision === 'ask') return 'asked';
  if (updatedInput !== undefined || updatedOutput !== undefined) return 'changed';
  return decision === 'allow' ? 'allowed' : 'passed';
}
