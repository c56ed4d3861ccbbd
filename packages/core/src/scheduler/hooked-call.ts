import type { Effect } from '../effects/effect.js';
import type { BeforeCall, CallHooks, HookedCall } from '../hooks/call-hooks.js';
import { ToolError, ToolErrorType } from '../tools/tool-error.js';
import { toParts, type Part, type ToolResult } from '../tools/tool-result.js';
import { errorMessage } from '../util/failure.js';
import type { CallEvent } from './call-events.js';
import type { CallStop } from './call-stop.js';
import { effectsOf } from './effects-of.js';
import type { HookWord } from './hook-verdict.js';
import { prepareCall, type PreparedCall } from './prepare-call.js';
import type { SchedulerServices } from './services.js';

/** Characters of a result that hooks are told. */
const MOST_TOLD = 4_000_000;

export interface HookedLife {
  readonly callId: string;
  readonly hooks: CallHooks;
  readonly services: SchedulerServices;
  readonly stop: Pick<CallStop, 'signal' | 'wait'>;
  readonly emit: (event: CallEvent) => void;
}

/** The call as it goes on, or why it does not. */
type HookedStart =
  | { readonly call: PreparedCall; readonly word: HookWord | undefined; readonly contexts: readonly string[] }
  | { readonly refusal: string };

/**
 * Asks the hooks before a call. Arguments that one of them changes are read anew, as if the model had sent them, and the other
 * hooks are asked about what they have become; then the policy judges that as it judges any call.
 * @throws ToolError where the changed arguments are none
 */
export async function throughHooks(prepared: PreparedCall, life: HookedLife): Promise<HookedStart> {
  const first = await askBefore(prepared, [], life);
  const refusal = refusalOf(first);
  if (refusal !== undefined) return { refusal };
  const { updatedInput } = first;
  if (updatedInput === undefined) return { call: prepared, word: wordOf(first), contexts: first.contexts };
  const call = changedCall(prepared, updatedInput, life);
  const second = await askBefore(call, first.changedBy, life);
  const later = refusalOf(second);
  if (later !== undefined) return { refusal: later };
  const contexts = Array.from(new Set([...first.contexts, ...second.contexts]));
  // Who allowed the call as it was said nothing about what it is now.
  return { call, word: first.decision === 'ask' ? wordOf(first) : wordOf(second), contexts };
}

async function askBefore(call: PreparedCall, changedBy: readonly number[], life: HookedLife): Promise<BeforeCall> {
  const { hooks, services, stop, emit } = life;
  const effects = await stop.wait(Promise.resolve(effectsOf(call.tool, call.invocation, services, stop)));
  const said = await stop.wait(
    hooks.before(hookedCall(life.callId, call, effects, services.secrets), changedBy, stop.signal),
  );
  for (const event of said.events) emit(event);
  return said;
}

function changedCall(prepared: PreparedCall, input: object, { callId, services }: HookedLife): PreparedCall {
  const argumentsText = JSON.stringify(input);
  try {
    const changed = prepareCall({ callId, toolName: prepared.tool.name, argumentsText }, services);
    return { ...changed, repairs: [...prepared.repairs, `A hook of the user changed them to ${argumentsText}.`] };
  } catch (thrown) {
    const message = `A hook of the user changed the arguments to ${argumentsText.slice(0, 500)}, with which the call cannot run: ${errorMessage(thrown)}`;
    throw new ToolError(ToolErrorType.INVALID_TOOL_PARAMS, message);
  }
}

/** Why a call that hooks were asked about does not run. */
export function refusalOf({
  decision,
  reason,
  stop,
}: Pick<BeforeCall, 'decision' | 'reason' | 'stop'>): string | undefined {
  if (decision === 'deny') return `Denied by a hook of the user; it did not run: ${reason ?? 'without a reason'}`;
  return stop === undefined ? undefined : `Stopped by a hook of the user; it did not run: ${stop}`;
}

function wordOf({ decision, reason }: BeforeCall): HookWord | undefined {
  if (decision !== 'ask' && decision !== 'allow') return undefined;
  return { decision, reason: `${decision === 'ask' ? 'asked for' : 'allowed'} by ${reason ?? 'a hook'}` };
}

export function hookedCall(
  callId: string,
  { tool, params }: Pick<PreparedCall, 'tool' | 'params'>,
  effects: readonly Effect[],
  secrets?: SchedulerServices['secrets'],
): HookedCall {
  const told = { input: params, effects };
  const { name: toolName, displayName } = tool;
  return { callId, toolName, displayName, ...(secrets === undefined ? told : secrets.hideIn(told)) };
}

/** The result, as hooks let it be told. The call ran, whatever becomes of them. */
export async function afterHooks(
  call: PreparedCall,
  { result, effects }: { readonly result: ToolResult; readonly effects: readonly Effect[] },
  { callId, hooks, services, stop, emit }: HookedLife,
): Promise<ToolResult> {
  const content = toParts(result.llmContent).map(textOf).join('\n');
  const told = {
    content: content.slice(0, MOST_TOLD),
    ...(content.length > MOST_TOLD && { isCut: true as const }),
    ...(result.data !== undefined && { data: result.data }),
    isError: result.error !== undefined,
  };
  const said = await stop.wait(hooks.after(hookedCall(callId, call, effects, services.secrets), told, stop.signal));
  if (said === undefined) return result;
  for (const event of said.events) emit(event);
  const { updatedOutput: text } = said;
  const changed = text === undefined ? result : inPlaceOf(result, text);
  return withContexts(changed, said.notes);
}

/** Nothing of the first one is left, neither for the model nor for the log. */
function inPlaceOf({ error }: ToolResult, text: string): ToolResult {
  return { llmContent: text, ...(error !== undefined && { error: { ...error, message: text } }) };
}

/** Adds what hooks tell the model. */
export function withContexts(result: ToolResult, contexts: readonly string[]): ToolResult {
  if (contexts.length === 0) return result;
  const parts: Part[] = contexts.map((text) => ({ text: `\n\nFrom a hook of the user: ${text}` }));
  return { ...result, llmContent: [...toParts(result.llmContent), ...parts] };
}

function textOf(part: Part): string {
  return 'text' in part ? part.text : `[${part.inlineData.mimeType}]`;
}
