import type { Message, ModelTool, ToolResultBlock } from '../models/model.js';
import { isSummary } from './compaction.js';
import type { ConversationFacts } from './conversation-facts.js';
import { blockTokens, textTokens, type TokenEstimator } from './token-estimate.js';

/** What fills the model's window, in estimated tokens; calibrated by what the provider counted. */
export interface ContextReport {
  readonly window: number;
  readonly used: number;
  /** From which on it is made shorter by itself; undefined: never. */
  readonly compactsAt?: number;
  /** The largest first. */
  readonly parts: readonly ContextPart[];
}

export interface ContextPart {
  readonly kind: 'system' | 'tools' | 'user' | 'answers' | 'results' | 'attachments' | 'summary';
  /** A tool's name, a file's path; empty for a part that is not divided. */
  readonly name: string;
  readonly tokens: number;
}

export interface Reported {
  readonly system: string;
  readonly tools: readonly ModelTool[];
  readonly messages: readonly Message[];
  readonly facts: Pick<ConversationFacts, 'words' | 'fileOf'>;
  readonly estimator: TokenEstimator;
  readonly window: number;
  readonly compactsAt?: number;
}

/** Divides a request. What is in a user's message and was not said by the user counts as attached. Pure. */
export function contextReport(reported: Reported): ContextReport {
  const { system, tools, messages, facts, estimator, window, compactsAt } = reported;
  const parts = new Map<string, { readonly kind: ContextPart['kind']; readonly name: string; raw: number }>();
  const add = (kind: ContextPart['kind'], name: string, raw: number): void => {
    const key = `${kind} ${name}`;
    const part = parts.get(key);
    if (part === undefined) parts.set(key, { kind, name, raw });
    else part.raw += raw;
  };
  const words = new Set(facts.words());
  const placeOf = ({ callId, name }: ToolResultBlock): string => facts.fileOf(callId) ?? name;
  add('system', '', textTokens(system));
  for (const tool of tools) add('tools', tool.name, estimator.rawTool(tool));
  for (const message of messages) {
    if (message.role === 'assistant') add('answers', '', estimator.rawMessage(message));
    else if (message.role === 'tool')
      for (const result of message.content) add('results', placeOf(result), estimator.rawResult(result));
    else
      for (const block of message.content) {
        const kind = isSummary(block)
          ? 'summary'
          : block.type === 'text' && words.has(block.text)
            ? 'user'
            : 'attachments';
        add(kind, '', blockTokens(block));
      }
  }
  const shown = [...parts.values()]
    .map(({ kind, name, raw }) => ({ kind, name, tokens: estimator.scaled(raw) }))
    .filter(({ tokens }) => tokens > 0)
    .toSorted((left, right) => right.tokens - left.tokens);
  return {
    window,
    used: shown.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(compactsAt !== undefined && { compactsAt }),
    parts: shown,
  };
}
