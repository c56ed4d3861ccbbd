import { expect, it } from 'vitest';
import { keyAdvice } from './key-advice.js';
import { resolveModelChoice, type ModelSettings } from './model-settings.js';

/** What is told where the endpoint refuses the key. */
function adviceFor(settings: ModelSettings, environment: Record<string, string> = {}): string {
  const choice = resolveModelChoice({ settings: { baseUrl: 'http://127.0.0.1:9', ...settings }, environment });
  if (choice === undefined) throw new Error('nothing chosen');
  return keyAdvice(choice);
}

it('names the variable or the setting that the refused key is from (S139)', () => {
  const key = 'k-0123456789';
  expect(adviceFor({ provider: 'anthropic' }, { ANTHROPIC_AUTH_TOKEN: key })).toBe(
    'The key is that of ANTHROPIC_AUTH_TOKEN: check it and the account.',
  );
  expect(adviceFor({ apiKeyEnv: 'MINE' }, { MINE: key, OPENAI_API_KEY: key })).toContain('that of MINE:');
  expect(adviceFor({ apiKeyCommand: 'pass show x' })).toContain('the command of model.apiKeyCommand printed');
  expect(adviceFor({ apiKey: key })).toBe('Check the API key and the account.');
});

it('names what to set where no key was sent, for each provider', () => {
  for (const [provider, name] of [
    ['openai', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['gemini', 'GEMINI_API_KEY'],
  ] as const)
    expect(adviceFor({ provider })).toBe(
      `No key was sent. Set ${name}, or the setting model.apiKeyEnv or model.apiKeyCommand.`,
    );
  expect(adviceFor({ apiKeyEnv: 'MINE' }, { OPENAI_API_KEY: 'k' })).toBe(
    'No key was sent. Set MINE, which the setting model.apiKeyEnv names.',
  );
  expect(adviceFor({ headers: { 'x-key': 'k' } })).toContain('No key was sent but what model.headers holds. Set');
});
