import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countsAndPlaces } from '../../../testing/counts-and-places.js';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import { createRipgrepEngine } from '../ripgrep/create-ripgrep-engine.js';
import type { SearchEngine } from '../search-engine.js';
import { createJavaScriptEngine } from './create-javascript-engine.js';
import { isForDefaultEngine } from './javascript-pattern.js';

const workspace = await createTempWorkspace();
afterAll(async () => workspace.remove());

const LINES = ['foo bar', 'a.end', '', 'aa ab b', 'AAB {2} {', '(?:a', 'foo # comment', 'A1 \t tab', 'xyxy a.b end'];
const UNICODE = [
  'É é ß ſ ẞ',
  'λΛ Ω',
  'k\u212a K',
  '😀 a😀b',
  'e\u0301 ٣ 3',
  '👩\u200d👩\u200d👧 🇫🇷🇩🇪a 각ᄀ\u0301 \u0600b',
  '\u00a0a\u2028b',
  '\v \f \x07 |',
];
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
  return countsAndPlaces(engine, files, never).catch(String);
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
const EMPTY = [
  '()',
  'a*',
  '$',
  '^',
  '\\b',
  'x?$',
  '^*',
  '$+',
  'a???',
  '\\>',
  '[^\\n]',
  'a{,3}',
  '\\B',
  '\\n?',
  '\\n?a*',
];
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
const CLUSTERS = ['\\X', '^\\X\\X$', '\\X{2}b', '\\X*a', '(?:\\X)+?e', 'e\\X', '(?U)\\X+'];
/** What may match nothing, in one of several ways. */
const NOTHING = [
  'a|\\B',
  '\\b|\\B.',
  '(?:a|)+',
  '(?:|a)+b?',
  '(?:|a|b)*\\s',
  '(?:a??){0,2}b?',
  '(?:a|\\b){2}',
  '\\A|\\b{start-half}b',
  '(?-s)^.?|\\n$',
  'o|\\B(?:\\z){0}',
  '(?<=\\n)',
  '(?<!a)b?',
  '(?!\\w)',
  '^(?=)|x',
  '(?=)^|\\n',
  '^(?:.(?!b))+?\\n|\\r',
  '\\r^(?=)',
  '\\A(?!b)',
];
const MATCH_STARTS = [
  'foo\\K',
  'foo\\K.*',
  'a\\Kb|b\\K',
  'a\\K.\\K.',
  '(?:a\\K)?b',
  '(?>a\\K)b',
  '\\w+\\K\\b',
  '\\K',
  '(?i)A\\K\\X',
  '[^x]*\\Kb',
  'a\\n(?:(?!b)|\\K)?',
  '\\B\\W\\K',
];
const SEARCH_STARTS = ['\\Ga', '\\G', '\\G\\X\\Kb', 'a\\G|\\Gf', '\\G$', '(?<=\\G.)o'];
const REFUSED = [
  '(?=a\\K)b',
  '(?<!\\K)b',
  '\\K+',
  '\\G{2}',
  '(?=)[\\X]',
  '(?<=\\X)a',
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
  'foo\\p',
  'é😀\\p',
  '(?--i)',
  '(?-i-i)',
  '(?P=x)',
  '\\k<x>',
  'a\\g{2}',
  'é(?=a)\\q',
  '(?=a)[z-a]',
  '(?=a)é[[:foo:]]',
  '(?=a)a{2,1}',
  '(?=a)é\\p{Foo}',
  '(?=a)x{99999}',
  '\\Q(\\E(?=a)\\q',
];
/** Within each other: as much as is allowed, and one more. */
const nested = (times: number, open: string, close: string): string => `${open.repeat(times)}a${close.repeat(times)}`;
const DEEP: readonly (readonly [shape: string, most: string, more: string])[] = [
  ['groups', nested(249, '(', ')'), nested(250, '(', ')')],
  ['repetitions', `a${'*'.repeat(249)}`, `a${'*'.repeat(250)}`],
  ['looks ahead', nested(249, '(?=', ')'), nested(250, '(?=', ')')],
];

/** The same, for the default engine: what it does not take, PCRE2 may. */
const LEFT_TO_PCRE2: readonly (readonly [most: string, more: string])[] = [
  [nested(124, '(b?', ')'), nested(125, '(b?', ')')],
  [nested(82, '(b|c?', ')'), nested(83, '(b|c?', ')')],
  [nested(249, '[', ']'), nested(250, '[', ']')],
  [nested(124, '[b', ']'), nested(125, '[b', ']')],
  [`(${nested(100, '(', ')')}*)${'+'.repeat(147)}`, `(${nested(100, '(', ')')}*)${'+'.repeat(148)}`],
];

describe('with ripgrep and without it', () => {
  it.each([...ENDS, ...EMPTY, ...NOTHING, ...VERBOSE, ...WITHOUT_UNICODE, ...PCRE2, ...CLUSTERS, ...MATCH_STARTS])(
    '%s is found in the same places',
    async (pattern) => {
      for (const multiline of [false, true]) {
        const [ripgrep, javascript] = await answers(pattern, multiline);
        expect(ripgrep).toBeTypeOf('object');
        expect({ multiline, found: javascript }).toEqual({ multiline, found: ripgrep });
      }
    },
  );

  it.each(SEARCH_STARTS)('%s is found in the same places, line by line', async (pattern) => {
    const [ripgrep, javascript] = await answers(pattern, false);
    expect(ripgrep).toBeTypeOf('object');
    expect(javascript).toEqual(ripgrep);
  });

  it.each(REFUSED)('%s is refused in the same words', async (pattern) => {
    const [ripgrep, javascript] = await answers(pattern, false);
    expect(ripgrep).toMatch(/Invalid regular expression/);
    expect(javascript).toBe(ripgrep);
    expect((await answers(pattern, true))[0]).toBe(ripgrep);
  });

  it.each(DEEP)('%s within each other are refused from the same depth on', async (_shape, most, more) => {
    const [ripgrep, javascript] = await answers(most, false);
    expect(ripgrep).toBeTypeOf('object');
    expect(javascript).toEqual(ripgrep);
    const refusals = await answers(more, false);
    expect(refusals[0]).toMatch(/more than 250 deep\nWrite the pattern with fewer/);
    expect(refusals[1]).toBe(refusals[0]);
  });

  it.each(LEFT_TO_PCRE2)('what the default engine takes is known (%#)', (...patterns) => {
    for (const [place, pattern] of patterns.entries()) {
      const { status } = spawnSync(rgPath, ['--no-config', '--engine=default', '-q', '-e', pattern], { input: 'a\n' });
      expect(status === 2).toBe(place === 1);
      const wanted = { pattern, caseSensitive: true, fixedStrings: false, multiline: false };
      expect(isForDefaultEngine(wanted)).toBe(status !== 2);
    }
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

const RETURNS = [
  '\\r',
  '\\r$',
  'return\\r?$',
  '^\\r',
  'd\\r|x$',
  '[\\r\\n]',
  '[ \\t\\r]+$',
  '[\\x0a-\\x0d]',
  'n\\x0d',
  'end\\b{end}\\r',
  '\\<d?\\r',
  '[[a-z]&&[^x]]\\r',
  '.\\r',
  '\\r.',
  '\\W\\r?\\z',
  '(?-m)^return\\r?$',
  '[^\\r\\n]+\\r?$',
  'd\\s|\\r\\s',
  '(?<!\\r)$',
  '(?<!\\r)\\Z',
  '$(?!\\r)',
  '\\B(?!\\r)\\r*',
  '(?<=n)\\015',
  '\\cM$',
  '(?=e)\\N+\\r',
  '(?=r).*\\r(?!.)',
  '\\r\\R',
];

it.each(RETURNS)('a pattern that names a carriage return sees lines as plain ripgrep does: %s', async (pattern) => {
  const files = { ...LINE_ENDS, inner: 'a\rreturn\r\n\r\nend\r\rx', bare: '\r' };
  await workspace.write(files);
  const flags = ['--no-config', '--engine=auto', '--text', '--count', '-e', pattern];
  const { stdout } = spawnSync(rgPath, [...flags, ...Object.keys(files)], { cwd: workspace.root, encoding: 'utf8' });
  const counts = Array.from(stdout.matchAll(/^(.+):(\d+)$/gm), ([, file, count]) => [`${file} counted`, Number(count)]);
  const [ripgrep, javascript] = await answers(pattern, false, Object.keys(files));
  expect(ripgrep).toMatchObject(Object.fromEntries(counts));
  expect(Object.keys(ripgrep as object)).toHaveLength(2 * counts.length);
  expect(javascript).toEqual(ripgrep);
});

it.each([
  ['(?!b)[^x]a', '1:3 2:1 3:1'],
  ['(?=)\\sa', '1:3 2:1 3:1'],
  ['^(?=a)', '2:1 3:1'],
])('between the halves of a line end PCRE2 finds what begins there: %s', async (pattern, places) => {
  await workspace.write({ halves: 'xb\r\nax\r\nab' });
  const [ripgrep, javascript] = await answers(pattern, true, ['halves']);
  expect(ripgrep).toEqual({ 'halves counted': 2, 'halves shown': places });
  expect(javascript).toEqual(ripgrep);
});
