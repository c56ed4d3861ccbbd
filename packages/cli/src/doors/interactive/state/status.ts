import { isClosed } from './items.js';
import type { CallAgent, CallItem, SessionState } from './session-state.js';

/** What is going on now. Times in milliseconds; `since` of the epoch. */
export type Status =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting' | 'thinking' | 'answering'; readonly elapsedMs: number }
  | { readonly kind: 'calls'; readonly count: number; readonly title: string; readonly elapsedMs: number }
  | { readonly kind: 'agents'; readonly count: number; readonly calls: number; readonly tokens: number }
  | { readonly kind: 'asking'; readonly count: number }
  | { readonly kind: 'retrying'; readonly inMs: number; readonly attempt: number; readonly reason: string };

export interface StatusReport {
  readonly status: Status;
  /** Of the prompt that runs; undefined between prompts. */
  readonly promptMs?: number;
  /** Counted by the provider, and of what is being written now about so many more. */
  readonly tokens: { readonly input: number; readonly output: number };
}

/** Characters of a token, on the average. */
const TOKEN_CHARACTERS = 4;

export function statusOf(state: SessionState, now: number): StatusReport {
  const { tokens, promptSince } = state;
  const output = tokens.output + Math.round(tokens.streamedCharacters / TOKEN_CHARACTERS);
  return {
    status: statusNow(state, now),
    tokens: { input: tokens.input, output },
    ...(promptSince !== undefined && { promptMs: now - promptSince }),
  };
}

/** Of it and of its subagents. */
export function askingIn(call: CallItem): number {
  const own = call.phase === 'asking' ? 1 : 0;
  return call.children.reduce((count, child) => count + askingIn(child), own);
}

function sumOf(agents: readonly CallAgent[]): { count: number; calls: number; tokens: number } {
  const sum = { count: agents.length, calls: 0, tokens: 0 };
  for (const { calls, tokens } of agents) {
    sum.calls += calls;
    sum.tokens += tokens.input + tokens.output;
  }
  return sum;
}

function statusNow(state: SessionState, now: number): Status {
  const calls = state.items.filter((item): item is CallItem => item.kind === 'call' && !isClosed(item));
  const asking = calls.reduce((count, call) => count + askingIn(call), 0);
  if (asking > 0) return { kind: 'asking', count: asking };
  const agents = calls.flatMap(({ agent }) => (agent === undefined ? [] : [agent]));
  // What one does stands in its own line.
  if (agents.length > 1 && agents.length === calls.length) return { kind: 'agents', ...sumOf(agents) };
  const [first] = calls;
  if (first !== undefined) {
    const since = Math.min(...calls.map((call) => call.since));
    return { kind: 'calls', count: calls.length, title: first.start.title, elapsedMs: now - since };
  }
  const { activity } = state;
  switch (activity.kind) {
    case 'idle':
      return activity;
    case 'retrying':
      return {
        kind: 'retrying',
        inMs: Math.max(0, activity.until - now),
        attempt: activity.attempt,
        reason: activity.reason,
      };
    case 'waiting':
    case 'thinking':
    case 'answering':
    default:
      return { kind: activity.kind, elapsedMs: now - activity.since };
  }
}
