import { describe, expect, it } from 'vitest';
import { resolveModelChoice } from './model-settings.js';

describe('resolveModelChoice', () => {
  it('finds nothing in nothing, empty values included', () => {
    expect(resolveModelChoice({ settings: {}, environment: {} })).toBeUndefined();
    const environment = {
      OPENAI_API_KEY: '',
      ANTHROPIC_API_KEY: '  ',
      OPENAI_MODEL: 'm',
      ANTHROPIC_BASE_URL: 'http://x',
    };
    expect(resolveModelChoice({ settings: { model: 'm' }, environment })).toBeUndefined();
  });

  it('takes a base URL without a key for a local server', () => {
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1', OPENAI_MODEL: 'qwen' };
    expect(resolveModelChoice({ settings: {}, environment })).toEqual({
      provider: { value: 'openai', origin: 'environment OPENAI_BASE_URL' },
      baseUrl: { value: 'http://127.0.0.1:11434/v1', origin: 'environment OPENAI_BASE_URL' },
      model: { value: 'qwen', origin: 'environment OPENAI_MODEL' },
      auth: 'bearer',
    });
  });

  it('goes by OPENAI_*, then ANTHROPIC_*, then GEMINI_*', () => {
    const all = { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' };
    const providerOf = (environment: Record<string, string>): string | undefined =>
      resolveModelChoice({ settings: {}, environment })?.provider.value;
    expect(providerOf(all)).toBe('openai');
    expect(providerOf({ ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' })).toBe('anthropic');
    expect(providerOf({ GEMINI_API_KEY: 'g' })).toBe('gemini');
    expect(providerOf({ GOOGLE_API_KEY: 'g' })).toBe('gemini');
  });

  it('sends ANTHROPIC_AUTH_TOKEN as a bearer, and ANTHROPIC_API_KEY as a key', () => {
    const choice = (environment: Record<string, string>): unknown => {
      const found = resolveModelChoice({ settings: {}, environment });
      return [found?.auth, found?.apiKey];
    };
    expect(choice({ ANTHROPIC_AUTH_TOKEN: 't' })).toEqual([
      'bearer',
      { value: 't', origin: 'environment ANTHROPIC_AUTH_TOKEN' },
    ]);
    expect(choice({ ANTHROPIC_AUTH_TOKEN: 't', ANTHROPIC_API_KEY: 'k' })).toEqual([
      'key',
      { value: 'k', origin: 'environment ANTHROPIC_API_KEY' },
    ]);
  });

  it('lets each setting win over its variable, and says where each value came from', () => {
    const environment = { GEMINI_API_KEY: 'g', GOOGLE_GEMINI_BASE_URL: 'http://env', GEMINI_MODEL: 'env-model' };
    const settings = { provider: 'gemini', model: 'mine', headers: { 'x-team': 'a' } } as const;
    expect(resolveModelChoice({ settings, environment })).toEqual({
      provider: { value: 'gemini', origin: 'settings' },
      model: { value: 'mine', origin: 'settings' },
      baseUrl: { value: 'http://env', origin: 'environment GOOGLE_GEMINI_BASE_URL' },
      apiKey: { value: 'g', origin: 'environment GEMINI_API_KEY' },
      headers: { value: { 'x-team': 'a' }, origin: 'settings' },
      auth: 'key',
    });
  });

  it('takes the provider of the settings although another is set in the environment', () => {
    const environment = { OPENAI_API_KEY: 'o', OPENAI_BASE_URL: 'http://o' };
    const choice = resolveModelChoice({ settings: { provider: 'anthropic', apiKey: 'k' }, environment });
    expect(choice?.provider).toEqual({ value: 'anthropic', origin: 'settings' });
    expect(choice?.baseUrl).toBeUndefined();
    expect(choice?.model?.origin).toBe('default');
  });

  it('reads the key from the variable that the settings name, and from no other', () => {
    const settings = { baseUrl: 'https://host.example/v1', apiKeyEnv: 'MY_KEY' };
    const found = resolveModelChoice({ settings, environment: { MY_KEY: 'm', OPENAI_API_KEY: 'o' } });
    expect(found?.provider).toEqual({ value: 'openai', origin: 'default' });
    expect(found?.apiKey).toEqual({ value: 'm', origin: 'environment MY_KEY' });
    expect(resolveModelChoice({ settings, environment: { OPENAI_API_KEY: 'o' } })?.apiKey).toBeUndefined();
  });

  it('understands a vendor’s model name, unless a gateway may serve it', () => {
    const environment = { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' };
    const settings = { model: 'claude-x' };
    expect(resolveModelChoice({ settings, environment })?.provider.value).toBe('anthropic');
    const gateway = { ...environment, OPENAI_BASE_URL: 'http://gateway' };
    expect(resolveModelChoice({ settings, environment: gateway })?.provider.value).toBe('openai');
  });

  it('never pairs the settings’ key of one vendor with another', () => {
    const environment = { OPENAI_API_KEY: 'o' };
    const choice = resolveModelChoice({ settings: { model: 'claude-x', apiKey: 'a' }, environment });
    expect(choice?.provider.value).toBe('anthropic');
    expect(choice?.apiKey?.value).toBe('a');
    expect(resolveModelChoice({ settings: { apiKey: 'k' }, environment: {} })?.provider.value).toBe('openai');
  });
});
