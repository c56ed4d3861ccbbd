import { agentLabel, type AgentEvent, type SubagentEvent } from '@tenon/core';
import { innermost, subagentEndLine, tokensOf } from '../../../ui/subagent-line.js';
import { addNotice, changeCall } from './items.js';
import { answeredCall, askedCall, beginCall, endedCall } from './reduce-call.js';
import type { CallAgent, CallItem, SessionState, SubagentEnd } from './session-state.js';

/** Of the calls of one subagent the last ones are kept: more are never shown while it works. */
const KEPT_CALLS = 8;
/** Of those that still run. */
const KEPT_OPEN_CALLS = 64;

/** What a subagent does becomes a branch of the call that handed the work on; pure. What belongs to none that is known is left out. */
export function onSubagent(state: SessionState, event: SubagentEvent, at: number): SessionState {
  let next = changeCall(state, event.callId, (call) => inCall(call, event, at));
  // One that works in the background may have been handed its work by another subagent.
  for (let inner = subagentEvent(event); inner !== undefined; inner = within(inner))
    next = inBackground(next, inner, at);
  return ofPrompt(next, innermost(event));
}

function within(event: SubagentEvent): SubagentEvent | undefined {
  return event.type === 'subagent-event' ? subagentEvent(event.event) : undefined;
}

function subagentEvent(event: AgentEvent): SubagentEvent | undefined {
  const { type } = event;
  return type === 'subagent-start' || type === 'subagent-event' || type === 'subagent-end' ? event : undefined;
}

/** What was denied to it is told with the end of the prompt. */
function ofPrompt(state: SessionState, event: AgentEvent): SessionState {
  if (event.type !== 'approval-answer') return state;
  const answered = { ...state, answers: [...state.answers, event] };
  return event.problem === undefined ? answered : addNotice(answered, 'warning', event.problem);
}

function inCall(call: CallItem, event: SubagentEvent, at: number): CallItem {
  // What is done is printed, or may be.
  if (call.phase === 'done') return call;
  if (event.type === 'subagent-start') return { ...call, agent: begun(event, at) };
  const { agent } = call;
  if (agent?.agentId !== event.agentId || agent.isBackground) return call;
  if (event.type === 'subagent-end') return { ...call, agent: ended(agent, event) };
  const grown = { ...call, agent: worked(agent, event.event) };
  const children = inChildren(call.children, event.event, at);
  if (children === call.children) return grown.agent === agent ? call : grown;
  return { ...grown, children };
}

/** The subagents that no call waits for. */
function inBackground(state: SessionState, event: SubagentEvent, at: number): SessionState {
  const { background } = state;
  if (event.type === 'subagent-start')
    return event.isBackground === true ? { ...state, background: [...background, begun(event, at)] } : state;
  const index = background.findIndex(({ agentId }) => agentId === event.agentId);
  const agent = background[index];
  if (agent === undefined) return state;
  if (event.type === 'subagent-event') {
    const next = worked(agent, event.event);
    return next === agent ? state : { ...state, background: background.with(index, next) };
  }
  const words = subagentEndLine(agentLabel(agent.name, agent.agentId), event);
  const news = addNotice(state, 'news', `${words} (${agent.description})`);
  return { ...news, background: background.toSpliced(index, 1) };
}

function begun(event: Extract<SubagentEvent, { type: 'subagent-start' }>, at: number): CallAgent {
  const { agentId, agent, description, logFile, isBackground = false } = event;
  return {
    agentId,
    name: agent,
    description,
    isBackground,
    startedAt: at,
    logFile,
    doing: 'waiting',
    calls: 0,
    tokens: { input: 0, output: 0 },
  };
}

/** A log of an earlier session has the end alone. */
function ended(agent: CallAgent, end: SubagentEnd): CallAgent {
  const { stopReason, durationMs, toolCalls } = end;
  const { input, output } = tokensOf(end);
  return {
    ...agent,
    calls: Math.max(agent.calls, toolCalls),
    tokens: { input: Math.max(agent.tokens.input, input), output: Math.max(agent.tokens.output, output) },
    end: { stopReason, durationMs },
  };
}

/** Words that come change nothing but the first of them, so that however fast they come nothing is drawn for them. */
function worked(agent: CallAgent, event: AgentEvent): CallAgent {
  const inner = innermost(event);
  const doing = event === inner ? (DOING[inner.type] ?? agent.doing) : agent.doing;
  const counted = inner.type === 'tool-call-start' || (inner.type === 'assistant-message' && inner.usage !== undefined);
  if (doing === agent.doing && !counted) return agent;
  const { calls, tokens } = agent;
  if (inner.type === 'tool-call-start') return { ...agent, doing, calls: calls + 1 };
  if (inner.type !== 'assistant-message' || inner.usage === undefined) return { ...agent, doing };
  const { inputTokens, outputTokens } = inner.usage;
  return { ...agent, doing, tokens: { input: tokens.input + inputTokens, output: tokens.output + outputTokens } };
}

const DOING: Readonly<Partial<Record<AgentEvent['type'], CallAgent['doing']>>> = {
  'turn-start': 'waiting',
  'thinking-delta': 'thinking',
  'text-delta': 'answering',
  'model-retry': 'retrying',
  'assistant-message': 'waiting',
};

type Calls = readonly CallItem[];

function inChildren(calls: Calls, event: AgentEvent, at: number): Calls {
  if (event.type === 'tool-call-start')
    return pruned([...calls, { ...beginCall(event, at), key: event.callId, isNext: true }]);
  const change = changeBy(event, at);
  return change === undefined || !('callId' in event) ? calls : changed(calls, event.callId ?? '', change);
}

function changeBy(event: AgentEvent, at: number): ((call: CallItem) => CallItem) | undefined {
  const { type } = event;
  if (type === 'tool-call-update') return (call) => ({ ...call, display: event.display });
  if (type === 'approval-request') return (call) => askedCall(call, at);
  if (type === 'approval-answer') return (call) => answeredCall(call, event, at);
  if (type === 'tool-call-end') return (call) => endedCall(call, event);
  const below = subagentEvent(event);
  return below && ((call) => inCall(call, below, at));
}

/** The latest of that id: providers that count calls begin anew with each answer. */
function changed(calls: Calls, callId: string, change: (call: CallItem) => CallItem): Calls {
  const index = calls.findLastIndex(({ start }) => start.callId === callId);
  const call = calls[index];
  if (call === undefined) return calls;
  const next = change(call);
  return next === call ? calls : calls.with(index, next);
}

function pruned(calls: Calls): Calls {
  if (calls.length <= KEPT_CALLS) return calls;
  const oldest = calls.findIndex(({ phase }) => phase === 'done');
  if (oldest !== -1) return calls.toSpliced(oldest, 1);
  return calls.length <= KEPT_OPEN_CALLS ? calls : calls.slice(1);
}
