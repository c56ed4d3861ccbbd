import type { TokenUsage } from './model.js';

/** What a model's tokens cost, for a million of them each; in any one currency. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** For input that the provider had in its cache. Default: as `input`. */
  readonly cachedInput?: number;
  /** For input that the provider wrote to its cache. Default: as `input`. */
  readonly cacheWrite?: number;
}

const TOKENS_OF_A_PRICE = 1_000_000;

/** What a usage costs, in the currency of the prices. */
export function costOf(usage: TokenUsage, prices: TokenPrices): number {
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const sum =
    (usage.inputTokens - cached - written) * prices.input +
    cached * (prices.cachedInput ?? prices.input) +
    written * (prices.cacheWrite ?? prices.input) +
    usage.outputTokens * prices.output;
  return sum / TOKENS_OF_A_PRICE;
}
