import type { AgentEvent } from '../agent/events.js';
import { addedUsage } from '../models/added-usage.js';
import { Failure } from '../util/failure.js';
import type { Reply } from './client-types.js';

export type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

/** What a prompt and its reminders came to together. */
export function replyOf(ends: readonly PromptEnd[]): Reply {
  const last = ends.at(-1);
  if (last === undefined) throw new Failure('agent_closed', 'The agent was closed before the prompt had ended.');
  const sum = (of: (end: PromptEnd) => number): number => ends.reduce((total, end) => total + of(end), 0);
  return {
    text: last.text,
    stopReason: last.stopReason,
    ...(last.message !== undefined && { message: last.message }),
    ...(last.isCut === true && { isCut: true as const }),
    turns: sum(({ turns }) => turns),
    toolCalls: sum(({ toolCalls }) => toolCalls),
    denials: ends.flatMap(({ denials }) => denials),
    usage: ends.map(({ usage }) => usage).reduce(addedUsage),
  };
}
