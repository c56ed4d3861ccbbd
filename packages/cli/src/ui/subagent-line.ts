import { count, type AgentEvent, type StopReason, type SubagentEvent } from '@tenon/core';
import { duration, tokenCount } from './amounts.js';

type SubagentEnd = Extract<SubagentEvent, { type: 'subagent-end' }>;

/** What one event is in the end: that of the subagent, or of one of its own, and so on. */
export function innermost(event: AgentEvent): AgentEvent {
  let inner = event;
  while (inner.type === 'subagent-event') inner = inner.event;
  return inner;
}

/** `12 calls, 34.5k tokens`; without what there was none of. */
export function workDone(calls: number, tokens: number): string {
  const parts = [calls === 0 ? '' : count(calls, 'call'), tokens === 0 ? '' : `${tokenCount(tokens)} tokens`];
  return parts.filter((part) => part !== '').join(', ');
}

/** How it ended, in one line for the person. */
export function subagentEndLine(label: string, end: SubagentEnd): string {
  const { toolCalls, durationMs, stopReason } = end;
  const { input, output } = tokensOf(end);
  const work = workDone(toolCalls, input + output);
  return `${label} ${ENDED[stopReason]} after ${duration(durationMs)}${work === '' ? '' : `: ${work}`}`;
}

/** Of it and of those below it. */
export function tokensOf({ usage, usageBelow = [] }: Pick<SubagentEnd, 'usage' | 'usageBelow'>): {
  readonly input: number;
  readonly output: number;
} {
  const all = [usage, ...usageBelow.map((below) => below.usage)];
  return {
    input: all.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    output: all.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

const ENDED: Readonly<Record<StopReason, string>> = {
  completed: 'is done',
  cancelled: 'was cancelled',
  'max-turns': 'used up its turns',
  'max-tool-calls': 'used up its calls',
  'max-seconds': 'used up its time',
  'max-cost': 'used up what it may cost',
  loop: 'repeated itself and was stopped',
  'empty-answer': 'got no answer of the model',
  'model-error': 'was failed by the model',
};
