import { expect, it } from 'vitest';
import type { AgentEvent } from './events.js';
import { UsageMeter } from './session-usage.js';

const answer = (
  inputTokens: number,
  outputTokens: number,
  cachedInputTokens?: number,
  cacheWriteTokens?: number,
): AgentEvent => ({
  type: 'assistant-message',
  content: [],
  finish: 'stop',
  usage: {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  },
});
const compaction: AgentEvent = {
  type: 'compaction',
  trigger: 'auto',
  plan: { droppedResults: [] },
  tokensBefore: 2,
  tokensAfter: 1,
  told: [],
  usage: { inputTokens: 1000, outputTokens: 10 },
};

it('adds up answers and summaries, and what they cost', () => {
  const meter = new UsageMeter('openai m', { input: 10, output: 100, cachedInput: 1 });
  expect(meter.usage()).toEqual({
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    requests: 0,
    cost: 0,
  });
  meter.note(answer(10_000, 1000, 4000));
  meter.note(compaction);
  const usage = meter.usage();
  expect(usage).toMatchObject({ inputTokens: 11_000, cachedInputTokens: 4000, outputTokens: 1010, requests: 2 });
  expect(usage.cost).toBeCloseTo(0.06 + 0.004 + 0.1 + 0.01 + 0.001, 10);
});

it('knows no cost without prices, nor once another model without any was asked', () => {
  const meter = new UsageMeter('a', undefined);
  meter.note(answer(10, 1));
  expect(meter.usage()).not.toHaveProperty('cost');
  meter.setPrices('a', { input: 1, output: 1 });
  expect(meter.usage().cost).toBeCloseTo(11e-6, 12);
  meter.note({ type: 'model-change', model: 'b' });
  expect(meter.usage()).not.toHaveProperty('cost');
  meter.setPrices('b', { input: 2, output: 2 });
  meter.note(answer(10, 1));
  expect(meter.usage().cost).toBeCloseTo(33e-6, 12);
});

it('counts what was written to the cache at a price of its own', () => {
  const meter = new UsageMeter('a', { input: 1, output: 0, cachedInput: 0.1, cacheWrite: 1.25 });
  meter.note(answer(1_000_000, 0, 500_000, 400_000));
  expect(meter.usage().cacheWriteTokens).toBe(400_000);
  expect(meter.usage().cost).toBeCloseTo(0.1 + 0.05 + 0.5, 10);
});

it('counts cached input at the price of input where no other is known', () => {
  const meter = new UsageMeter('a', { input: 1, output: 0 });
  meter.note(answer(1_000_000, 0, 500_000));
  expect(meter.usage().cost).toBe(1);
});
