import { describe, expect, it } from 'vitest';
import { writtenLineFeed } from './line-feeds.js';

describe('writtenLineFeed', () => {
  it.each([
    ['foo\\nbar', '\\n'],
    ['foo\\x0abar', '\\x0a'],
    ['\\x{a}', '\\x{a}'],
    ['\\x{ 000A }', '\\x{ 000A }'],
    ['\\xa', '\\xa'],
    ['\\u{a}', '\\u{a}'],
    ['\\u000A', '\\u000A'],
    ['\\U0000000a', '\\U0000000a'],
    ['\\012', '\\012'],
    ['(a)\\12', '\\12'],
    ['\\o{12}', '\\o{12}'],
    ['\\cj', '\\cj'],
    ['\\N{U+0a}', '\\N{U+0a}'],
    ['a[\\n]', '[\\n]'],
    ['[\\n\\x0a]+', '[\\n\\x0a]'],
    ['[\\n-\\n]', '[\\n-\\n]'],
    ['[[\\n]]', '[[\\n]]'],
    ['[\\12]', '[\\12]'],
    ['[^a]\\n', '\\n'],
    ['(?=a)\\n?', '\\n'],
  ])('finds it in %s', (pattern, written) => {
    expect(writtenLineFeed(pattern)).toBe(written);
  });

  it.each([
    '\\\\n',
    '\\x0b',
    '\\xab',
    '\\x{aa}',
    '\\u00a0',
    '\\120',
    '\\123',
    `${'(a)'.repeat(12)}\\12`,
    '[\\r\\n]',
    '[^\\n]',
    '[\\n-]',
    '[\\n\\s]',
    '\\N',
    '\\N{2}',
    '\\R',
    '\\Q\\n\\E',
    '(?s).',
    '\\ca',
  ])('finds none in %s', (pattern) => {
    expect(writtenLineFeed(pattern)).toBeUndefined();
  });
});
