import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerError, providerMessage, redact, retryAfterMs } from './provider-error.js';

const NOW = Date.UTC(2026, 0, 1);

const headers =
  (values: Record<string, string>) =>
  (name: string): string | undefined =>
    values[name];

function failure(status: number | undefined, body: string): ReturnType<typeof providerError> {
  return providerError({
    ...(status === undefined ? {} : { status }),
    body,
    url: 'http://host/v1',
    secrets: ['sk-1234'],
  });
}

describe('providerError', () => {
  it.each([
    [400, '{"error":{"message":"bad"}}', 'bad-request', false],
    [
      400,
      '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]',
      'auth',
      false,
    ],
    [401, '{"error":{"message":"no"}}', 'auth', false],
    [403, '', 'auth', false],
    [404, '{"error":"model not found"}', 'bad-request', false],
    [408, '', 'server', true],
    [413, '', 'context-length', false],
    [429, '{"error":{"message":"slow down"}}', 'rate-limit', true],
    [429, '{"error":{"message":"pay","code":"insufficient_quota"}}', 'auth', false],
    [500, '{"error":{"message":"context window cache failed"}}', 'server', true],
    [503, '<html><title>Bad gateway</title></html>', 'server', true],
    [529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'server', true],
    [400, '{"error":{"message":"x","code":"context_length_exceeded"}}', 'context-length', false],
    [400, '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}', 'context-length', false],
    [
      400,
      '{"error":{"message":"the request exceeds the available context size, try increasing it"}}',
      'context-length',
      false,
    ],
    [400, '[{"error":{"code":400,"message":"The input token count exceeds the maximum"}}]', 'context-length', false],
  ])('reads status %s with %s as %s', (status, body, kind, retryable) => {
    const error = failure(status, body);
    expect(error.info).toMatchObject({ kind, status });
    expect(error.retryable).toBe(retryable);
  });

  it.each([
    ["This model's maximum context length is 128,000 tokens. However", 128_000],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    ['The input token count exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['the request exceeds the available context size (4096 tokens), try increasing it', 4096],
    ['prompt is too long', undefined],
  ])('reads how long a request may be of %j', (message, tokens) => {
    const body = JSON.stringify({ error: { message } });
    expect(failure(400, body).info.contextWindow).toBe(tokens);
  });

  it('reads the field that llama.cpp has for it, and nothing of other errors', () => {
    const error = { message: 'exceeds the available context size', n_prompt_tokens: 9000, n_ctx: 8192 };
    expect(failure(400, JSON.stringify({ error })).info.contextWindow).toBe(8192);
    const other = { message: 'a limit of 8192 was hit' };
    expect(failure(500, JSON.stringify({ error: other })).info).not.toHaveProperty('contextWindow');
  });

  it.each([
    ['{"error":{"type":"rate_limit_error","message":"x"}}', 'rate-limit'],
    ['{"error":{"type":"overloaded_error","message":"x"}}', 'server'],
    ['{"error":{"type":"authentication_error","message":"x"}}', 'auth'],
    ['{"error":{"type":"invalid_request_error","message":"x"}}', 'bad-request'],
    ['{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED"}}', 'rate-limit'],
    ['{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}', 'server'],
    ['{"error":{"message":"maximum context length is 8192 tokens"}}', 'context-length'],
    ['{"error":"something"}', 'server'],
  ])('reads an error event %s without a status as %s', (body, kind) => {
    expect(failure(undefined, body).info.kind).toBe(kind);
  });

  it('says the provider’s words, the address and the next step', () => {
    expect(failure(404, '{"error":{"message":"no model x"}}').message).toBe(
      'The model at http://host/v1 answered 404: no model x. Check the model name and the base URL.',
    );
    expect(failure(500, '').message).toBe('The model at http://host/v1 answered 500.');
  });

  it('never repeats a secret', () => {
    expect(failure(401, '{"error":{"message":"bad key sk-1234!"}}').message).toContain('bad key ***!');
  });
});

describe('providerMessage', () => {
  it('cuts long words, folds white space and never halves a character', () => {
    const message = providerMessage(
      JSON.stringify({ error: { message: `${'a \n'.repeat(249)}x😀${'b'.repeat(900)}` } }),
    );
    expect(message.length).toBeLessThanOrEqual(501);
    expect(Buffer.from(message, 'utf8').toString('utf8')).toBe(message);
    expect(message).not.toContain('\n');
  });

  it.each([
    ['{"detail":"Not Found"}', 'Not Found'],
    ['{"detail":[{"msg":"field required"}]}', 'field required'],
    ['{"message":"hello"}', 'hello'],
    ['plain words', 'plain words'],
    ['<!doctype html><head><title> 502 Bad\nGateway </title>', '502 Bad Gateway'],
    ['<html><body>no title</body></html>', ''],
    ['{}', ''],
  ])('finds the words in %s', (body, words) => {
    expect(providerMessage(body)).toBe(words);
  });
});

describe('redact', () => {
  it('takes out a secret with and without its scheme', () => {
    expect(redact('got "Bearer abc" and abc', ['Bearer abc'])).toBe('got "***" and ***');
    expect(redact('nothing', ['', ' '])).toBe('nothing');
  });
});

describe('retryAfterMs', () => {
  it('reads seconds and dates of any distance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (seconds) => {
        const date = new Date(NOW + seconds * 1000).toUTCString();
        expect(retryAfterMs(headers({ 'retry-after': String(seconds) }), NOW)).toBe(seconds * 1000);
        expect(retryAfterMs(headers({ 'retry-after': date }), NOW)).toBe(seconds * 1000);
      }),
    );
  });

  it.each([
    ['Wed, 01 Jan 2020 00:00:00 GMT', 0],
    ['1.5', 1500],
    ['soon', undefined],
    ['-5', undefined],
    ['', undefined],
  ])('reads %j as %s', (value, expected) => {
    expect(retryAfterMs(headers({ 'retry-after': value }), NOW)).toBe(expected);
  });

  it('prefers milliseconds and answers nothing without a header', () => {
    expect(retryAfterMs(headers({ 'retry-after': '9', 'retry-after-ms': '250' }), NOW)).toBe(250);
    expect(retryAfterMs(headers({}), NOW)).toBeUndefined();
  });
});
