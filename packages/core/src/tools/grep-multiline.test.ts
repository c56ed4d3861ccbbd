import { expect, it } from 'vitest';
import type { SearchPattern } from '../search/engines/search-pattern.js';
import { wantsBareLineFeed } from './grep-multiline.js';

const of = (pattern: string, fixedStrings = false): SearchPattern => ({
  pattern,
  fixedStrings,
  caseSensitive: false,
  multiline: true,
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
