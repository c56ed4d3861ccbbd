import type { AgentEvent, SubagentEvent } from '@tenon/core';
import { reduce } from '../../state/reduce.js';
import {
  EMPTY_STATE,
  type CallEnd,
  type CallStart,
  type SessionEvent,
  type SessionState,
} from '../../state/session-state.js';

/** A session in which these events happened, a second after one another. */
export function after(events: readonly SessionEvent[], from: SessionState = EMPTY_STATE): SessionState {
  return events.reduce((state, event, index) => reduce(state, { type: 'event', event, at: index * 1_000 }), from);
}

export function callStart(more: Partial<CallStart> = {}): CallStart {
  return {
    type: 'tool-call-start',
    callId: 'c1',
    toolName: 'some_tool',
    displayName: 'Shell',
    kind: 'execute',
    title: 'npm test',
    locations: [],
    args: {},
    repairs: [],
    ...more,
  };
}

export function callEnd(more: Partial<CallEnd> = {}): CallEnd {
  return {
    type: 'tool-call-end',
    callId: 'c1',
    toolName: 'some_tool',
    title: 'npm test',
    status: 'success',
    durationMs: 20,
    display: 'done',
    content: [],
    ...more,
  };
}

export function promptEnd(more: Partial<Extract<SessionEvent, { type: 'prompt-end' }>> = {}): SessionEvent {
  return {
    type: 'prompt-end',
    stopReason: 'completed',
    text: '',
    turns: 1,
    toolCalls: 0,
    denials: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    ...more,
  };
}

/** Of one that works for the call `c1`, named `a1`. */
export function agentStart(more: Partial<Extract<SubagentEvent, { type: 'subagent-start' }>> = {}): SubagentEvent {
  return {
    type: 'subagent-start',
    callId: 'c1',
    agentId: 'a1',
    agent: 'explore',
    description: 'find the parser',
    model: 'm',
    logFile: '/s/agents/a1.jsonl',
    ...more,
  };
}

export function agentSays(event: AgentEvent, callId = 'c1', agentId = 'a1'): SubagentEvent {
  return { type: 'subagent-event', callId, agentId, event };
}

export function agentEnd(more: Partial<Extract<SubagentEvent, { type: 'subagent-end' }>> = {}): SubagentEvent {
  return {
    type: 'subagent-end',
    callId: 'c1',
    agentId: 'a1',
    stopReason: 'completed',
    model: 'm',
    turns: 2,
    toolCalls: 3,
    usage: { inputTokens: 12_000, outputTokens: 345 },
    durationMs: 65_000,
    ...more,
  };
}
