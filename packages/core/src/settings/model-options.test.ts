import { expect, it } from 'vitest';
import { modelSettingsOf, requestOptionsOf } from './model-options.js';

const at = { origin: 'x' };

it('say which model it is and how it is asked, with its silence in milliseconds', () => {
  const values = {
    'model.name': { value: 'm', ...at },
    'model.headers': { value: { 'x-team': 'a' }, ...at },
    'model.maxOutputTokens': { value: 5, ...at },
    'model.reasoningEffort': { value: 'low', ...at },
    'model.extraBody': { value: { top_k: 3 }, ...at },
    'model.idleTimeout': { value: 900, ...at },
  } as const;
  expect(modelSettingsOf(values)).toEqual({ model: 'm', headers: { 'x-team': 'a' } });
  expect(requestOptionsOf(values)).toEqual({
    maxOutputTokens: 5,
    reasoningEffort: 'low',
    extraBody: { top_k: 3 },
    idleTimeoutMs: 900_000,
  });
});

it('say nothing where nothing is set', () => {
  expect([modelSettingsOf({}), requestOptionsOf({})]).toEqual([{}, {}]);
});
