import type { TokenUsage } from './model.js';

const PARTS = ['cachedInputTokens', 'cacheWriteTokens'] as const;

/** Both together. What neither of them counts is not counted. */
export function addedUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const counted = PARTS.filter((part) => one[part] !== undefined || other[part] !== undefined);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...Object.fromEntries(counted.map((part) => [part, (one[part] ?? 0) + (other[part] ?? 0)])),
  };
}
