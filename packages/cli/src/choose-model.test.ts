import { expect, it } from 'vitest';
import { localModelChoice, missingForModel, modelSettings, noModelMessage } from './choose-model.js';

it('lists the three ways to a model and the exact words for a local server', () => {
  const servers = [{ name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ["it's:7b", 'b'] }];
  const message = noModelMessage('/home/u/.tenon', servers, undefined);
  expect(message).toMatch(/1\. The environment.*OPENAI_BASE_URL/);
  expect(message).toContain('2. The settings in /home/u/.tenon/settings.json');
  expect(message).toContain('3. A server on this machine');
  expect(message).toContain(`OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL='it'\\''s:7b' tenon`);
  expect(noModelMessage('/h', [], undefined)).not.toContain('answers on this machine');
});

it('says what is missing beside what is set', () => {
  const at = { origin: 'x' };
  const sentences = (...args: Parameters<typeof missingForModel>): string => missingForModel(...args).join('\n');
  expect(sentences({}, undefined, { OPENAI_MODEL: 'm', ANTHROPIC_MODEL: ' ' })).toBe(
    'OPENAI_MODEL is set, but OPENAI_BASE_URL (any OpenAI-compatible endpoint) or OPENAI_API_KEY is missing.',
  );
  expect(sentences({}, undefined, { ANTHROPIC_BASE_URL: 'http://h' })).toContain('ANTHROPIC_API_KEY is missing');
  expect(sentences({ 'model.name': { value: 'x', ...at } }, undefined, {})).toContain(
    'the setting model.name names a model',
  );
  expect(sentences({}, 'x', {})).toContain('--model names a model');
  const byVariable = { 'model.apiKeyEnv': { value: 'MY_KEY', ...at } };
  expect(sentences(byVariable, undefined, {})).toContain('names MY_KEY, but that variable is not set');
  expect(sentences(byVariable, undefined, { MY_KEY: 'k' })).toBe('');
  expect(noModelMessage('/h', [], undefined, ['--model names a model.'])).toMatch(/^--model names a model\.\nNo model/);
});

it('prefers --model to the settings', () => {
  const values = { 'model.name': { value: 'a', origin: 'x' }, 'model.baseUrl': { value: 'http://h/v1', origin: 'x' } };
  expect(modelSettings(values, 'b')).toEqual({ model: 'b', baseUrl: 'http://h/v1' });
  expect(modelSettings(values, undefined)).toEqual({ model: 'a', baseUrl: 'http://h/v1' });
  expect(modelSettings({}, undefined)).toEqual({});
});

it('names no model for a local server that lists none', () => {
  expect(localModelChoice({ name: 'vLLM', baseUrl: 'http://h/v1', models: [] }, undefined)).not.toHaveProperty('model');
});
