import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITHOUT_RIPGREP } from '../pattern-problem.js';
import type { FileLines } from '../../report/shown-line.js';
import type { SearchPattern } from '../search-pattern.js';
import { createJavaScriptEngine } from './create-javascript-engine.js';
import { toJavaScriptPattern } from './javascript-pattern.js';

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-oracle-')));
});
afterAll(() => rmSync(root, { recursive: true }));

const RUNS = 25;
const never = new AbortController().signal;

const LITERALS = [
  'a',
  'b',
  'B',
  'é',
  'É',
  'λ',
  'ß',
  'ſ',
  'k',
  '😀',
  '1',
  '_',
  ' ',
  '-',
  '\\.',
  '\\x{e9}',
  '\\u{3bb}',
  '"',
];
const ASSERTIONS = ['^', '$', '\\b', '\\B', '\\<', '\\>', '\\b{start}', '\\b{end-half}', '\\A'];
const CLASSES = [
  '.',
  '\\w',
  '\\W',
  '\\d',
  '\\D',
  '\\s',
  '\\S',
  '\\pL',
  '\\PL',
  '\\p{Greek}',
  '\\p{Lu}',
  '\\P{Lowercase}',
  '[abé]',
  '[^a]',
  '[^\\s]',
  '[a-c1-3]',
  '[a-z&&[^b]]',
  '[\\w--\\d]',
  '[a-c~~b-d]',
  '[[:alpha:]]',
  '[[:^space:]]',
  '[]a]',
  '[^]a]',
  '[a-]',
  '[-é]',
  '[λ[a-b]]',
  '[^\\W\\d]',
  '[\\p{Greek}\\x61]',
];
const FLAGS = ['', '', '', '(?i)', '(?-i)', '(?s)', '(?-m)', '(?U)', '(?x) '];

const element = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...LITERALS) },
  { weight: 2, arbitrary: fc.constantFrom(...CLASSES) },
  { weight: 1, arbitrary: fc.constantFrom(...ASSERTIONS) },
);
const { expression } = fc.letrec<{ expression: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    element,
    fc
      .tuple(element, fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '+?', '*?', '{0,1}?'))
      .map(([of, how]) => of + how),
    fc
      .tuple(
        fc.constantFrom('', '?:', '?i:', '?-i:', '?s:', '?<n>'),
        tie('expression'),
        fc.constantFrom('', '', '*', '+', '?'),
      )
      .map(([kind, inner, how]) => `(${kind === '?<n>' ? '?:' : kind}${inner})${how}`),
  ),
  expression: fc
    .array(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((branches) => branches.map((parts) => parts.join('')).join('|')),
}));
const pattern = fc.tuple(fc.constantFrom(...FLAGS), expression).map(([flags, rest]) => flags + rest);

const WORDS = [
  'a',
  'b',
  'ab',
  'A',
  'é',
  'É',
  'λ',
  'Λ',
  'ß',
  'ẞ',
  's',
  'ſ',
  'k',
  '\u212a',
  '😀',
  '1',
  '٣',
  '_',
  ' ',
  '  ',
  '-',
  '.',
  ']',
  '"',
  '\u2028',
  '\t',
  'x'.repeat(600),
];
const ASCII_WORDS = WORDS.filter((word) => /^[\0-\x7f]+$/.test(word));
const END = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n', '\r\n\r\n');
const lineOf = (words: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((parts) => parts.join(''));
const textOf = (words: string[], end: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(lineOf(words), end), { maxLength: 8 }), lineOf(words))
    .map(([lines, last]) => lines.map(([line, feed]) => line + feed).join('') + last);
const text = fc.oneof(textOf(WORDS, END), textOf(ASCII_WORDS, fc.constant('\n')), textOf(ASCII_WORDS, END));

interface Found {
  readonly count: number;
  readonly lines: readonly string[];
}

function byRipgrep(
  { pattern: wanted, multiline, caseSensitive, fixedStrings }: SearchPattern,
  extra: string[],
): Map<string, Found> | undefined {
  const flags = [
    '--json',
    '--no-config',
    '--crlf',
    '--text',
    '--no-ignore',
    '--hidden',
    caseSensitive ? '-s' : '-i',
    '--engine=auto',
  ];
  const more = [...(multiline ? ['-U', '--multiline-dotall'] : []), ...(fixedStrings ? ['-F'] : []), ...extra];
  // Where ripgrep 15 breaks down in one of several threads, it never ends.
  const run = spawnSync(rgPath, ['--threads=1', ...flags, ...more, '-e', wanted, '.'], { cwd: root, encoding: 'utf8' });
  if (run.status !== 0 && run.status !== 1) return undefined;
  const found = new Map<string, { count: number; lines: string[] }>();
  for (const line of run.stdout.split('\n').filter((part) => part !== '')) {
    const { type, data } = JSON.parse(line) as Event;
    if (type !== 'match' && type !== 'context') continue;
    const name = data.path.text.slice(2);
    const file = found.get(name) ?? { count: 0, lines: [] };
    found.set(name, file);
    // It tells none at the end of a file.
    if (type === 'match') file.count += multiline ? Math.max(1, data.submatches.length) : 1;
    const parts = data.lines.text.replace(/\n$/, '').split('\n');
    let from = 0;
    for (const [index, part] of parts.entries()) {
      const to = from + Buffer.byteLength(part) + 1;
      const isTouched =
        !multiline || data.submatches.some(({ start, end }) => start < to && Math.max(start + 1, end) > from);
      const sign = type === 'match' && isTouched ? ':' : '-';
      file.lines.push(`${data.line_number + index}${sign}${part.replace(/\r$/, '')}`);
      from = to;
    }
  }
  return found;
}

interface Event {
  readonly type: string;
  readonly data: {
    readonly path: { readonly text: string };
    readonly lines: { readonly text: string };
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}

async function byJavaScript(wanted: SearchPattern, files: string[], around: number): Promise<Map<string, Found>> {
  const engine = createJavaScriptEngine({ pattern: wanted, folder: { path: root, workingDirectory: root } });
  const found = new Map<string, { count: number; lines: string[] }>();
  const failed = (path: string | undefined, reason: string): never => expect.fail(`${path}: ${reason}`);
  try {
    const counted = (path: string, count: number): void => void found.set(path, { count, lines: [] });
    await engine.countAnything({ folders: [], files }, { counted, failed, odd: (path) => failed(path, 'odd') }, never);
    const request = { files: files.map((path) => ({ path, maxMatches: 1_000_000 })), before: around, after: around };
    const told = (path: string, { lines, matches }: FileLines): void => {
      expect(matches).toBe(found.get(path)?.count);
      for (const { line, column, text: shown, cutBefore, cutAfter } of lines)
        found
          .get(path)
          ?.lines.push(`${line}${column === undefined ? '-' : ':'}${cutBefore + cutAfter > 0 ? 'cut' : shown}`);
    };
    await engine.lines(request, { found: told, failed }, never);
    return found;
  } finally {
    await engine.close();
  }
}

const cut = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    const at = line.search(/[:-]/) + 1;
    return line.length - at > 500 ? `${line.slice(0, at)}cut` : line;
  });

/** Whether an occurrence in one of the texts is empty, or may be: a pattern that takes too long is not asked. */
function mayMatchNothing(search: SearchPattern, texts: readonly string[]): boolean {
  const code = "texts.some((text) => [...text.matchAll(new RegExp(general, flags))].some(([match]) => match === ''))";
  try {
    const { general, flags } = toJavaScriptPattern(search);
    return runInNewContext(code, { texts, general, flags }, { timeout: 500 }) !== false;
  } catch {
    return true;
  }
}

/** JavaScript has no way to match the same. */
function isRefused(search: SearchPattern): boolean {
  try {
    toJavaScriptPattern(search);
    return false;
  } catch (thrown) {
    return String(thrown).includes(WITHOUT_RIPGREP);
  }
}

describe('ripgrep and JavaScript', () => {
  it.each([
    [false, 'line by line'],
    [true, 'across lines'],
  ])(
    'find the same (multiline: %s)',
    async (multiline) => {
      await fc.assert(
        fc.asyncProperty(
          pattern,
          fc.array(text, { minLength: 6, maxLength: 6 }),
          fc.boolean(),
          async (wanted, texts, caseSensitive) => {
            const search = { pattern: wanted, caseSensitive, fixedStrings: false, multiline };
            fc.pre(!isRefused(search));
            const isMaybeEmpty = mayMatchNothing(search, texts);
            texts.forEach((content, index) => writeFileSync(join(root, String(index)), content));
            // Where `$` is the end of all, ripgrep takes it for that of what it holds just then, or of a line, as it happens to read.
            fc.pre(!wanted.includes('(?-m)') || !wanted.includes('$'));
            const expected = byRipgrep(search, ['-C1']);
            if (expected === undefined) return;
            const actual = await byJavaScript(
              search,
              texts.map((_, index) => String(index)),
              1,
            );
            for (const [name, { count, lines }] of expected) {
              expect({ name, count: actual.get(name)?.count }).toEqual({ name, count });
              // With lines around, ripgrep 15 takes one behind an empty match for another.
              if (!isMaybeEmpty) expect(actual.get(name)?.lines).toEqual(cut(lines));
            }
            expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
          },
        ),
        { numRuns: RUNS, endOnFailure: true, interruptAfterTimeLimit: 15_000 },
      );
    },
    600_000,
  );
});
