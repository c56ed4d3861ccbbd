import { isDeepStrictEqual } from 'node:util';
import type { Effect } from '../effects/effect.js';
import type { HookRunEvent, ToolResponse } from './hook-types.js';
import type { HookRunner } from './hook-runner.js';
import type { HookOutcome } from './merge-runs.js';

/** A call, as far as hooks are told of it. */
export interface HookedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly displayName: string;
  readonly input: object;
  readonly effects: readonly Effect[];
}

/** What hooks say before a call. */
export interface BeforeCall {
  readonly decision?: HookOutcome['decision'];
  readonly reason?: string;
  /** Arguments in place of those of the call: to be read, judged and approved as a new call. */
  readonly updatedInput?: object;
  /** For the model, with the result. */
  readonly contexts: readonly string[];
  /** Places of the hooks that want `updatedInput`. */
  readonly changedBy: readonly number[];
  /** The work on the prompt is to end. */
  readonly stop?: string;
  readonly events: readonly HookRunEvent[];
}

/** What hooks say of a result. */
export interface AfterCall {
  /** What the model is told in its place. */
  readonly updatedOutput?: string;
  /** What the model is told with it. */
  readonly notes: readonly string[];
  readonly stop?: string;
  readonly events: readonly HookRunEvent[];
}

/** The hooks of the life of a call. */
export class CallHooks {
  readonly #runner: HookRunner;

  constructor(runner: HookRunner) {
    this.#runner = runner;
  }

  get mayAllow(): boolean {
    return this.#runner.mayAllow;
  }

  /** Whether any hook is to be asked before calls. */
  get looksBefore(): boolean {
    return this.#runner.has('PreToolUse');
  }

  /** `changedBy`: the hooks whose change the call holds; they are not asked again, and no other change counts. */
  async before(call: HookedCall, changedBy: readonly number[], signal: AbortSignal): Promise<BeforeCall> {
    const request = { event: 'PreToolUse', facts: factsOf(call), ...about(call), without: changedBy } as const;
    const outcome = await this.#runner.run(request, signal);
    const { updatedInput } = outcome;
    if (updatedInput === undefined || isDeepStrictEqual(updatedInput, call.input)) return withoutChange(outcome);
    if (changedBy.length === 0) return { ...outcome, events: outcome.events.map((event) => withInput(event, outcome)) };
    return { ...withoutChange(outcome), events: outcome.events.map(refusedChange(SECOND_CHANGE)) };
  }

  /** Before the person is asked, or when nobody can be. Undefined when no hook is about it. */
  async ask(call: HookedCall, reason: string, signal: AbortSignal): Promise<BeforeCall | undefined> {
    if (!this.#runner.has('PermissionRequest')) return undefined;
    const facts = { ...factsOf(call), reason };
    const outcome = await this.#runner.run({ event: 'PermissionRequest', facts, ...about(call) }, signal);
    if (outcome.updatedInput === undefined) return outcome;
    // An answer for other arguments is no answer for these.
    const { decision, reason: why, updatedInput: _input, ...rest } = outcome;
    const events = outcome.events.map(refusedChange(LATE_CHANGE));
    return { ...rest, events, ...(decision !== 'allow' && decision !== undefined && { decision, reason: why ?? '' }) };
  }

  /** Beside the question to the person. */
  async notify(message: string, signal: AbortSignal): Promise<readonly HookRunEvent[]> {
    if (!this.#runner.has('Notification')) return [];
    const kind = 'permission_prompt';
    const facts = { message, notification_type: kind };
    return (await this.#runner.run({ event: 'Notification', facts, matched: { kind: 'word', word: kind } }, signal))
      .events;
  }

  /** After a call that ran. Undefined when no hook is about it. */
  async after(
    call: HookedCall,
    result: ToolResponse & { readonly isError: boolean },
    signal: AbortSignal,
  ): Promise<AfterCall | undefined> {
    const event = result.isError ? 'PostToolUseFailure' : 'PostToolUse';
    if (!this.#runner.has(event)) return undefined;
    const { isError: _isError, ...response } = result;
    const facts = { ...factsOf(call), tool_response: response, error: result.content };
    const outcome = await (event === 'PostToolUse'
      ? this.#runner.run({ event, facts: without(facts, 'error'), ...about(call) }, signal)
      : this.#runner.run({ event, facts: without(facts, 'tool_response'), ...about(call) }, signal));
    const { decision, reason, contexts, updatedOutput, stop, events } = outcome;
    return {
      ...(updatedOutput !== undefined && { updatedOutput }),
      notes: [...(decision === 'deny' ? [`Not accepted: ${reason ?? ''}`] : []), ...contexts],
      ...(stop !== undefined && { stop }),
      events,
    };
  }
}

const SECOND_CHANGE =
  'its change does not count: the arguments are those of another hook by now, and are changed once only';
const LATE_CHANGE = 'its answer does not count with other arguments; a PreToolUse hook may change them';

function factsOf({ callId, toolName, input }: HookedCall) {
  return { tool_name: toolName, tool_input: input, tool_use_id: callId };
}

function about({ callId, toolName, displayName, effects }: HookedCall) {
  return { callId, matched: { kind: 'call', toolName, displayName, effects } } as const;
}

function withoutChange({ updatedInput: _input, ...outcome }: HookOutcome): BeforeCall {
  return { ...outcome, changedBy: [] };
}

/** The log says which arguments are used since. */
function withInput(event: HookRunEvent, { updatedInput }: HookOutcome): HookRunEvent {
  const isIt = event.outcome === 'changed' || event.outcome === 'allowed' || event.outcome === 'asked';
  return isIt && event.problem === undefined && updatedInput !== undefined ? { ...event, updatedInput } : event;
}

function refusedChange(problem: string): (event: HookRunEvent) => HookRunEvent {
  return (event) => (event.outcome === 'changed' && event.problem === undefined ? { ...event, problem } : event);
}

function without<T extends object, K extends keyof T>(given: T, key: K): Omit<T, K> {
  const { [key]: _left, ...rest } = given;
  return rest;
}
