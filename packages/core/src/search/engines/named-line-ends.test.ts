import { describe, expect, it } from 'vitest';
import { namesReturn, writtenLineFeed } from './named-line-ends.js';

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

describe('namesReturn', () => {
  const names = (pattern: string, how: object = {}): boolean =>
    namesReturn({ pattern, caseSensitive: false, fixedStrings: false, multiline: false, ...how });

  it.each([
    '\\r',
    'foo\\r?$',
    '\\x0d',
    '\\x{D}',
    '\\u000d',
    '\\U0000000D',
    '\\015',
    '\\cM',
    '\\o{15}',
    '\\N{U+d}',
    `${'(a)'.repeat(14)}\\15`,
    '[\\r]',
    '[ \\t\\r]+$',
    '[\\r\\n]',
    '[\\\\\\r]',
    '[\\x0a-\\x0d]',
    '(?<!\\r)$',
  ])('sees it in %s', (pattern) => {
    expect(names(pattern)).toBe(true);
  });

  it.each([
    'r',
    '\\\\r',
    '\\x0da'.replace('0d', 'd'),
    '\\s',
    '\\R',
    '[^\\r\\n]+$',
    '[\\\\r]',
    '[\\w--\\r]',
    '[\\s&&[^\\r]]',
    '[\\x00-\\x1f]',
    '\\Q\\r\\E',
    `${'(a)'.repeat(15)}\\15`,
  ])('sees none in %s', (pattern) => {
    expect(names(pattern)).toBe(false);
  });

  it('is not asked of texts, nor where matches may span lines', () => {
    expect([names('\\r', { fixedStrings: true }), names('\\r', { multiline: true })]).toEqual([false, false]);
  });
});
