import { writeFileSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import { createTextSearcher } from '../javascript/text-searcher.js';
import type { SearchEngine, TextEngine } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { createRipgrepEngine } from './create-ripgrep-engine.js';

const never = new AbortController().signal;
const workspace = await createTempWorkspace({});
afterAll(async () => workspace.remove());
const folder = { path: workspace.root, workingDirectory: workspace.root };

const LINES = 'café one\n\none two\nzwei ONE\n  \ntwo one\n😀 one';
const TEXTS: Readonly<Record<string, string>> = {
  unix: `${LINES}\n`,
  unended: LINES,
  dos: `${LINES}\n`.replaceAll('\n', '\r\n'),
  'dos, unended': LINES.replaceAll('\n', '\r\n'),
  mixed: `${LINES}\r\n${LINES}\n`,
  'returned last': `${LINES}\r`,
  empty: '',
  long: `${'x'.repeat(3_000)}one${'y'.repeat(3_000)}\n${LINES}`,
};
const PATTERNS: readonly (readonly [pattern: string, multiline: boolean])[] = [
  ['one', false],
  ['one$', false],
  ['^$', false],
  ['^', false],
  ['o(?=ne)', false],
  ['(?<=two )one$', false],
  ['(?!x)$', false],
  ['one\\s+two', true],
  ['one\\n.*?one', true],
  ['x*', true],
  ['\\bone$', true],
  ['😀 (?=one)', true],
];

const PLAIN = { caseSensitive: false, fixedStrings: false, multiline: false };

function ripgrepFor(pattern: SearchPattern): SearchEngine & { readonly texts: TextEngine } {
  const engine = createRipgrepEngine({ program: rgPath, pattern, folder, env: {} });
  const { texts } = engine;
  if (texts === undefined) throw new Error('ripgrep takes texts');
  return { ...engine, texts };
}

/** Records all that is told, whichever sink it is for. */
function recorder(): {
  told: unknown[];
  counted: (...all: unknown[]) => void;
  found: (...all: unknown[]) => void;
  failed: (...all: unknown[]) => void;
  odd: (...all: unknown[]) => void;
} {
  const told: unknown[] = [];
  const record = (...all: unknown[]): void => void told.push(all);
  return { told, counted: record, found: record, failed: record, odd: record };
}

const around = { before: 1, after: 1 };

async function toldOf(texts: TextEngine, text: string, limits = { maxMatches: 4, skip: 0 }): Promise<unknown[]> {
  const sink = recorder();
  await texts.count({ path: 'a', text }, sink, never);
  await texts.lines({ path: 'a', ...limits, ...around, text }, sink, never);
  return sink.told;
}

describe('a text at hand', () => {
  it.each(PATTERNS)(
    'is searched as a file with it: %s, multiline %s',
    { timeout: 60_000 },
    async (pattern, multiline) => {
      const engine = ripgrepFor({ ...PLAIN, pattern, multiline });
      for (const [name, text] of Object.entries(TEXTS)) {
        writeFileSync(workspace.path('a'), text);
        const wanted = { path: 'a', maxMatches: 4, skip: 1 };
        const sink = recorder();
        await engine.countAnything({ folders: [], files: ['a'] }, sink, never);
        await engine.lines({ files: [wanted], ...around }, sink, never);
        expect([name, await toldOf(engine.texts, text, wanted)]).toEqual([name, sink.told]);
      }
    },
  );

  it('keeps a mark that is a character of it', async () => {
    const pattern = { ...PLAIN, pattern: '^\\x{feff}one' };
    const javascript = createTextSearcher({ pattern, folder });
    const told = await toldOf(ripgrepFor(pattern).texts, '\ufeffone\n');
    expect(told).toHaveLength(2);
    expect(told).toEqual(await toldOf(javascript, '\ufeffone\n'));
    await javascript.close();
  });

  it('tells what PCRE2 finds too much in it of the text alone', async () => {
    const engine = ripgrepFor({ ...PLAIN, pattern: '(?:a+)+[bc](?=x)' });
    const told = await toldOf(engine.texts, `${'a'.repeat(100)}!\n`);
    const failure = ['a', 'PCRE2: error matching: match limit exceeded'];
    expect(told).toEqual([failure, failure]);
  });

  it('is not read further than it is needed, and ends with the signal', { timeout: 30_000 }, async () => {
    const text = 'a\n'.repeat(20_000_000);
    const engine = ripgrepFor({ ...PLAIN, pattern: 'a' });
    const sink = recorder();
    await engine.texts.lines({ path: 'a', maxMatches: 1, before: 0, after: 0, text }, sink, never);
    expect(sink.told).toHaveLength(1);
    const start = performance.now();
    const counting = engine.texts.count({ path: 'a', text }, recorder(), AbortSignal.timeout(10));
    await expect(counting).rejects.toThrow('timeout');
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
