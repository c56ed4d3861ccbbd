import { expect, it } from 'vitest';
import type { SearchPattern } from '../search/engines/search-pattern.js';
import { staysInLine, wantsBareLineFeed } from './grep-multiline.js';

const of = (pattern: string, fixedStrings = false): SearchPattern => ({
  pattern,
  fixedStrings,
  caseSensitive: false,
  multiline: true,
});

it('a pattern of which no part can be a line break stays in a line', () => {
  for (const each of ['hit', 'foo \\d+', '(?:a|b)+c{2}', '^\\w+\\($', '[a-z_]+\\.', 'größer', 'x*?'])
    expect([each, staysInLine(of(each))]).toEqual([each, true]);
  for (const each of [
    'a\\nb',
    'a\nb',
    'a.b',
    'a\\sb',
    '[^a]',
    '[\\s]',
    '(?s)a',
    '\\x0a',
    '\\PL',
    '\\W',
    '[]a]',
    '\\12',
  ])
    expect([each, staysInLine(of(each))]).toEqual([each, false]);
  expect([staysInLine(of('a.b', true)), staysInLine(of('a\nb', true))]).toEqual([true, false]);
});

it('a line feed is bare where nothing before it can be a carriage return', () => {
  for (const each of ['foo\\nbar', 'foo\nbar', '\\{\\n', '\\r\\n|a\\n', '[a-z]+\\n', '\\.\\n', '\\]\\n'])
    expect([each, wantsBareLineFeed(of(each))]).toEqual([each, true]);
  for (const each of [
    'foo',
    'a\\r?\\nb',
    'a\\r\\n',
    '(\\r)?\\n',
    'a\\s*\\nb',
    '[\\r\\n]',
    'a\\\\nb',
    '[^;]*\\n',
    'a.*?\\n',
  ])
    expect([each, wantsBareLineFeed(of(each))]).toEqual([each, false]);
  expect([wantsBareLineFeed(of('a\nb', true)), wantsBareLineFeed(of('a\\nb', true))]).toEqual([true, false]);
  expect(wantsBareLineFeed({ ...of('a\\nb'), multiline: false })).toBe(false);
});
