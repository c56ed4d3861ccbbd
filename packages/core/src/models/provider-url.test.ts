import { describe, expect, it } from 'vitest';
import { ModelError } from './model-error.js';
import { endpointUrl, shownUrl } from './provider-url.js';

const CHAT = { version: 'v1', path: 'chat/completions' };

describe('endpointUrl', () => {
  it.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1/chat/completions'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1/chat/completions'],
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1/chat/completions'],
    [' http://127.0.0.1:11434/v1/ ', 'http://127.0.0.1:11434/v1/chat/completions'],
    ['https://host.example/v1/chat/completions', 'https://host.example/v1/chat/completions'],
    ['https://host.example/v1//', 'https://host.example/v1/chat/completions'],
    ['https://openrouter.example/api/v1', 'https://openrouter.example/api/v1/chat/completions'],
    ['https://host.example/api/paas/v4/', 'https://host.example/api/paas/v4/chat/completions'],
    ['https://host.example/v1beta/openai/', 'https://host.example/v1beta/openai/chat/completions'],
    ['https://gateway.example/llm', 'https://gateway.example/llm/v1/chat/completions'],
    [
      'https://x.example/openai/deployments/d?api-version=2024-10-21',
      'https://x.example/openai/deployments/d/chat/completions?api-version=2024-10-21',
    ],
  ])('makes an endpoint of %s', (baseUrl, expected) => {
    expect(endpointUrl(baseUrl, CHAT)).toBe(expected);
  });

  it('puts another version and path for other providers', () => {
    expect(endpointUrl('https://host.example/anthropic', { version: 'v1', path: 'messages' })).toBe(
      'https://host.example/anthropic/v1/messages',
    );
    expect(endpointUrl('https://host.example/v1beta', { version: 'v1beta', path: 'models/m:go' })).toBe(
      'https://host.example/v1beta/models/m:go',
    );
  });

  it.each(['', 'localhost:8080', 'file:///etc/passwd', 'https://user:hunter2@host.example/v1'])(
    'refuses %j without repeating it',
    (baseUrl) => {
      const call = (): string => endpointUrl(baseUrl, CHAT);
      expect(call).toThrow(ModelError);
      expect(call).toThrow(/base URL/);
      expect(call).not.toThrow(/hunter2/);
    },
  );
});

describe('shownUrl', () => {
  it('leaves the query out, which may hold a key', () => {
    expect(shownUrl('https://host.example/v1/x?key=secret#y')).toBe('https://host.example/v1/x');
  });
});
