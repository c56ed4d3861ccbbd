import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import fc from 'fast-check';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchPattern } from '../engines/search-pattern.js';
import { fingerprintQuery, mayHold } from './fingerprint.js';
import { JUDGE_SOURCE } from './learn-worker.js';
import { patternTrigrams } from './pattern-trigrams.js';
import type { TrigramQuery } from './trigram-query.js';

const { judge, fingerprint } = compileFunction(`${JUDGE_SOURCE}; return { judge, fingerprint };`, ['require'])(
  createRequire(import.meta.url),
) as {
  judge: (bytes: Buffer) => { kind: number; text?: Uint8Array };
  fingerprint: (bytes: Uint8Array, out: Uint8Array, at: number) => number;
};

const plain = (pattern: string, more: Partial<SearchPattern> = {}): SearchPattern => ({
  pattern,
  caseSensitive: false,
  fixedStrings: false,
  multiline: false,
  ...more,
});

/** As one line: `&` between what is needed together, `|` between alternatives. */
function shown(query: TrigramQuery | undefined): string {
  if (query === undefined) return 'anything';
  return [...query.all, ...query.any.map((list) => `(${list.map(shown).join('|')})`)].join(' & ');
}

const CASES: readonly (readonly [pattern: string, needed: string])[] = [
  ['registerWidget', 'registerwidget'],
  ['ab', 'anything'],
  ['', 'anything'],
  ['foo.*bar', 'foo & bar'],
  ['foo|bar', '(foo|bar)'],
  ['foo|ba', 'anything'],
  ['foo(bar|baz)?', 'foo'],
  ['(foo|bar)qux', '(fooqux|barqux)'],
  ['colou?r', '(color|colour)'],
  ['function\\s+\\w+Handler\\(', 'function & handler('],
  ['^import .* from "react"$', 'import  &  from "react"'],
  ['\\bclass\\b', 'class'],
  ['fo+bar', 'obar'],
  ['foo(a.*)+bar', 'fooa & bar'],
  ['(x.*foo|y.*foo)bar', 'foobar & (foo|foo)'],
  ['fooo+bar', 'fooo & obar'],
  ['(abc){2}', 'abcabc'],
  ['(abc){2,}', 'abc'],
  ['abc{0}defg', 'defg'],
  ['a{0,2}bcd', 'bcd'],
  ['[gs]e[A-Z]t', 'anything'],
  ['[gs]etter', '(getter|setter)'],
  ['gr[ae]y', '(gray|grey)'],
  ['[^a]bcde', 'bcde'],
  ['[]a]bcd', 'anything'],
  ['[a-z&&[^b]]foo', 'anything'],
  ['[[:alpha:]]foo', 'foo'],
  ['[\\w-]foo', 'foo'],
  ['foo\\.bar\\x28\\u{29}', 'foo.bar()'],
  ['foo\\tbar\\nbaz', 'foo\tbar & baz'],
  ['größe|straße', 'anything'],
  ['größenwahl', 'enwahl'],
  ['(?i)FOO(?-i:Bar)', 'foobar'],
  ['(?x) foo', 'anything'],
  ['(?P<name>foo)(?<other>bar)', 'foobar'],
  ['foo(?!bar)baz', 'foo & baz'],
  ['(?<=foo)bar', 'bar'],
  ['(foo)\\1bar', 'foo & bar'],
  ['\\Qfoo\\E', 'anything'],
  ['foo\\<bar', 'foo & bar'],
  ['foo\\b{start}bar', 'anything'],
  ['interface Props {', 'interface props '],
  ['foo{ 2 }', 'anything'],
  ['foo{,2}', 'anything'],
  ['(*UTF)foo', 'anything'],
  ['(?R)foo', 'anything'],
  ['(?(1)foo|bar)', 'anything'],
  ['foo\\Kbar', 'foobar'],
  ['foo\\Xbar', 'foo & bar'],
  ['foo++bar', 'foo & obar'],
  ['foo)', 'anything'],
  ['(foo', 'anything'],
];

describe('patternTrigrams', () => {
  it.each(CASES)('%s needs %s', (pattern, needed) => {
    expect(shown(patternTrigrams(plain(pattern)))).toBe(needed);
  });

  it('takes a text literally with fixedStrings', () => {
    expect(shown(patternTrigrams(plain('a.b*(c)|é[def]', { fixedStrings: true })))).toBe('a.b*(c)| & [def]');
  });

  it('is certain of nothing when a pattern spans lines without multiline', () => {
    expect(patternTrigrams(plain('foo\nbar', { fixedStrings: true }))).toBeUndefined();
    expect(patternTrigrams(plain('foo\nbar'))).toBeUndefined();
    expect(shown(patternTrigrams(plain('foo\nbar', { multiline: true })))).toBe('foo & bar');
  });

  it('stays small for patterns that grow when they are written out', () => {
    const nested = `${'('.repeat(50)}ab${')+'.repeat(50)}`;
    const copies = `(abcdefgh)${'{4}'.repeat(12)}`;
    for (const pattern of [nested, copies, '(a|b|c|d)'.repeat(1000), `${'('.repeat(5000)}x`]) {
      expect(JSON.stringify(patternTrigrams(plain(pattern)) ?? '').length).toBeLessThan(60_000);
    }
  });
});

const WORDS = ['foo', 'bar', 'Kelvin', 'kiss', 'SESSION', 'ask', 'été', 'a', 'b', '_id', '{x}', '(', 'x1', '  ', ','];
const ODD_TEXTS = [
  '\u212aelvin',
  'ki\u017fs',
  '\u017fE\u017fsion',
  'fo',
  'oo',
  'Ba',
  '\n',
  '\r\n',
  '\t',
  '😀',
  '\u0130',
];

/** A pattern with a text that it might match. */
interface Sample {
  readonly source: string;
  readonly text: string;
}

const literal = (text: string): Sample => ({ source: text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`), text });
const word = fc.constantFrom(...WORDS).map(literal);
const ATOMS: readonly (readonly [source: string, text: string])[] = [
  ...(['.', '[^o]', '[[:alpha:]]', '\\w', '\\S', '\\pL', '\\p{Lu}', '(?s:.)'] as const).map(
    (source) => [source, 'Q'] as const,
  ),
  ...(['\\b', '^', '$', '\\<', '\\>', '\\B', '\\A', '\\z', '\\b{start}', '(?#foo)'] as const).map(
    (source) => [source, ''] as const,
  ),
  ...(['[ok]', '\\x6f', '\\u006f', '(?-u:o)', '[[ab]o]', '\\x{6F}'] as const).map((source) => [source, 'o'] as const),
  ...([
    ['\\s', ' '],
    ['\\d', '7'],
    ['[a-c]', 'B'],
    ['[s\u017f]', '\u017f'],
    ['\\t', '\t'],
    ['o\\{', 'o{'],
    ['\\_', '_'],
  ] as const),
  ...([
    ['{', '{'],
    ['}', '}'],
    [']', ']'],
    ['\\.', '.'],
    ['[-_a]', '-'],
    ['[+--]', ','],
    ['[(-+]', '*'],
    ['\u212a', 'k'],
  ] as const),
  ...([
    ['\u017f', 's'],
    ['\\x{212a}', 'K'],
    ['[\\W_]', '_'],
    ['\\h', ' '],
    ['\\R', '\r\n'],
    ['\\Qfoo\\E', 'foo'],
  ] as const),
  ...([
    ['\\Kbar', 'bar'],
    ['[:alph]', ':'],
    ['\\v', '\v'],
    ['\\07', '\x07'],
    ['[a&&b]', 'a'],
    ['[]a]', ']'],
  ] as const),
  ...([
    ['\\x6', '\x06'],
    ['\\e', '\x1b'],
    ['\\cA', '\x01'],
    ['\\-', '-'],
    ['\\<b', '<b'],
    ['{2 }', '{2 }'],
    ['\\ ', ' '],
  ] as const),
];
const quantifiers = fc.constantFrom(
  ...([
    ['', 1],
    ['', 1],
    ['', 1],
    ['', 1],
    ['*', 0],
    ['*', 2],
    ['+', 1],
    ['+', 2],
    ['?', 0],
    ['?', 1],
    ['+?', 2],
  ] as const),
  ...([
    ['??', 1],
    ['{0}', 0],
    ['{1}', 1],
    ['{2}', 2],
    ['{0,1}', 0],
    ['{1,}', 2],
    ['{2,3}', 2],
    ['{6}', 6],
  ] as const),
  ...([
    ['++', 1],
    ['?+', 0],
    ['{,2}', 1],
    ['**', 0],
    ['{2}{0}', 0],
    ['{2}{2}', 4],
    ['{2}?', 2],
    ['+*', 0],
  ] as const),
);
const OPENINGS = [
  '(',
  '(?:',
  '(?i:',
  '(?-i:',
  '(?P<n>',
  '(?<m>',
  '(?=',
  '(?!',
  '(?<=',
  '(?<!',
  '(?>',
  '(?x:',
  '(?|',
  '(?i-s:',
];
const { regex } = fc.letrec<{ regex: Sample; branch: Sample; item: Sample }>((tie) => ({
  item: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        { weight: 8, arbitrary: word },
        { weight: 4, arbitrary: fc.constantFrom(...ATOMS).map(([source, text]) => ({ source, text })) },
        {
          weight: 3,
          arbitrary: fc.tuple(fc.constantFrom(...OPENINGS), tie('regex')).map(([open, { source, text }]) => ({
            source: `${open}${source})`,
            text: /[=!]/u.test(open) ? '' : text,
          })),
        },
      ),
      quantifiers,
    )
    .map(([{ source, text }, [quantifier, times]]) => ({ source: source + quantifier, text: text.repeat(times) })),
  branch: fc
    .tuple(
      fc.constantFrom('', '', '', '', '', '(?i)', '(?-i)', '(?U)', '(?s-m)'),
      fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '', '', '', '', '', '\\1'),
    )
    .map(([flags, items, end]) => ({
      source: flags + items.map(({ source }) => source).join('') + end,
      text: items.map(({ text }) => text).join(''),
    })),
  regex: fc.oneof(
    { weight: 3, arbitrary: tie('branch') },
    {
      weight: 1,
      arbitrary: fc.array(tie('branch'), { minLength: 2, maxLength: 3 }).map((branches) => ({
        source: branches.map(({ source }) => source).join('|'),
        text: branches[0]?.text ?? '',
      })),
    },
  ),
}));

const searches = fc.record({
  regex,
  caseSensitive: fc.boolean(),
  fixedStrings: fc.constantFrom(false, false, false, false, true),
  multiline: fc.boolean(),
});
const noise = fc.array(fc.constantFrom(...WORDS, ...ODD_TEXTS), { maxLength: 6 }).map((parts) => parts.join(''));
/** Other letters that ripgrep takes for the same. */
const disguised = (text: string, how: number): string =>
  [text, text.toLowerCase(), text.toUpperCase(), text.replaceAll(/k/giu, '\u212a').replaceAll(/s/giu, '\u017f')][how] ??
  text;

describe('against ripgrep', () => {
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'trigrams-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Which of the texts ripgrep finds the pattern in; undefined when it refuses the pattern. */
  function found(search: SearchPattern, count: number): number[] | undefined {
    const flags = [
      '--no-config',
      '--crlf',
      '--engine=auto',
      '--files-with-matches',
      search.caseSensitive ? '-s' : '-i',
    ];
    if (search.fixedStrings) flags.push('-F');
    if (search.multiline) flags.push('-U', '--multiline-dotall');
    const names = Array.from({ length: count }, (_, index) => `t${index}`);
    const result = spawnSync(rgPath, [...flags, '-e', search.pattern, '--', ...names], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (result.status === 2) return undefined;
    return result.stdout
      .split('\n')
      .filter(Boolean)
      .map((name) => Number(name.slice(1)));
  }

  /** The fingerprint of a file with that text; some are in UTF-16, which ripgrep reads by its mark. */
  function learned(text: string, index: number): { isText: boolean; bits: Uint8Array; length: number } {
    const bytes = index % 5 === 0 ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text);
    writeFileSync(join(folder, `t${index}`), bytes);
    const judged = judge(bytes);
    const bits = new Uint8Array(16384);
    return { isText: judged.kind === 1, bits, length: 8 * fingerprint(judged.text ?? Buffer.alloc(0), bits, 0) };
  }

  it('accepts every text in which ripgrep finds the pattern', () => {
    let matched = 0;
    let ruledOut = 0;
    const contents = fc.tuple(noise, noise, fc.nat(3));
    const law = fc.property(
      fc.array(fc.tuple(searches, contents), { minLength: 20, maxLength: 20 }),
      fc.array(noise, { minLength: 5, maxLength: 5 }),
      (samples, noises) => {
        const texts = [
          ...samples.map(
            ([
              {
                regex: { source, text },
                fixedStrings,
              },
              [before, after, how],
            ]) => before + disguised(fixedStrings ? source : text, how) + after,
          ),
          ...noises,
        ];
        const files = texts.map(learned);
        for (const [
          {
            regex: { source },
            ...how
          },
        ] of samples) {
          const search = { ...how, pattern: source };
          const trigrams = patternTrigrams(search);
          if (trigrams === undefined) continue;
          const query = fingerprintQuery(trigrams);
          const refused = new Set(texts.keys());
          for (const [index, { isText, bits, length }] of files.entries()) {
            if (!isText || mayHold(query, { bits, offset: 0, length })) refused.delete(index);
          }
          const matches = found(search, texts.length);
          if (matches === undefined) continue;
          matched += matches.length;
          ruledOut += refused.size;
          const missed = matches.filter((index) => refused.has(index)).map((index) => texts[index]);
          expect({ search, needs: shown(trigrams), missed }).toEqual({ search, needs: shown(trigrams), missed: [] });
        }
      },
    );
    fc.assert(law, { numRuns: Number(process.env['TENON_TRIGRAM_RUNS'] ?? 15) });
    // Else it proves nothing.
    expect(matched).toBeGreaterThan(50);
    expect(ruledOut).toBeGreaterThan(500);
  }, 600_000);
});
