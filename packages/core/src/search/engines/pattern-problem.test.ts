import { describe, expect, it } from 'vitest';
import { escapeLiteral, invalidPattern, LINE_BREAK_REFUSED, patternTooLarge, TOO_DEEP } from './pattern-problem.js';

describe('invalidPattern', () => {
  it.each([
    ['(foo', 'unclosed group', '\n  (foo\n  ^\n'],
    ['a)b', 'unopened group', '\n  a)b\n   ^\n'],
    ['x[a-', 'unclosed character class', '\n  x[a-\n   ^\n'],
    ['[[:alpha:](', 'unclosed character class', '\n  [[:alpha:](\n  ^\n'],
    ['a\\', 'the backslash at the end escapes nothing', '\n  a\\\n   ^\n'],
    ['\\(((a)', 'unclosed group', '\n  \\(((a)\n    ^\n'],
    ['é😀\\p', '\\p wants the name of a Unicode property behind it', '\n  é😀\\p\n    ^\n'],
    ['\\Q(\\E(', 'unclosed group', '\n  \\Q(\\E(\n       ^\n'],
  ])('finds what is wrong with the brackets of %s', (pattern, reason, pointer) => {
    const failure = invalidPattern(pattern, 'as the engine says', 1);
    expect(failure.code).toBe('invalid_pattern');
    expect(failure.message).toContain(`Invalid regular expression: ${reason}${pointer}`);
    expect(failure.message).toContain(`escape it: ${escapeLiteral(pattern)}`);
  });

  it('points at the place that the engine tells where the brackets are right', () => {
    expect(invalidPattern('ab{2,1}', 'numbers out of order', 2).message).toBe(
      'Invalid regular expression: numbers out of order\n  ab{2,1}\n    ^\nTo search for the text itself, escape it: ab\\{2,1\\}',
    );
  });

  it('does not offer to search for the text of a line break', () => {
    expect(invalidPattern('a\\nb', LINE_BREAK_REFUSED, 1).message).toBe(
      'Invalid regular expression: \\n stands in no line\n  a\\nb\n   ^\nSet multiline=true to search across lines.',
    );
  });

  it.each([
    [TOO_DEEP, 'Write the pattern with fewer of them, or search for a part of it.'],
    ['\\X is not supported without ripgrep', 'Write the pattern without it, or install ripgrep.'],
  ])('says what to do where %s', (reason, advice) => {
    expect(invalidPattern('(a)', reason, undefined).message).toBe(`Invalid regular expression: ${reason}\n${advice}`);
  });

  it('points below characters, not code units, and within the line of the place', () => {
    expect(invalidPattern('😀\n\té😀{2,1}', 'bad', 7).message).toContain('\n   é😀{2,1}\n     ^\n');
  });

  it('shows the surroundings of the place in a long pattern', () => {
    const { message } = invalidPattern(`${'a'.repeat(5000)}{2,1}${'b'.repeat(5000)}`, 'bad', 5000);
    expect(message.length).toBeLessThan(500);
    expect(message).toMatch(/\n {2}…a{100}\{2,1\}b{95}…\n {103}\^\nCorrect the pattern\.$/);
  });
});

describe('patternTooLarge', () => {
  it('says what to do', () => {
    expect(patternTooLarge('it takes 12 GB')).toMatchObject({
      code: 'invalid_pattern',
      message: expect.stringContaining('smaller repetition counts') as string,
    });
  });
});
