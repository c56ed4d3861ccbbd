import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJavaScriptRegExp } from './javascript-pattern.js';
import { escapeLiteral, invalidPattern } from './pattern-problem.js';

describe('toJavaScriptRegExp', () => {
  it.each([
    ['\\Aab\\z', 'ab', true],
    ['\\Aab\\z', 'xab', false],
    ['a\\/b\\"c', 'a/b"c', true],
    ['[\\w\\-.]+@x', 'É-.@x', true],
    ['[]a]', ']', true],
    ['[^]a]', ']', false],
    ['[[:alpha:]_]', '_', true],
    ['\\x{e9}', 'É', true],
    ['(?s)a', 'A', true],
    ['\\bword\\b', 'a WORD b', true],
    ['a{2}', 'aa', true],
    ['{', '{', true],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(toJavaScriptRegExp(pattern).test(text)).toBe(expected);
  });

  it('finds any text by its escaped form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        expect(toJavaScriptRegExp(escapeLiteral(text)).test(`before ${text} after`)).toBe(true);
      }),
    );
  });

  it('refuses what JavaScript cannot say instead of reading it differently', () => {
    expect(() => toJavaScriptRegExp('(?x) a b')).toThrow('Invalid regular expression');
  });

  it('refuses with the place and the escaped text', () => {
    expect(() => toJavaScriptRegExp('foo(bar')).toThrow(
      'Invalid regular expression: unclosed group\n  foo(bar\n     ^\nTo search for the text itself, escape it: foo\\(bar',
    );
  });
});

describe('invalidPattern', () => {
  it('points where the engine points when the brackets are balanced', () => {
    expect(invalidPattern('a{2,1}', 'bad range', 1).message).toContain('bad range\n  a{2,1}\n   ^\n');
  });
});
