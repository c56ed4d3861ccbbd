import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { toJavaScriptPattern } from '../javascript/javascript-pattern.js';
import { greedyBytes } from './greedy-bytes.js';
import { safePattern } from './safe-pattern.js';

const greedyIn = (
  pattern: string,
  how: { fixedStrings?: boolean; multiline?: boolean } = {},
): readonly string[] | undefined =>
  safePattern({ pattern, caseSensitive: false, fixedStrings: false, multiline: false, ...how })?.greedy;
const safety = (...wanted: Parameters<typeof greedyIn>): string => {
  const greedy = greedyIn(...wanted);
  if (greedy === undefined) return 'unsafe';
  return greedy.length === 0 ? 'bounded' : 'linewise';
};

const BOUNDED = [
  'foo',
  'foo bar: "x"',
  'größe|Λόγος|мир|数',
  'foo\\(bar\\)\\.baz',
  '^import .{0,100};$',
  '(a|b)?c',
  '[A-Z][a-z]{2}\\d',
  '[^"]\\bfoo\\b',
  '[a-c_-]',
  '(?:get|set)[ \\t]x',
  '(?i)Foo',
  '<div>',
  'x-y',
  '\\w{100}',
];
const LINEWISE = [
  'function\\s+\\w+Handler\\(',
  'foo.*bar',
  'a{2,}',
  '(?:ab)+c',
  'import (.*) from|require\\(.+?\\)',
  '[^/]*/x',
];
const UNSAFE = [
  '',
  'a|',
  '(a|b',
  'a)',
  '(?=a)b',
  '(a)\\1',
  '\\p{L}',
  '\\x41',
  'foo(?i)bar',
  '(?P<n>a)',
  '(a+)+b',
  '(a|ab)*c',
  '(a?){3}',
  'a{101}',
  'a{3,2}',
  'a**',
  'a+?+',
  '^*a',
  '\\b+',
  '*a',
  '{',
  'a{,3}',
  'a]',
  'a}',
  '[[:alpha:]]',
  '[a&&b]',
  '[z-a]',
  '[a-\\d]',
  '[]a]',
  '[\\b]',
  '\\<a',
  '\\Aa',
  '\\',
  'a\nb',
  'a\rb',
  'a\0b',
  'K\u212a',
  'ſ',
  '\ud800',
  '😀',
  'a'.repeat(501),
];

describe('which patterns are searched by threads', () => {
  it.each(BOUNDED)('%s is bounded', (pattern) => expect(safety(pattern)).toBe('bounded'));
  it.each(LINEWISE)('%s goes through a line', (pattern) => expect(safety(pattern)).toBe('linewise'));
  it.each(UNSAFE)('%j is left to ripgrep', (pattern) => expect(safety(pattern)).toBe('unsafe'));

  it.each([
    ['function\\s+\\w+Handler\\(', /[\s\w]/],
    ['foo.*bar', /./s],
    ['a{2,}|[^/]*/x', /[^/]/],
    ['K+', /k/i],
    ['[\\s,]+x?', /[\s,]/],
    ['(?:ab)+c', /./s],
  ])('knows what %s repeats without end', (pattern, characters) => {
    const table = greedyBytes(greedyIn(pattern) ?? []);
    const ascii = Array.from({ length: 128 }, (_, code) => (characters.test(String.fromCharCode(code)) ? 1 : 0));
    expect(Array.from(table ?? [])).toEqual([...ascii, ...Array.from({ length: 128 }, () => 1)]);
    expect(greedyBytes(greedyIn('a?b{3}') ?? [])).toBeUndefined();
  });

  it.each([
    ['function\\s+\\w+Handler\\(', 64],
    ['(ab|c)?d', 16],
    ['a{2,5}b', 24],
    ['^\\ba*b{3,}', 0],
    ['(?:ab)+c', 4],
  ])('knows how many bytes %s matches besides', (pattern, bytes) => {
    const wanted = { pattern, caseSensitive: false, fixedStrings: false, multiline: false };
    expect(safePattern(wanted)?.otherBytes).toBe(bytes);
    expect(safePattern({ ...wanted, fixedStrings: true })?.otherBytes).toBe(4 * pattern.length);
  });

  it('takes any plain text as it stands, and nothing across lines', () => {
    expect(safety('(a+)+*[', { fixedStrings: true })).toBe('bounded');
    expect(safety('a\nb', { fixedStrings: true })).toBe('unsafe');
    expect(safety('foo', { multiline: true })).toBe('unsafe');
  });

  it.each([...BOUNDED, ...LINEWISE])('%s is taken by both engines', (pattern) => {
    const args = ['--no-config', '--crlf', '-i', '--engine=default', '-e', pattern, '-'];
    expect(spawnSync(rgPath, args, { input: '' }).status).toBe(1);
    expect(() =>
      toJavaScriptPattern({ pattern, caseSensitive: false, fixedStrings: false, multiline: false }),
    ).not.toThrow();
  });

  it('folds the case of every letter as ripgrep does', () => {
    const cased: string[] = [];
    for (let code = 0x41; code < 0xd7a4; code++) {
      const character = String.fromCharCode(code);
      if (/\p{Changes_When_Casemapped}/u.test(character) && safety(character) === 'bounded') cased.push(character);
    }
    const all: string[] = [];
    for (let code = 0x20; code < 0x1ffff; code++)
      if (/\p{Changes_When_Casemapped}/u.test(String.fromCodePoint(code))) all.push(String.fromCodePoint(code));
    const input = `${all.join('\n')}\n`;
    // Letters that stand far apart in the alphabet have no case in common: a wrong one shows itself.
    for (let start = 0; start < 64; start++) {
      const pattern = cased.filter((_, index) => index % 64 === start).join('|');
      const wanted = { pattern, caseSensitive: false, fixedStrings: false, multiline: false };
      const run = spawnSync(rgPath, ['--no-config', '--crlf', '-i', '-e', pattern, '-'], { input, encoding: 'utf8' });
      const { general, flags } = toJavaScriptPattern(wanted);
      const expression = typeof general === 'string' ? general : expect.fail('no expression of JavaScript');
      const found = all.filter((character) => new RegExp(expression, flags).test(character));
      expect(found).toEqual(run.stdout.split('\n').slice(0, -1));
    }
  });
});
