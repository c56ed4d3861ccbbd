import { expect, it } from 'vitest';
import { mergeBody } from './merge-body.js';
import { anthropicEffort, geminiEffort, openAiEffort, REASONING_EFFORTS } from './reasoning-effort.js';

const LIMIT = 32_000;
const adaptive = (effort: string): object => ({ thinking: { type: 'adaptive' }, output_config: { effort } });
const budget = (tokens: number): object => ({ thinking: { type: 'enabled', budget_tokens: tokens } });

it('is left out where nobody set it', () => {
  expect([
    openAiEffort(undefined),
    anthropicEffort(undefined, 'claude-opus-5', LIMIT),
    geminiEffort(undefined, 'x'),
  ]).toEqual([{}, {}, {}]);
});

it.each(REASONING_EFFORTS)('%s is the server’s own word in a chat completion', (effort) => {
  expect(openAiEffort(effort)).toEqual({ reasoning_effort: effort });
});

it.each([
  ['claude-opus-4-6', 'minimal', adaptive('low')],
  ['claude-sonnet-5-5', 'medium', adaptive('medium')],
  ['claude-opus-5-20270101', 'max', adaptive('max')],
  ['anthropic/claude-haiku-4.7', 'xhigh', adaptive('xhigh')],
  ['claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
  ['claude-opus-4-20250514', 'low', budget(4_096)],
  ['claude-sonnet-4-5-20250929', 'high', budget(16_000)],
  ['claude-3-7-sonnet-latest', 'minimal', budget(1_024)],
  ['glm-4.7', 'max', budget(16_000)],
] as const)('of %s at %s in a Messages request', (model, effort, fields) => {
  expect(anthropicEffort(effort, model, LIMIT)).toEqual(fields);
});

it('leaves an answer of Claude that is too short for thinking without it', () => {
  expect(anthropicEffort('high', 'claude-sonnet-4-5', 2_000)).toEqual({});
  expect(anthropicEffort('high', 'claude-sonnet-4-5', 2_048)).toEqual(budget(1_024));
});

it.each([
  ['gemini-2.5-pro', 'low', { thinkingBudget: 4_096 }],
  ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
  ['gemini-3-pro-preview', 'low', { thinkingLevel: 'low' }],
  ['gemini-3.1-flash', 'none', { thinkingLevel: 'minimal' }],
  ['gemini-pro-latest', 'max', { thinkingLevel: 'high' }],
] as const)('of %s at %s in a request to Gemini', (model, effort, fields) => {
  expect(geminiEffort(effort, model)).toEqual(fields);
});

it('an extra body is merged object by object; null takes a field away', () => {
  const own = {
    model: 'm',
    stream_options: { include_usage: true },
    generationConfig: { maxOutputTokens: 1, a: { b: 1 } },
  };
  const more = { stream_options: null, generationConfig: { temperature: 0, a: { c: 2 } }, stop: ['x'], absent: null };
  expect(mergeBody(own, more)).toEqual({
    model: 'm',
    generationConfig: { maxOutputTokens: 1, temperature: 0, a: { b: 1, c: 2 } },
    stop: ['x'],
  });
  expect(mergeBody(own, undefined)).toEqual(own);
});
