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
