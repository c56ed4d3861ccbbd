import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { expect, it } from 'vitest';
import { toJavaScriptPattern } from './javascript-pattern.js';
import { UNICODE_TABLES } from './unicode-tables.js';

/** Both sides of each place where a value begins or ends. */
function bordersOf(runs: string): string[] {
  const borders = new Set<number>();
  let at = 0;
  for (const [, length = ''] of runs.matchAll(/([0-9a-z]+)[A-Z@_]/g)) {
    at += Number.parseInt(length, 36);
    borders.add(at - 1).add(at);
  }
  expect(at).toBe(0x110000);
  return Array.from(borders)
    .filter((code) => code < 0x110000 && code !== 10 && code !== 13 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code));
}

/** Those of the characters that the pattern matches in ripgrep. */
function byRipgrep(pattern: string, characters: readonly string[]): string[] | string {
  const flags = ['--no-config', '--text', '--crlf', '--engine=auto', '-e', `^${pattern}$`, '-'];
  const { status, stdout, stderr } = spawnSync(rgPath, flags, {
    input: `${characters.join('\n')}\n`,
    encoding: 'utf8',
  });
  return status === 2 ? stderr : stdout.split('\n').slice(0, -1);
}

function byJavaScript(pattern: string, characters: readonly string[]): string[] {
  const wanted = { pattern, caseSensitive: true, fixedStrings: false, multiline: false };
  const { general, flags } = toJavaScriptPattern(wanted);
  if (typeof general !== 'string') return expect.fail(`${pattern} is left to our own matcher`);
  return characters.filter((character) => new RegExp(general, flags).test(character));
}

it.each(Object.entries(UNICODE_TABLES))('%s is known as ripgrep knows it', (property, { values, runs }) => {
  const characters = bordersOf(runs);
  const patterns = values
    .split(' ')
    // They stand in no line.
    .filter((value) => value !== 'LF' && value !== 'CR')
    .flatMap((value) => [`\\p{${property}=${value}}`, `[^a\\P{${property}:${value}}]`]);
  for (const pattern of property === 'bidim' ? ['\\p{bidim}', '\\P{Bidi_Mirrored}'] : patterns) {
    const found = byJavaScript(pattern, characters);
    expect({ pattern, found }).toEqual({ pattern, found: byRipgrep(pattern, characters) });
  }
});

it.each([
  '\\p{Age=V6_0}',
  '\\p{age:6.0}',
  '\\p{Grapheme_Cluster_Break=Regional_Indicator}',
  '\\p{word break=aletter}',
  '\\p{SB=Close}',
  '(?=.)\\p{Bidi_Class: al}',
])('%s is a name of one', (pattern) => {
  const characters = ['a', '(', '\u{1f1e6}', '\u0627', '\u0e01', '\u09fb', '\u3402'];
  expect(byJavaScript(pattern, characters)).toEqual(byRipgrep(pattern, characters));
});

it.each([
  '\\p{age=99.0}',
  '\\p{gcb=Other}',
  '\\p{sb=xx}',
  '\\p{age=unassigned}',
  '\\p{age}',
  '(?=a)\\p{bc=foo}',
  '(?=a)\\p{age=6.0}',
  '(?=a)\\p{bc=left_to_right}',
])('%s is none', (pattern) => {
  expect(byRipgrep(pattern, ['a'])).toContain('could not be compiled');
  const wanted = { pattern, caseSensitive: true, fixedStrings: false, multiline: false };
  expect(() => toJavaScriptPattern(wanted)).toThrow(/Invalid regular expression: .*(?:not found|unknown property)/);
});
