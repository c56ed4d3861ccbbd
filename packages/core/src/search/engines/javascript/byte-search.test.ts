import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { SearchPattern } from '../search-pattern.js';
import { byteSearch, legacyBytes } from './byte-search.js';

const searchFor = (pattern: string, more: Partial<SearchPattern> = {}): SearchPattern => {
  return { pattern, caseSensitive: false, fixedStrings: false, multiline: false, ...more };
};

const WORDS = ['task', 'Kiosk', 'foo', '(x)', ' ', 'é', 'ß', 'ſ', '\u212a', 'я', '日本', '語', '한', 'ı', '\n', 'zz'];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(''));
const PATTERNS = ['task', 'kiosk', 'sk', 'foo.*zz', 'task|foo', 'ask\\s*foo', '\\(x\\)', 'zzfoo', 'k+'];
const matches = (pattern: string, found: string): boolean => new RegExp(pattern, 'iu').test(found);

describe('what is looked for in bytes', () => {
  it('is in every text that matches, in every encoding that holds ASCII', () => {
    const encodings = ['utf-8', 'windows-1252', 'windows-1251', 'koi8-r', 'iso-8859-15', 'macintosh'].concat([
      'shift_jis',
      'gbk',
      'gb18030',
      'big5',
      'euc-jp',
      'euc-kr',
    ]);
    fc.assert(
      fc.property(text, fc.constantFrom(...encodings), fc.constantFrom(...PATTERNS), (content, encoding, pattern) => {
        const bytes = iconv.encode(content, encoding);
        const wanted = legacyBytes(searchFor(pattern));
        if (matches(pattern, iconv.decode(bytes, encoding)))
          expect(wanted === undefined || wanted.test(bytes.toString('latin1'))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('is in the UTF-8 of every text that matches, and of plain text exactly there', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...PATTERNS, 'a task', 'SK'),
        fc.boolean(),
        (content, pattern, caseSensitive) => {
          const found = byteSearch(searchFor(pattern, { caseSensitive }));
          if (found === undefined) return;
          const bytes = Buffer.from(content).toString('latin1');
          const inBytes = found.sources.every((source) => new RegExp(source, found.isCased ? '' : 'i').test(bytes));
          const isMatch = new RegExp(pattern, caseSensitive ? 'u' : 'iu').test(content);
          if (found.isAll) expect(inBytes).toBe(isMatch);
          else if (isMatch) expect(inBytes).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('are all pieces that every match has, first what is no mere word', () => {
    const sources = byteSearch(searchFor('function.*\\w+Hander\\('))?.sources;
    expect(sources).toEqual(['hander\\(', 'function']);
  });

  it('is nothing where nothing is certain', () => {
    expect(legacyBytes(searchFor('\\w+'))).toBeUndefined();
    expect(byteSearch(searchFor('a|b'))).toBeUndefined();
    expect(byteSearch(searchFor('ab', { multiline: true }))).toBeUndefined();
    expect(byteSearch(searchFor('a.b', { fixedStrings: true }))).toEqual({
      sources: ['a\\.b'],
      isCased: false,
      isAll: true,
    });
  });
});
