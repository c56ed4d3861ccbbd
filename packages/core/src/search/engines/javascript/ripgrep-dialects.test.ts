import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import { createRipgrepEngine } from '../ripgrep/create-ripgrep-engine.js';
import type { SearchEngine } from '../search-engine.js';
import { createJavaScriptEngine } from './create-javascript-engine.js';

const workspace = await createTempWorkspace();
afterAll(async () => workspace.remove());

const LINES = ['foo bar', 'a.end', '', 'aa ab b', 'AAB {2} {', '(?:a', 'foo # comment', 'A1 \t tab', 'xyxy a.b end'];
const UNICODE = ['É é ß ſ ẞ', 'λΛ Ω', 'k\u212a K', '😀 a😀b', 'e\u0301 ٣ 3', '\u00a0a\u2028b', '\v \f \x07 |'];
const FILES: Readonly<Record<string, string>> = {
  plain: `${LINES.join('\n')}\n`,
  open: LINES.join('\n'),
  windows: `${LINES.join('\r\n')}\r\n`,
  unicode: `${UNICODE.join('\n')}\n\nend`,
  mixed: 'a\r\nb\nend\r\n\r\nfoo\rbar\n\n',
  feeds: '\n\n',
  return: 'a\r',
  within: 'fo\ro b\n\rfoo\nb\r\r\nend',
  progress: 'a\rend\nfoo\r b',
};
beforeAll(async () => workspace.write(FILES));

const never = new AbortController().signal;

/** Counts, places and columns; or what is said of the pattern. */
async function answer(engine: SearchEngine, files = Object.keys(FILES)): Promise<unknown> {
  const told: Record<string, unknown> = {};
  const failed = (path: string | undefined, reason: string): void => void (told[`${path} failed`] = reason);
  try {
    const counted = (path: string, matches: number): void => void (told[`${path} counted`] = matches);
    await engine.countAnything({ folders: [], files }, { counted, failed, odd: (path) => failed(path, 'odd') }, never);
    const request = { files: files.map((path) => ({ path, maxMatches: 1_000 })), before: 0, after: 0 };
    const found = (path: string, shown: { lines: readonly { line: number; column?: number }[] }): void =>
      void (told[`${path} shown`] = shown.lines.map(({ line, column }) => `${line}:${column ?? ''}`).join(' '));
    await engine.lines(request, { found, failed }, never);
    return told;
  } catch (thrown) {
    return String(thrown);
  } finally {
    await engine.close();
  }
}

async function answers(pattern: string, multiline: boolean, files?: string[]): Promise<[unknown, unknown]> {
  const wanted = { pattern, caseSensitive: true, fixedStrings: false, multiline };
  const folder = { path: workspace.root, workingDirectory: workspace.root };
  return Promise.all([
    answer(createRipgrepEngine({ program: rgPath, pattern: wanted, folder, env: {} }), files),
    answer(createJavaScriptEngine({ pattern: wanted, folder }), files),
  ]);
}

const ENDS = ['end\\z', '.\\z', 'a\\z|b', '^end\\z', 'end\\Z', '(?-m)end$', '[\\r]', '\\r', '[\\n]', 'a\\r'];
const EMPTY = ['()', 'a*', '$', '^', '\\b', 'x?$', '^*', '$+', 'a???', '\\>', '[^\\n]', 'a{,3}', '\\B'];
const VERBOSE = [
  '(?x) foo # comment',
  '(?x) (foo) # )',
  '(?x) a (?= b ) # c',
  '(?x)foo[ ]bar',
  '(?x) ( ?: a)',
  '(?x) \\x { 41 }',
  '(?x) b{2} ?',
];
const WITHOUT_UNICODE = ['(?-u)\\w+', '(?i-u)k', '(?-u)\\bé', '(?-u:[a-z]+)é', '(?i)(?-u:s)ß'];
const PCRE2 = [
  '(?>a+)b',
  '(?>a|ab)b',
  '(?=a)a++\\b',
  '(?U)a++(?=b)',
  '(?=\\w)(?:a|b)++ ',
  '(?>a(?>b|(\\.)))\\w',
  '(\\w)(\\w)\\1\\2',
  '(?P<n>a)(?P=n)',
  '(a)\\g{-1}',
  'end\\R',
  'a\\N',
  '\\N{2}\\.',
  '\\Qa.b\\E end',
  'a(?#c)+\\.(?=e)',
  '(?=f)foo[^x]',
  '(?<!x)\\s',
  '(?=)$',
  '\\b{foo}',
  '(?<=a{1,2})b',
  '(?=\\W)[[:^alpha:]]',
  '(?!x)[a&&b]',
  '\\p{^Lu}',
  '(?=)\\p{Greek}',
  '\\101|\\x4',
  'a{2',
  '{',
  '[\\<]',
  '\\h',
  '\\V',
  '\\cG',
];
const REFUSED = [
  '{2}',
  'a|{2}',
  'a{99999999999}',
  '*a',
  '(?i)*',
  '(?<=a+)b',
  '(?<!a*)b',
  '(?<=(?<=a+)b)c',
  '(?<=a{1,256})b',
  '(?=a)a**',
  '(?=a)a{2}{3}',
  '(?P<n>a)(?P<n>b)',
  '(?<>a)',
  '(?<1>a)',
  '\\8',
  '(a)\\2',
  '\\p{Foo}',
  '\\p{gc=Foo}',
  '\\p{L',
  '\\x',
  '\\x{}',
  '\\x{110000}',
  '\\u41',
  '[z-a]',
  '[\\A]',
  '[\\q]',
  '(?z)a',
  '(?-u)\\pL',
];

describe('with ripgrep and without it', () => {
  it.each([...ENDS, ...EMPTY, ...VERBOSE, ...WITHOUT_UNICODE, ...PCRE2])(
    '%s is found in the same places',
    async (pattern) => {
      for (const multiline of [false, true]) {
        const [ripgrep, javascript] = await answers(pattern, multiline);
        expect(ripgrep).toBeTypeOf('object');
        expect({ multiline, found: javascript }).toEqual({ multiline, found: ripgrep });
      }
    },
  );

  it.each(REFUSED)('%s is refused in the same words', async (pattern) => {
    const [ripgrep, javascript] = await answers(pattern, false);
    expect(ripgrep).toMatch(/Invalid regular expression/);
    expect(javascript).toBe(ripgrep);
  });
});

const ENDED = ['return x', 'return', 'end'];
const LINE_ENDS: Readonly<Record<string, string>> = {
  feeds: `${ENDED.join('\n')}\n`,
  returns: `${ENDED.join('\r\n')}\r\n`,
  'feeds-open': ENDED.join('\n'),
  'returns-open': ENDED.join('\r\n'),
  'feed-first': 'return x\nreturn\r\nend\n',
  'return-first': 'return x\r\nreturn\nend\r\n',
};
/** Lines, from 1, and columns. */
const SEEN: readonly (readonly [pattern: string, places: string])[] = [
  ['return(?!\\s)', '2:1'],
  ['(?<!x)return\\s', '1:1'],
  ['return(?=[^;])', '1:1'],
  ['(?<=n)d\\W', ''],
  ['end(?=\\s)', ''],
  ['(?<=n)d$', '3:3'],
  ['(?<=n)d\\z', '3:3'],
  ['(?=r)return\\Z', '2:1'],
  ['(?=r)return\\R', ''],
  ['(?<=x)\\s|(?<=\\S)\\s(?!\\S)', ''],
  ['(e)[^q]{2}[^q](?!\\1)', '1:2 2:2'],
  ['end\\n', ''],
  ['d\\r', ''],
  ['(?x) return (?!\\s) # not before more', '2:1'],
];

describe('what PCRE2 sees of a line', () => {
  beforeAll(async () => workspace.write(LINE_ENDS));

  it.each(SEEN)('is all but its end, whatever that is: %s', async (pattern, places) => {
    const truth: Record<string, unknown> = {};
    for (const file of Object.keys(LINE_ENDS)) {
      if (places === '') continue;
      truth[`${file} counted`] = places.split(' ').length;
      truth[`${file} shown`] = places;
    }
    const [ripgrep, javascript] = await answers(pattern, false, Object.keys(LINE_ENDS));
    expect(ripgrep).toEqual(truth);
    expect(javascript).toEqual(truth);
  });
});
