import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import type { FileLines } from '../../report/shown-line.js';
import { createJavaScriptEngine } from '../javascript/create-javascript-engine.js';
import type { SearchEngine } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { createRipgrepEngine } from './create-ripgrep-engine.js';
import { PlacedLines } from './lines-at-places.js';

const workspace = await createTempWorkspace();
afterAll(async () => workspace.remove());
beforeEach(() => {
  rmSync(workspace.root, { recursive: true, force: true });
  mkdirSync(workspace.root);
});

const never = new AbortController().signal;
const folder = { path: workspace.root, workingDirectory: workspace.root };

type Wanted = Partial<SearchPattern> & { readonly pattern: string };

function ripgrepFor(wanted: Wanted, maxRecordBytes?: number): SearchEngine {
  const pattern = { caseSensitive: false, fixedStrings: false, multiline: false, ...wanted };
  return createRipgrepEngine({
    program: rgPath,
    pattern,
    folder,
    env: {},
    ...(maxRecordBytes !== undefined && { maxRecordBytes }),
  });
}

function javascriptFor(wanted: Wanted): SearchEngine {
  return createJavaScriptEngine({
    pattern: { caseSensitive: false, fixedStrings: false, multiline: false, ...wanted },
    folder,
  });
}

interface Shown {
  readonly maxMatches: number;
  readonly before: number;
  readonly after: number;
}

async function linesOf(
  engine: SearchEngine,
  files: readonly string[],
  { maxMatches, before, after }: Shown,
): Promise<Record<string, FileLines>> {
  const told: Record<string, FileLines> = {};
  await engine.lines(
    { files: files.map((path) => ({ path, maxMatches })), before, after },
    {
      found: (path, lines) => (told[path] = lines),
      failed: (path, reason) => expect.fail(`${path}: ${reason}`),
    },
    never,
  );
  await engine.close();
  return told;
}

const word = fc.constantFrom('foo', 'bar', 'Foo', 'é', '😀', '数', ' ', '"', '\\', '"},"start":1,"end":2}', '\t');
const filler = fc
  .tuple(fc.constantFrom('-', '=é', '😀', '"\\'), fc.nat(700))
  .map(([part, count]) => part.repeat(count));
const line = fc.array(fc.oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: filler }), { maxLength: 6 });
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n', '\n\n')), { maxLength: 12 })
  .map((lines) => lines.flat(2).join(''));
const bytes = fc.tuple(text, fc.boolean(), fc.constantFrom('utf8', 'marked', 'utf16')).map(([all, isCut, encoding]) => {
  const whole = isCut ? all.replace(/\r?\n$/, '') : all;
  if (encoding === 'utf16') return Buffer.from(`\ufeff${whole}`, 'utf16le');
  return Buffer.from(encoding === 'marked' ? `\ufeff${whole}` : whole);
});

describe('lines that are too long to be held', () => {
  it('are shown as all others are', { timeout: 60_000 }, async () => {
    const shown = fc.record({
      maxMatches: fc.integer({ min: 1, max: 4 }),
      before: fc.nat(2),
      after: fc.nat(2),
    });
    const pattern = fc.constantFrom('foo', 'bar|😀', 'o+', '[^-=]foo', 'é', '"');
    const spans = fc.constantFrom('foo', 'foo[^o]*bar', '(?:foo|bar)\\s+', 'o\\n+', '\\nf', 'foo.*');
    const wanted = fc.oneof(
      pattern.map((each): Wanted => ({ pattern: each })),
      spans.map((each): Wanted => ({ pattern: each, multiline: true })),
    );
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(bytes, { minLength: 1, maxLength: 3 }),
        wanted,
        shown,
        async (contents, how, limits) => {
          const files = contents.map((content, index) => {
            writeFileSync(workspace.path(`${index}`), content);
            return `${index}`;
          });
          const held = await linesOf(ripgrepFor(how), files, limits);
          cut += Object.values(held).filter(({ lines }) =>
            lines.some(({ cutBefore, cutAfter }) => cutBefore + cutAfter > 0),
          ).length;
          expect(await linesOf(ripgrepFor(how, 320), files, limits)).toEqual(held);
          expect(await linesOf(ripgrepFor(how, 900), files, limits)).toEqual(held);
        },
      ),
      { numRuns: 60 },
    );
    expect(cut).toBeGreaterThan(5);
  });

  it(
    'are shown around their first match, with its true column, in whatever encoding',
    { timeout: 60_000 },
    async () => {
      const long = `${'é'.repeat(6 << 20)}"needle${'z'.repeat(2 << 20)}`;
      const all = `first\n${long}\nlast needle\n`;
      writeFileSync(workspace.path('utf8'), all);
      writeFileSync(workspace.path('utf16'), Buffer.from(`\ufeff${all}`, 'utf16le'));
      for (const multiline of [false, true]) {
        const wanted = { pattern: 'needle', multiline };
        const limits = { maxMatches: 2, before: 1, after: 1 };
        const found = await linesOf(ripgrepFor(wanted), ['utf8', 'utf16'], limits);
        expect(found).toEqual(await linesOf(javascriptFor(wanted), ['utf8', 'utf16'], limits));
        expect(found['utf16']).toEqual(found['utf8']);
        expect(found['utf8']?.lines.map(({ line: number, column }) => [number, column])).toEqual([
          [1, undefined],
          [2, (6 << 20) + 2],
          [3, 6],
        ]);
        expect(found['utf8']?.lines[1]?.text).toMatch(/^é{149}"needlez+$/);
      }
    },
  );

  it('of many matches that follow one another each has its own', { timeout: 60_000 }, async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `foo ${index} ${'-'.repeat(50)}\n`);
    writeFileSync(workspace.path('many'), lines.join(''));
    const wanted = { pattern: 'foo.*?\\n', multiline: true };
    const limits = { maxMatches: 500, before: 0, after: 2 };
    const found = await linesOf(ripgrepFor(wanted), ['many'], limits);
    expect(found).toEqual(await linesOf(javascriptFor(wanted), ['many'], limits));
    expect([found['many']?.matches, found['many']?.lines.length]).toEqual([500, 502]);
  });

  it('tell nothing of matches that are gone from the file', () => {
    const lines = new PlacedLines({
      places: [3, 30].map((start) => ({ start, end: start + 1 })),
      before: 0,
      after: 0,
      skip: 0,
    });
    lines.push(Buffer.from('ab\ncd\n'));
    expect(lines.finish()).toEqual({
      matches: 1,
      lines: [{ line: 2, column: 1, text: 'cd', cutBefore: 0, cutAfter: 0 }],
    });
  });

  it('are shown around the first match that is not to be skipped', () => {
    const places = [3, 5_000, 9_000].map((start) => ({ start, end: start + 1 }));
    for (const [skip, column] of [1, 4_998, 8_998].entries()) {
      const lines = new PlacedLines({ places: places.slice(0, skip + 1), before: 0, after: 0, skip });
      for (const piece of ['ab\ny', 'x'.repeat(4_000), `${'x'.repeat(6_000)}\nend\n`]) lines.push(Buffer.from(piece));
      const shown = lines.finish().lines.find((each) => each.line === 2);
      expect(shown).toMatchObject({ column, cutBefore: Math.max(0, column - 151) });
    }
  });
});

it('lines at places are the same in whatever pieces they come', () => {
  const places = fc.uniqueArray(fc.nat(3_000), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      text,
      places,
      fc.array(fc.nat(3_000), { maxLength: 9 }),
      fc.nat(2),
      fc.nat(2),
      (all, starts, cuts, before, after) => {
        const whole = Buffer.from(all);
        const request = {
          places: starts.toSorted((a, b) => a - b).map((start) => ({ start, end: start + 2 })),
          before,
          after,
          skip: 0,
        };
        const take = (pieces: readonly Buffer[]): FileLines => {
          const lines = new PlacedLines(request);
          // Each piece is overwritten when the next one comes.
          for (const piece of pieces) {
            const own = Buffer.from(piece);
            lines.push(own);
            own.fill(0);
          }
          return lines.finish();
        };
        const at = [0, ...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.subarray(at[index], end));
        expect(take(pieces)).toEqual(take([whole]));
      },
    ),
  );
});
