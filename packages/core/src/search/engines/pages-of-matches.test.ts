import { execFileSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../testing/temp-workspace.js';
import type { FileLines } from '../report/shown-line.js';
import { createJavaScriptEngine } from './javascript/create-javascript-engine.js';
import { createRipgrepEngine } from './ripgrep/create-ripgrep-engine.js';
import type { LinesRequest, SearchEngine } from './search-engine.js';
import type { SearchPattern } from './search-pattern.js';

const workspace = await createTempWorkspace();
afterAll(async () => workspace.remove());

const folder = { path: workspace.root, workingDirectory: workspace.root };
const { signal } = new AbortController();

/** The first and the last line that a match touches. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface RipgrepRecord {
  readonly type: string;
  readonly data: {
    readonly lines: { readonly text: string };
    readonly absolute_offset: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}

/** Of all matches in the file, in their order, as ripgrep tells them. */
function spansOf(text: string, pattern: string, multiline: boolean): Span[] {
  const flags = ['--no-config', '--json', '--engine=auto', '--ignore-case', '--crlf'];
  const spanning = multiline ? ['--multiline', '--multiline-dotall'] : [];
  const args = [...flags, ...spanning, '-e', pattern, './p'];
  const lineAt = (byte: number): number => Buffer.from(text).subarray(0, byte).toString().split('\n').length;
  let stream = '';
  try {
    stream = execFileSync(rgPath, args, { cwd: workspace.root, encoding: 'utf8' });
  } catch (thrown) {
    if (Reflect.get(Object(thrown), 'status') !== 1) throw thrown;
  }
  return stream
    .split('\n')
    .filter((line) => line.startsWith('{"type":"match"'))
    .flatMap((line) => {
      const { data } = JSON.parse(line) as RipgrepRecord;
      return (multiline ? data.submatches : data.submatches.slice(0, 1)).map(({ start, end }) => ({
        from: lineAt(data.absolute_offset + start),
        to: lineAt(data.absolute_offset + Math.max(start, end - 1)),
      }));
    });
}

interface Page {
  readonly first: number;
  readonly matches: number;
  readonly before: number;
  readonly after: number;
}

/** `3:` matches, `4-` stands around a match. */
function marksOf(spans: readonly Span[], { first, matches, before, after }: Page, lines: number): string[] {
  const wanted = spans.slice(first, first + matches);
  const former = Math.max(0, ...spans.slice(0, first).map(({ to }) => to));
  const begin = wanted[0]?.from ?? Infinity;
  return Array.from({ length: lines }, (_, at) => at + 1)
    .filter((line) => line >= begin || line > former)
    .flatMap((line) => {
      if (wanted.some(({ from, to }) => from <= line && line <= to)) return [`${line}:`];
      return wanted.some(({ from, to }) => from - before <= line && line <= to + after) ? [`${line}-`] : [];
    });
}

async function shownBy(engine: SearchEngine, { first, matches, before, after }: Page): Promise<string[]> {
  const found: FileLines[] = [];
  const files = [{ path: 'p', maxMatches: first + matches, skip: first }];
  const request: LinesRequest = { files, before, after };
  const fail = (_: unknown, reason: string): never => expect.fail(reason);
  await engine.lines(request, { found: (_, lines) => void found.push(lines), failed: fail }, signal);
  return found.flatMap(({ lines }) => lines.map(({ line, column }) => `${line}${column === undefined ? '-' : ':'}`));
}

const SPANNING = [
  'a',
  'a\\nb',
  'a[^c]*?b',
  'b\\s+a',
  'a b|b\\na',
  'c\\n',
  '\\n',
  'a\\s*',
  '[^a]+',
  '\\nb',
  'b\\r?\\n?',
];
/** The last ones are for PCRE2, which is asked twice of texts with both line ends. */
const IN_LINES = ['a', 'a b', '[bc]', 'é|c', '(?=a)a', 'a(?! )', '(?<=a)b'];

const content = fc
  .array(fc.constantFrom('a', 'a', 'b', ' ', '\n', '\n', 'c', 'é', '\r\n'), { minLength: 1, maxLength: 40 })
  .map((all) => all.join(''));
const around = fc.nat(2);

const engines: Readonly<Record<string, (pattern: SearchPattern) => SearchEngine>> = {
  ripgrep: (pattern) => createRipgrepEngine({ program: rgPath, pattern, folder, env: {} }),
  'ripgrep, lines being too long to be held': (pattern) =>
    createRipgrepEngine({ program: rgPath, pattern, folder, env: {}, maxRecordBytes: 100 }),
  javascript: (pattern) => createJavaScriptEngine({ pattern, folder }),
};

describe.each([true, false])('the lines of a page of matches, multiline %s', (multiline) => {
  it.each(Object.keys(engines))(
    'are those of its own matches, and what stands around them (%s)',
    async (name) => {
      const patterns = fc.constantFrom(...(multiline ? SPANNING : IN_LINES));
      const size = fc.integer({ min: 1, max: 4 });
      const property = fc.asyncProperty(
        content,
        patterns,
        size,
        around,
        around,
        async (text, pattern, matches, before, after) => {
          await workspace.write({ p: text });
          const engine = engines[name]?.({ pattern, caseSensitive: false, fixedStrings: false, multiline });
          if (engine === undefined) expect.fail(name);
          const spans = spansOf(text, pattern, multiline);
          const lines = text.replace(/\n$/, '').split('\n').length;
          for (let first = 0; first < spans.length; first += matches) {
            const page = { first, matches, before, after };
            expect([page, await shownBy(engine, page)]).toEqual([page, marksOf(spans, page, lines)]);
          }
          await engine.close();
        },
      );
      // Before the second page's line stands one of the first page.
      await fc.assert(property, { numRuns: 60, examples: [['\n a\n', '[^a]+', 1, 1, 0]] });
    },
    60_000,
  );
});
