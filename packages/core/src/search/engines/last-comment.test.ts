import { describe, expect, it } from 'vitest';
import { withoutLastComment } from './last-comment.js';

describe('withoutLastComment', () => {
  it.each([
    ['(?x) foo # a (comment', '(?x) foo '],
    ['(?ix) foo # one\n bar # two', '(?ix) foo # one\n bar '],
    ['(?x:foo # one\n) (?x) # two', '(?x:foo # one\n) (?x) '],
    ['(?x) (a # b\n) # c', '(?x) (a # b\n) '],
    ['(?x) [#] \\# # c', '(?x) [#] \\# '],
  ])('leaves out what means nothing: %j', (pattern, rest) => {
    expect(withoutLastComment(pattern)).toBe(rest);
  });

  it.each([
    'foo # bar',
    '(?x) foo',
    '(?x) [#]',
    '(?x) \\#',
    '(?x:foo) # bar',
    '(?x-x) # a',
    '(?x) a (?-x) # a',
    '\\(?x #',
  ])('leaves everything else as it is: %s', (pattern) => {
    expect(withoutLastComment(pattern)).toBe(pattern);
  });
});
