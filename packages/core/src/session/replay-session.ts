import type { Effect } from '../effects/effect.js';
import { describeEffect } from '../effects/describe.js';
import type { CallEvent, CallStatus } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';
import type { Part } from '../tools/tool-result.js';
import { errorMessage } from '../util/failure.js';
import { statedEffects, type ExaminationServices } from './examine-call.js';
import { mergeByTime, type AgentLog } from './agent-logs.js';
import type { LoggedEvent } from './log-lines.js';

/** A call of a session with what came of it then. */
export interface PlayedCall {
  readonly callId: string;
  /** The subagent that made it, as it is named to people. */
  readonly agent?: string;
  readonly toolName: string;
  readonly title: string;
  readonly argumentsText: string;
  readonly status: CallStatus;
  readonly content: readonly Part[];
  /** Why it is not made again, whatever it is. */
  readonly leftOut?: string;
}

export interface ReplayedCall extends Pick<PlayedCall, 'callId' | 'agent' | 'toolName' | 'title'> {
  readonly result: 'same' | 'different' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** For a different one: what it came to then, and now. */
  readonly before?: Outcome;
  readonly now?: Outcome;
}

export interface Outcome {
  readonly status: CallStatus;
  /** What the model was told, with what differs each time made the same. */
  readonly text: string;
}

export interface ReplayServices {
  /** Of the copy; no question is put to anybody. */
  readonly runCalls: (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;
  readonly examination: ExaminationServices;
  /** The folder of the session, canonical, and its copy. */
  readonly root: string;
  readonly copy: string;
}

/** The calls of a session and its subagents in the order in which they began. One without an end is not among them. */
export function playedCalls(
  events: readonly LoggedEvent[],
  agents: readonly Pick<AgentLog, 'label' | 'events'>[] = [],
): PlayedCall[] {
  const root = rootOf(events);
  const all = agents.map((agent) => {
    const isElsewhere = root !== undefined && rootOf(agent.events) !== root;
    const more = isElsewhere ? { leftOut: 'it was made in a worktree of its own' } : {};
    return timedCalls(agent.events, { agent: agent.label, ...more });
  });
  return mergeByTime([timedCalls(events, {}), ...all]).map(({ call }) => call);
}

function rootOf(events: readonly LoggedEvent[]): string | undefined {
  const start = events.find(({ event }) => event.type === 'session-start')?.event;
  return start?.type === 'session-start' ? start.roots[0] : undefined;
}

interface TimedCall {
  readonly time: string;
  readonly call: PlayedCall;
}

function timedCalls(events: readonly LoggedEvent[], more: Pick<PlayedCall, 'agent' | 'leftOut'>): TimedCall[] {
  const calls: (TimedCall | undefined)[] = [];
  const open = new Map<string, { place: number; time: string; call: Omit<PlayedCall, 'status' | 'content'> }>();
  for (const { event, time } of events) {
    if (event.type === 'tool-call-start') {
      const { callId, toolName, title, args } = event;
      const argumentsText = typeof args === 'string' ? args : JSON.stringify(args);
      const call = { callId, toolName, title, argumentsText, ...more };
      open.set(callId, { place: calls.push(undefined) - 1, time, call });
    } else if (event.type === 'approval-answer' && event.outcome === ToolConfirmationOutcome.ModifyWithEditor) {
      const begun = open.get(event.callId);
      if (begun !== undefined) begun.call = { ...begun.call, leftOut: 'the person changed what it wrote' };
    } else if (event.type === 'tool-call-end') {
      const begun = open.get(event.callId);
      const { status, content } = event;
      if (begun !== undefined) calls[begun.place] = { time: begun.time, call: { ...begun.call, status, content } };
      open.delete(event.callId);
    }
  }
  return calls.filter((call) => call !== undefined);
}

/**
 * Makes the calls of a session again, one after the other, on a copy of its folder, and compares what they tell. Only what
 * stays within the copy is made: no network, nothing of others, no command that a sandbox does not hold.
 */
export async function* replaySession(
  calls: readonly PlayedCall[],
  services: ReplayServices,
  signal: AbortSignal,
): AsyncGenerator<ReplayedCall> {
  for (const call of calls) {
    signal.throwIfAborted();
    const { callId, agent, toolName, title } = call;
    const head = { callId, ...(agent !== undefined && { agent }), toolName, title };
    const request = { callId, toolName, argumentsText: moved(call.argumentsText, services.root, services.copy) };
    const reason = leftOut(call) ?? (await unsafe(request, services, signal));
    if (reason !== undefined) {
      yield { ...head, result: 'skipped', reason };
      continue;
    }
    const before = outcome(call, services);
    const now = await makeAgain(request, services, signal);
    if (now.status === before.status && now.text === before.text) yield { ...head, result: 'same' };
    else yield { ...head, result: 'different', before, now };
  }
}

const REFERS_BACK = /^\[Unchanged since it was read before/;

function leftOut({ status, content, leftOut: because }: PlayedCall): string | undefined {
  if (because !== undefined) return because;
  if (status === 'denied') return 'it was denied then';
  if (status === 'cancelled') return 'it was cancelled then';
  const [first] = content;
  const refersBack = first !== undefined && 'text' in first && REFERS_BACK.test(first.text);
  return refersBack ? 'it was answered by an earlier call' : undefined;
}

/** Why a call may not be made; undefined for one that stays within the copy. */
async function unsafe(
  request: CallRequest,
  { examination }: ReplayServices,
  signal: AbortSignal,
): Promise<string | undefined> {
  let effects: readonly Effect[];
  try {
    effects = await statedEffects(request, examination, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // Such a call ends with the same error again, if it is no call of a tool that is not there.
    const isThere = examination.registry.findTool(request.toolName) !== undefined;
    return isThere ? undefined : `it cannot be made here: ${errorMessage(thrown)}`;
  }
  const bad = effects.find((effect) => !staysInside(effect));
  return bad === undefined ? undefined : `it would ${describeEffect(bad)}`;
}

function staysInside(effect: Effect): boolean {
  switch (effect.kind) {
    case 'read':
      return effect.zone !== 'outside' || effect.by?.isContained === true;
    case 'write':
    case 'delete':
      return effect.zone !== 'outside';
    case 'run':
      return effect.isContained === true || effect.readOnly || effect.isStated === true;
    case 'unknown':
      return effect.isContained === true;
    case 'fetch':
    case 'foreign':
    case 'delegate':
    case 'ask':
    case 'secret':
      return false;
    default:
      return effect satisfies never;
  }
}

async function makeAgain(request: CallRequest, services: ReplayServices, signal: AbortSignal): Promise<Outcome> {
  for await (const event of services.runCalls([request], signal))
    if (event.type === 'tool-call-end') return outcome(event, services);
  return { status: 'cancelled', text: '' };
}

/** The texts without what is another each time: the folder, durations, names of temporary files. */
function outcome({ status, content }: Pick<PlayedCall, 'status' | 'content'>, { root, copy }: ReplayServices): Outcome {
  const text = content
    .map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}] ${part.inlineData.data}`))
    .join('\n');
  return { status, text: steady(moved(text, copy, root)) };
}

const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b\d+(?:\.\d+)?\s?(?:ms|s|seconds?|minutes?)\b/g, '<duration>'],
  [/\boutput-[0-9a-f]{12}\.txt\b/g, '<output>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, '<time>'],
];

function steady(text: string): string {
  return VARYING.reduce((sofar, [pattern, name]) => sofar.replaceAll(pattern, name), text);
}

/** The text with one folder's name in place of another's, also in JSON; where it is part of a longer name it stays. */
function moved(text: string, from: string, to: string): string {
  const inJson = (path: string): string => JSON.stringify(path).slice(1, -1);
  let result = '';
  let start = 0;
  for (let at = text.indexOf(inJson(from)); at >= 0; at = text.indexOf(inJson(from), at + 1)) {
    // A point may end the name, or the sentence.
    if (/^(?:[\w-]|\.[\w.-])/.test(text.slice(at + inJson(from).length, at + inJson(from).length + 2))) continue;
    result += text.slice(start, at) + inJson(to);
    start = at + inJson(from).length;
  }
  return result + text.slice(start);
}
