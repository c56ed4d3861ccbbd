import {
  count,
  safeText,
  type AgentEvent,
  type LoggedEvent,
  type Safe,
  type SessionUsage,
  type TokenUsage,
} from '@tenon/core';
import { safeLine } from '../../../ui/safe-lines.js';
import type { CommandBody } from './command-row.js';
import { block, columns } from './lines.js';

/** `/cost`: what the session and its last prompt have used. */
export const costCommand: CommandBody = {
  run: async (_typed, { agent }) => ({ shown: block(costLines(agent.usage(), lastPrompt(agent.history))) }),
};

type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

function lastPrompt(history: readonly LoggedEvent[]): PromptEnd | undefined {
  const found = history.findLast(({ event }) => event.type === 'prompt-end')?.event;
  return found?.type === 'prompt-end' ? found : undefined;
}

/** Pure. */
export function costLines(usage: SessionUsage, last: PromptEnd | undefined): readonly Safe[] {
  const { requests, cost } = usage;
  const money =
    cost === undefined
      ? 'unknown: the setting model.prices says what tokens cost'
      : `${cost.toFixed(cost < 1 ? 4 : 2)}, by the prices of the settings`;
  return [
    safeText`This session`,
    ...columns([...tokenRows(usage), ['requests', requests.toLocaleString('en-US')], ['cost', money]], '  '),
    ...(last === undefined
      ? []
      : [
          safeLine(`The last prompt (${count(last.turns, 'turn')}, ${count(last.toolCalls, 'call')})`),
          ...columns(tokenRows(last.usage), '  '),
        ]),
  ];
}

function tokenRows(usage: TokenUsage): (readonly [string, string])[] {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const parts = [
    ...(cachedInputTokens === 0 ? [] : [`${cachedInputTokens.toLocaleString('en-US')} from the cache`]),
    ...(cacheWriteTokens === 0 ? [] : [`${cacheWriteTokens.toLocaleString('en-US')} written to it`]),
  ];
  const cached = parts.length === 0 ? '' : `, of which ${parts.join(', ')}`;
  return [
    ['input', `${inputTokens.toLocaleString('en-US')} tokens${cached}`],
    ['output', `${outputTokens.toLocaleString('en-US')} tokens`],
  ];
}
