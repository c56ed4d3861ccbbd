import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cachePositions, takesCachePoints } from './cache-points.js';

const messages = (roles: string): { role: string }[] =>
  Array.from(roles, (letter) => ({ role: letter === 'a' ? 'assistant' : 'user' }));

describe('where a cache is told to hold', () => {
  it.each([
    ['', []],
    ['u', [0]],
    ['uau', [0, 2]],
    ['uauuau', [3, 5]],
    // An answer that was cut off is the end.
    ['uaua', [0, 2]],
    ['a', []],
  ])('%j: %j', (roles, positions) => {
    expect(cachePositions(messages(roles))).toEqual(positions);
  });

  it('is always where the request before had one, so that what it cached is found', () => {
    const turn = fc.constantFrom('au', 'auu', 'aau');
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), turn, (before, next) => {
        const first = messages(`u${before.join('')}`);
        const second = messages(`u${before.join('')}${next}`);
        expect(cachePositions(second)).toContain(first.length - 1);
        expect(cachePositions(first)).toContain(first.length - 1);
      }),
    );
  });

  it.each([
    ['dashscope.aliyuncs.com', 'qwen3-coder-plus', true],
    ['dashscope-intl.aliyuncs.com', 'qwen3-max', true],
    ['coding-intl.dashscope.aliyuncs.com', 'qwen3-coder-plus', true],
    ['abc.ap-southeast-1.maas.aliyuncs.com', 'qwen4', true],
    ['dashscope.aliyuncs.com', 'glm-5', false],
    ['dashscope.aliyuncs.com.example.org', 'qwen3-max', false],
    ['openrouter.ai', 'anthropic/claude-sonnet-5', true],
    ['openrouter.ai', 'qwen/qwen3-coder', true],
    ['openrouter.ai', 'openai/gpt-5', false],
    ['api.openai.com', 'qwen', false],
    ['127.0.0.1', 'qwen3-coder', false],
  ])('is told to %s for %s: %j', (hostname, model, takes) => {
    expect(takesCachePoints(hostname, model)).toBe(takes);
  });
});
