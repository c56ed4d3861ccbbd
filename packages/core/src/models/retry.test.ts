import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_DELAY_MS, LONGEST_DELAY_MS, LONGEST_RETRY_AFTER_MS, MAX_RETRIES, retryDelay } from './retry.js';

const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('retryDelay', () => {
  it('doubles, with at most half taken off, up to its cap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_RETRIES }), randoms, (attempt, random) => {
        const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
        const delay = retryDelay(attempt, {}, random) ?? -1;
        expect(delay).toBeGreaterThanOrEqual(full / 2);
        expect(delay).toBeLessThanOrEqual(full);
      }),
    );
    expect(retryDelay(1, {}, 0)).toBe(1_000);
    expect(retryDelay(3, {}, 0)).toBe(4_000);
    expect(retryDelay(3, {}, 0.5)).toBe(3_000);
  });

  it('never comes back before the provider’s Retry-After', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LONGEST_RETRY_AFTER_MS }), randoms, (retryAfterMs, random) => {
        expect(retryDelay(1, { retryAfterMs }, random)).toBeGreaterThanOrEqual(retryAfterMs);
      }),
    );
  });

  it('gives up at once when it should wait over five minutes', () => {
    expect(retryDelay(1, { retryAfterMs: 300_000 }, 0)).toBe(300_000);
    expect(retryDelay(1, { retryAfterMs: 300_001 }, 0)).toBeUndefined();
  });

  it('gives up after as many retries as the failure is worth', () => {
    expect([1, 2].map((attempt) => retryDelay(attempt, { mostRetries: 1 }, 0))).toEqual([1_000, undefined]);
    expect(retryDelay(MAX_RETRIES + 1, { mostRetries: 100 }, 0)).toBeUndefined();
  });

  it('gives up after the last retry', () => {
    expect(retryDelay(MAX_RETRIES, {}, 0)).toBe(30_000);
    expect(retryDelay(MAX_RETRIES + 1, {}, 0)).toBeUndefined();
  });
});
