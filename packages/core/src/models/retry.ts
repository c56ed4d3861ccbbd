import type { ModelFailureInfo } from './model.js';

/** Tries after the first one: with the delays below about 30 to 60 seconds pass before giving up. */
export const MAX_RETRIES = 6;
/** Longest delay before the first retry; it doubles with each. */
export const FIRST_DELAY_MS = 1_000;
/** No delay of our own gets longer; a provider may ask for more. */
export const LONGEST_DELAY_MS = 30_000;
/** Who asks to wait longer is not waited for: the person should know at once. */
export const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/**
 * How long to wait before a failed request is sent again, in milliseconds; undefined to give up.
 * Exponential backoff, of which a random half is taken off, so that many clients of one server do
 * not come back together. Never shorter than what the provider asked for. To be asked only for a
 * `ModelError` that is `retryable`.
 *
 * @param attempt 1 after the first failure, or after the first empty answer
 * @param random at least 0, below 1
 */
export function retryDelay(attempt: number, info: Partial<ModelFailureInfo>, random: number): number | undefined {
  if (attempt > Math.min(MAX_RETRIES, info.mostRetries ?? MAX_RETRIES)) return undefined;
  const wish = info.retryAfterMs ?? 0;
  if (wish > LONGEST_RETRY_AFTER_MS) return undefined;
  const backoff = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(Math.max(wish, backoff * (1 - random / 2)));
}
