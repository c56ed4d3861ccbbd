import { describe, expect, it } from 'vitest';
import { toJavaScriptPattern } from './javascript-pattern.js';

function matches(
  pattern: string,
  text: string,
  options: { multiline?: boolean; caseSensitive?: boolean } = {},
): boolean {
  const wanted = { pattern, caseSensitive: false, fixedStrings: false, multiline: false, ...options };
  const { general, plain, flags } = toJavaScriptPattern(wanted);
  if (typeof general !== 'string' || typeof plain !== 'string') return expect.fail('our own matcher is asked for');
  const found = new RegExp(general, flags).test(text);
  if (/^[\0-\x7f]*$/.test(text) && !text.includes('\r')) expect(new RegExp(plain, flags).test(text)).toBe(found);
  return found;
}

describe('toJavaScriptPattern', () => {
  it.each([
    ['\\Aab\\z', 'ab', true],
    ['\\Aab\\z', 'xab', false],
    ['a\\/b\\"c', 'a/b"c', true],
    ['[\\w\\-.]+@x', 'É-.@x', true],
    ['[]a]', ']', true],
    ['[^]a]', ']', false],
    ['[[:alpha:]_]', '_', true],
    ['[[:^alpha:]]', 'x', false],
    ['\\x{e9}', 'É', true],
    ['\\u{e9}', 'é', true],
    ['(?s)a', 'A', true],
    ['(?-i)a', 'A', false],
    ['\\bword\\b', 'a WORD b', true],
    ['\\bword\\b', 'aéword', false],
    ['\\<w', 'a w', true],
    ['d\\>', 'word', true],
    ['a{2}', 'aa', true],
    ['a{,2}b', 'b', true],
    ['{', '{', true],
    ['foo{', 'FOO{', true],
    ['(?i:a)B', 'AB', true],
    ['(?-i:a)B', 'Ab', false],
    ['(?-i:a)b', 'aB', true],
    ['(?-i:É)é', 'ÉÉ', true],
    ['(?-i:É)[^é]', 'Éé', false],
    ['(?-i:x)k', 'x\u212a', true],
    ['[a-z&&[^aeiou]]', 'e', false],
    ['[a-z&&[^aeiou]]', 'f', true],
    ['[\\w--\\d]', '5', false],
    ['[a-c~~b-e]', 'b', false],
    ['[a-c~~b-e]', 'e', true],
    ['\\pL', 'é', true],
    ['\\p{Greek}', 'λ', true],
    ['\\p{greek}', 'λ', true],
    ['\\P{Greek}', 'λ', false],
    ['\\p{^Greek}', 'λ', false],
    ['\\p{Lu}', 'a', true],
    ['(?-i)\\p{Uppercase_Letter}', 'a', false],
    ['(?x) a b # c', 'ab', true],
    // Blanks may stand between a counted repetition and what makes it lazy, but not behind another one.
    ['(?x) b{2} ?', 'b', false],
    ['(?x) b{2} # c\n ?', 'b', false],
    ['(?x) b{2} *', 'b', true],
    ['(?x) b+ ?', 'a', true],
    ['(?P<n>a)(?<m>b)', 'ab', true],
    ['(?P<n>a)\\k<n>', 'aa', true],
    ['(a)(?:b)\\1', 'aba', true],
    ['a(?=b)', 'ab', true],
    ['a(?!b)', 'ab', false],
    ['a$', 'a\r\n', true],
    ['^$', 'a\r\nb', false],
    ['a.b', 'a\nb', false],
    ['a[^x]b', 'a\nb', false],
    ['a\\Wb', 'a\nb', false],
    ['a**', 'b', true],
    ['\\b+a', 'a', true],
    ['[\\[\\]]', ']', true],
    ['[a-]', '-', true],
    ['[-a]', '-', true],
    ['[&~-]', '~', true],
    ['\\h', '\t', true],
    ['(?:l[^q])+', 'lx', true],
    ['(?:l[^q])+', 'lq', false],
    ['(?:l\\W)+', 'lx', false],
    ['(?:a.)+b', 'axb', true],
    ['(?=a)(?:ab^)+?', 'ab', false],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it('lets matches span lines where that is wanted', () => {
    expect(matches('a.b', 'a\nb', { multiline: true })).toBe(true);
    expect(matches('(?-s)a.b', 'a\nb', { multiline: true })).toBe(false);
    expect(matches('a\\nb', 'a\nb', { multiline: true })).toBe(true);
  });

  it('takes hyphens and brackets in sets that can only be meant literally', () => {
    expect([matches('^[\\w-.]+$', 'a-b.c'), matches('^[\\d-z]$', 'm'), matches('x[[]y', 'x[y')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('says of a line break what to do', () => {
    expect(() => matches('(?-u)foo\\n', '')).toThrow(
      'Invalid regular expression: \\n stands in no line\n  (?-u)foo\\n\n          ^\nSet multiline=true to search across lines.',
    );
  });

  it.each([
    ['(*sr:a)', '(*sr:…) is not supported without ripgrep\n  (*sr:a)\n  ^'],
    ['a(*scs:(1)b)', '(*scs:…) is not supported without ripgrep'],
  ])('says of %s that only ripgrep knows it', (pattern, message) => {
    expect(() => matches(pattern, '')).toThrow(message);
  });

  it('ends a line at \\Z, as ripgrep does', () => {
    const wanted = { caseSensitive: false, fixedStrings: false, multiline: false };
    expect(toJavaScriptPattern({ ...wanted, pattern: 'a\\Z' }).unit).toBe('line');
  });

  it.each([
    ['foo(bar', 'unclosed group\n  foo(bar\n     ^'],
    ['a{2,1}', 'invalid repetition count range, the start must be <= the end\n  a{2,1}\n   ^'],
    ['a|*', 'repetition operator missing expression\n  a|*\n    ^'],
    ['\\p{Nonsense}', 'Unicode property not found\n  \\p{Nonsense}\n  ^'],
    ['[z-a]', 'invalid character class range, the start must be <= the end\n  [z-a]\n   ^'],
    ['\\y', 'unrecognized escape sequence'],
  ])('refuses %s where it is wrong', (pattern, message) => {
    expect(() => matches(pattern, '')).toThrow(message);
  });
});
