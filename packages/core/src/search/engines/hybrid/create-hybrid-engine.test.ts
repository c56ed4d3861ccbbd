import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import { createJavaScriptEngine } from '../javascript/create-javascript-engine.js';
import { createRipgrepEngine } from '../ripgrep/create-ripgrep-engine.js';
import type { SearchEngine, SearchTargets, TargetFolder, TellingSink } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { SearchThreads } from '../threads/search-threads.js';
import { THREAD_SOURCE } from '../threads/thread-source.js';
import { createHybridEngine } from './create-hybrid-engine.js';

const workspace = await createTempWorkspace();
const threads = new SearchThreads();
const threadsWithoutVectors = new SearchThreads({
  source: THREAD_SOURCE.replace('WebAssembly.Instance', 'WebAssembly.Missing'),
});
afterAll(async () => {
  await threads.close();
  await threadsWithoutVectors.close();
  await workspace.remove();
});
beforeEach(() => {
  rmSync(workspace.root, { recursive: true, force: true });
  mkdirSync(workspace.root);
});

const never = new AbortController().signal;
const folder = { path: workspace.root, workingDirectory: workspace.root };

interface Engines {
  readonly hybrid: SearchEngine;
  readonly ripgrep: SearchEngine;
  readonly javascript: SearchEngine;
  /** What the hybrid engine left to ripgrep. */
  readonly left: SearchTargets[];
  readonly leftLines: (readonly string[])[];
}

function enginesFor(pattern: string, how: Partial<SearchPattern> = {}, stallMs = 250, those = threads): Engines {
  const wanted = { pattern, caseSensitive: false, fixedStrings: false, multiline: false, ...how };
  const ripgrep = createRipgrepEngine({ program: rgPath, pattern: wanted, folder, env: {} });
  const left: SearchTargets[] = [];
  const leftLines: (readonly string[])[] = [];
  const heard: SearchEngine = {
    ...ripgrep,
    countAnything: async (targets, sink, signal) => {
      left.push(targets);
      await ripgrep.countAnything(targets, sink, signal);
    },
    lines: async (request, sink, signal) => {
      leftLines.push(request.files.map(({ path }) => path));
      await ripgrep.lines(request, sink, signal);
    },
  };
  return {
    hybrid: createHybridEngine({
      ripgrep: heard,
      threads: those,
      pattern: wanted,
      folder,
      choose: () => 'threads',
      stallMs,
    }),
    ripgrep,
    javascript: createJavaScriptEngine({ pattern: wanted, folder }),
    left,
    leftLines,
  };
}

interface Told extends TellingSink {
  readonly counts: Map<string, number>;
  readonly odds: string[];
  readonly failures: (string | undefined)[];
}

/** Fails when a file is told twice. */
function recorder(): Told {
  const [counts, odds, failures] = [new Map<string, number>(), [] as string[], [] as Told['failures']];
  const seen = new Set<string>();
  const once = (path: string): void => {
    if (seen.has(path)) throw new Error(`${path} was told twice`);
    seen.add(path);
  };
  return {
    counts,
    odds,
    failures,
    counted: (path, matches) => {
      once(path);
      counts.set(path, matches);
    },
    odd: (path) => {
      once(path);
      odds.push(path);
    },
    failed: (path) => void failures.push(path),
  };
}

const sorted = <Item>(items: Iterable<Item>): Item[] =>
  Array.from(items).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

async function count(engine: SearchEngine, targets: SearchTargets): Promise<unknown> {
  const told = recorder();
  await engine.countAnything(targets, told, never);
  return { counts: sorted(told.counts), odds: sorted(told.odds), failures: sorted(told.failures) };
}

async function linesOf(
  engine: SearchEngine,
  files: readonly string[],
  { maxMatches = 3, around = 1, skip = 0 } = {},
): Promise<unknown[]> {
  const told: unknown[] = [];
  await engine.lines(
    { files: files.map((path) => ({ path, maxMatches: skip + maxMatches, skip })), before: around, after: around },
    { found: (path, lines) => told.push([path, lines]), failed: (path) => told.push([path]) },
    never,
  );
  return sorted(told);
}

const wholeFolder = (path: string, names: readonly string[]): TargetFolder => ({ folder: path, names, isWhole: true });

const END = fc.constantFrom('\n', '\n', '\r\n', '\n\n');
const WORD = fc.constantFrom(
  'foo',
  'foo',
  'Bar',
  'fooBar',
  'é',
  'É',
  '数',
  ' ',
  '  ',
  '\t',
  '1',
  '_',
  '-',
  '.',
  'k',
  '\u212a',
  'ſ',
);
const line = fc.array(WORD, { maxLength: 6 }).map((words) => words.join(''));
const text = fc.array(fc.tuple(line, END), { maxLength: 8 }).map((lines) => lines.flat().join(''));
const content = fc.oneof(
  { weight: 6, arbitrary: text.map((each) => Buffer.from(each)) },
  { weight: 1, arbitrary: text.map((each) => Buffer.from(`\ufeff${each}`)) },
  { weight: 1, arbitrary: text.map((each) => Buffer.from(`\ufeff${each}`, 'utf16le')) },
  { weight: 1, arbitrary: text.map((each) => Buffer.from(`\ufeff${each}\ud83d`, 'utf16le').swap16()) },
  { weight: 1, arbitrary: text.map((each) => Buffer.concat([Buffer.from(`\ufeff${each}`, 'utf16le'), Buffer.of(97)])) },
  { weight: 1, arbitrary: text.map((each) => Buffer.from(each, 'latin1')) },
  { weight: 1, arbitrary: text.map((each) => Buffer.from(`${each}\0`)) },
  { weight: 1, arbitrary: text.map((each) => Buffer.from(`${each}${'foo '.repeat(1500)}\n${each}`)) },
  { weight: 1, arbitrary: text.map((each) => Buffer.from(each.padEnd(4096, 'x\n'))) },
);
/** Of some thousand bytes, some longer than what is searched at once; what may match stands somewhere between. */
const stretch = fc
  .tuple(
    fc.constantFrom('x', ';', 'é ', '- ', 'foo;', 'xfoo-', 'x;', ' '),
    fc.constantFrom(0, 1, 70, 2500, 2500, 33_000),
  )
  .map(([word, times]) => word.repeat(times));
const CORES = [
  'foo',
  'foo bar',
  'foo  bar',
  'Foo12bar',
  'bar_é1',
  'foobar1',
  'foo(',
  '  foo',
  'éfoo;',
  'foo1bar;',
  'é;foo',
];
const longLine = fc
  .array(fc.tuple(stretch, fc.constantFrom(...CORES), stretch), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat().join(''));
const LONG_PATTERNS = [
  'foo',
  'foobar',
  'foo\\s+bar',
  'bar\\w*1',
  '\\bfoo\\b',
  '\\Bfoo;',
  '^foo',
  '^\\S*foo$',
  'foo$',
  'bar;?$',
  'foo.bar',
  'foo.{0,9}bar',
  '[é;]+foo',
  ';{3}foo',
  '(?:é ){2}foo',
  '^foo;',
  'x{3,}$',
  '\\b;?x{4,}\\b',
  'foo\\w*$',
  'foo(?:1|_)?bar',
  '\\s{2}foo|foo\\d',
  'é foo',
];
const PATTERNS = [
  'foo',
  'k',
  's',
  '^foo',
  'bar$',
  '\\bfoo\\b',
  'o+\\s',
  '[^a]{3}',
  'foo.*bar',
  '\\w+',
  '\\S+ \\S',
  '^$',
  'É|1',
  'foo|(?:b|B)ar',
  '\\W',
  '[a-f]x?\\d',
  '.{2,5}1',
  '^\\s*foo',
  'fook',
  'sfoo|skk',
  'k1s',
  'foo\\s*s+foo',
];

describe('ripgrep with threads', () => {
  it('counts and tells what ripgrep and JavaScript count and tell', async () => {
    const tree = fc.array(fc.tuple(fc.constantFrom('', 'p', 'p/q'), content), { minLength: 10, maxLength: 40 });
    const property = fc.asyncProperty(
      tree,
      fc.constantFrom(...PATTERNS),
      fc.boolean(),
      async (files, pattern, caseSensitive) => {
        rmSync(workspace.root, { recursive: true, force: true });
        mkdirSync(workspace.path('p/q'), { recursive: true });
        const paths = files.map(([place], index) => `${place}${place === '' ? '' : '/'}f${index}`);
        for (const [index, [, bytes]] of files.entries()) writeFileSync(workspace.path(paths[index] ?? ''), bytes);
        const namesIn = (place: string): string[] =>
          files.flatMap(([own], index) => (own === place ? [`f${index}`] : []));
        const folders = [wholeFolder('', namesIn('')), wholeFolder('p', namesIn('p'))];
        const targets = { folders, files: paths.filter((path) => path.startsWith('p/q/')) };
        const { hybrid, ripgrep, javascript } = enginesFor(pattern, { caseSensitive });
        const expected = await count(ripgrep, targets);
        expect(await count(hybrid, targets)).toEqual(expected);
        expect(await count(javascript, targets)).toEqual(expected);
        await javascript.close();
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it.each([
    ['with', threads],
    ['without', threadsWithoutVectors],
  ])('counts in long lines, where it does not look at all of them, %s vector instructions', async (_, those) => {
    const property = fc.asyncProperty(
      fc.array(longLine, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom(...LONG_PATTERNS),
      fc.boolean(),
      async (lines, end, pattern, caseSensitive) => {
        const texts = [...lines, lines.join(end), lines.map((each) => `${end}${each}`).join('')];
        const names = texts.map((_text, index) => `f${index}`);
        for (const [index, each] of texts.entries()) writeFileSync(workspace.path(`f${index}`), each);
        const targets = { folders: [], files: names };
        const { hybrid, ripgrep } = enginesFor(pattern, { caseSensitive }, 250, those);
        expect(await count(hybrid, targets)).toEqual(await count(ripgrep, targets));
      },
    );
    await fc.assert(property, { numRuns: 75 });
  });

  it('counts all but very large files and long lines itself', async () => {
    await workspace.write({ a: 'foo\n', b: `${'x'.repeat(5000)} foo\n` });
    writeFileSync(workspace.path('c'), `${'x\n'.repeat(17_000_000)}foo`);
    writeFileSync(workspace.path('d'), Buffer.from('\ufefffoo', 'utf16le'));
    const targets = { folders: [wholeFolder('', ['a', 'b', 'c', 'd'])], files: [] };
    const { hybrid, left } = enginesFor('.*foo');
    const counts = ['a', 'b', 'c', 'd'].map((name) => [name, 1]);
    expect(await count(hybrid, targets)).toEqual({ counts, odds: [], failures: [] });
    expect(left).toEqual([{ folders: [], files: ['b', 'c'] }]);
    const plain = enginesFor('foo');
    await count(plain.hybrid, targets);
    expect(plain.left).toEqual([{ folders: [], files: ['c'] }]);
  });

  it('counts in large files part by part, wherever lines and characters lie, and leaves what it cannot', async () => {
    const part = 64 * 1024;
    // Lines end before, at and behind the end of a part.
    const lines = (shift: number): string => `${'-'.repeat(shift)}\n${'foo é\n'.repeat(2.5 * (part / 7))}`;
    await workspace.write({ at: lines(0), near: lines(1), far: `\ufeff${lines(3)}foo` });
    writeFileSync(workspace.path('full'), `foo${'\n'.repeat(part - 3)}`);
    writeFileSync(workspace.path('twice'), `foo${'\n'.repeat(2 * part - 6)}foo`);
    writeFileSync(workspace.path('one-line'), `foo${'-'.repeat(2 * part)}`);
    writeFileSync(workspace.path('damaged'), Buffer.concat([Buffer.from(lines(2)), Buffer.from([0x80])]));
    writeFileSync(workspace.path('binary'), Buffer.concat([Buffer.alloc(100), Buffer.from(lines(0))]));
    writeFileSync(workspace.path('japanese'), `${lines(2)}foo \x1b$B$3$l\x1b(B`);
    writeFileSync(workspace.path('long-behind'), `foo\n${'-'.repeat(part)}foo\n`);
    writeFileSync(workspace.path('very-long'), `foo${'-'.repeat(9 * 1024 * 1024)}`);
    const names = [
      'at',
      'binary',
      'damaged',
      'far',
      'full',
      'japanese',
      'long-behind',
      'near',
      'one-line',
      'twice',
      'very-long',
    ];
    const targets = { folders: [wholeFolder('', names)], files: [] };
    const { hybrid, ripgrep, left } = enginesFor('foo');
    const expected = await count(ripgrep, targets);
    expect(await count(hybrid, targets)).toEqual(expected);
    expect(expected).toMatchObject({ odds: ['binary', 'damaged', 'japanese'] });
    expect(left).toEqual([{ folders: [], files: ['very-long'] }]);
    const linewise = enginesFor('fo.*');
    expect(await count(linewise.hybrid, targets)).toEqual(expected);
    expect(linewise.left.map(({ files }) => sorted(files))).toEqual([['long-behind', 'one-line', 'very-long']]);
  });

  it('counts in long lines itself where what the pattern repeats does not fill them', async () => {
    const words = 'foo bar;'.repeat(2_000);
    const edge = (run: number): string => `foo ${'a'.repeat(run)}\nfoo(${';'.repeat(5_000)}${'a'.repeat(run)};foo\n`;
    await workspace.write({
      words,
      more: words.repeat(100),
      within: edge(4_000),
      beyond: edge(4_200),
      é: 'é'.repeat(5_000),
    });
    const targets = { folders: [wholeFolder('', ['beyond', 'more', 'within', 'words', 'é'])], files: [] };
    const { hybrid, ripgrep, left } = enginesFor('fo\\w+\\(|foo\\s*b');
    const expected = await count(ripgrep, targets);
    expect(expected).toMatchObject({
      counts: [
        ['beyond', 1],
        ['more', 1],
        ['within', 1],
        ['words', 1],
      ],
    });
    expect(await count(hybrid, targets)).toEqual(expected);
    expect(left.map(({ files }) => sorted(files))).toEqual([['beyond', 'é']]);
  });

  it('gives large files back to whom would rather count them all together, and threads never see them again', async () => {
    await workspace.write({ a: 'foo', large: `foo${' '.repeat(12_000_000)}` });
    const { hybrid, left } = enginesFor('foo');
    const told = recorder();
    const kept: string[] = [];
    const targets = { folders: [], files: ['a', 'large'] };
    await hybrid.countAnything(targets, { ...told, left: (files) => void kept.push(...files) }, never);
    expect([kept, left, sorted(told.counts)]).toEqual([['large'], [], [['a', 1]]]);
    const again = { folders: [], files: kept, wereLeft: true };
    expect(await count(hybrid, again)).toMatchObject({ counts: [['large', 1]] });
    expect(left).toEqual([again]);
  });

  it('starts threads as soon as they are worth it, for a pattern that they understand', async () => {
    const started = new SearchThreads();
    const engineOf = (pattern: string): SearchEngine => {
      const wanted = { pattern, caseSensitive: false, fixedStrings: false, multiline: false };
      const ripgrep = createRipgrepEngine({ program: rgPath, pattern: wanted, folder, env: {} });
      return createHybridEngine({ ripgrep, threads: started, pattern: wanted, folder });
    };
    try {
      engineOf('(?<=a)b').expect?.(100_000);
      engineOf('foo').expect?.(100);
      await after(200);
      expect(started.state).toBe('cold');
      engineOf('foo').expect?.(1_000);
      await vi.waitFor(() => expect(started.state).toBe('warm'), { timeout: 10_000 });
    } finally {
      await started.close();
    }
  });

  it('hands everything that is not done to ripgrep when a pattern runs away, each file once', async () => {
    const names = Array.from({ length: 1_500 }, (_, index) => `f${index}`);
    for (const name of names) writeFileSync(workspace.path(name), name === 'f700' ? 'a'.repeat(4000) : 'aaaaaab\n');
    const targets = { folders: [wholeFolder('', names)], files: [] };
    const { hybrid, left } = enginesFor('a.*a.*a.*a.*a.*b');
    const told = recorder();
    await hybrid.countAnything(targets, told, never);
    expect(told.counts.size).toBe(1_499);
    expect(left[0]?.folders.flatMap((part) => part.names)).toContain('f700');
    expect(threads.state).not.toBe('busy');
  });

  it('leaves a pattern that is slow to ripgrep', async () => {
    const names = Array.from({ length: 800 }, (_, index) => `f${index}`);
    for (const name of names) writeFileSync(workspace.path(name), `${'a'.repeat(1000)}\n${'a'.repeat(1000)}b`);
    const { hybrid, left } = enginesFor('a.*a.*c|b');
    const told = recorder();
    await hybrid.countAnything({ folders: [wholeFolder('', names)], files: [] }, told, never);
    expect(told.counts.size).toBe(800);
    expect(left[0]?.folders.length).toBeGreaterThan(0);
  });

  it('does not take a pattern for slow because files are tiny', async () => {
    const names = Array.from({ length: 6_000 }, (_, index) => `f${index}`);
    for (const name of names) writeFileSync(workspace.path(name), 'b\n');
    const { hybrid, left } = enginesFor('wanted');
    await hybrid.countAnything({ folders: [wholeFolder('', names)], files: [] }, recorder(), never);
    expect(left).toEqual([]);
  });

  it('ends with the reason when it is aborted, and no thread goes on', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `f${index}`);
    for (const name of names) writeFileSync(workspace.path(name), 'a'.repeat(4000));
    const controller = new AbortController();
    const { hybrid } = enginesFor('a.*a.*a.*a.*a.*b', {}, 60_000);
    const searching = hybrid.countAnything(
      { folders: [wholeFolder('', names)], files: [] },
      recorder(),
      controller.signal,
    );
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(searching).rejects.toThrow('enough');
    expect(['cold', 'some']).toContain(threads.state);
    const again = enginesFor('a');
    expect(await count(again.hybrid, { folders: [], files: ['f1'] })).toMatchObject({ counts: [['f1', 1]] });
  });

  it('leaves patterns that it does not understand, and two searches at once, to ripgrep', async () => {
    await workspace.write({ a: 'foo' });
    const targets = { folders: [], files: ['a'] };
    const { hybrid, left } = enginesFor('(?<=f)oo');
    expect(await count(hybrid, targets)).toMatchObject({ counts: [['a', 1]] });
    expect(left).toEqual([targets]);
    await expect(count(enginesFor('(').hybrid, targets)).rejects.toMatchObject({ code: 'invalid_pattern' });
    const lease = await threads.lease();
    const plain = enginesFor('foo');
    expect(await count(plain.hybrid, targets)).toMatchObject({ counts: [['a', 1]] });
    expect(plain.left).toEqual([targets]);
    lease?.release();
  });

  it('lets searches take turns', async () => {
    await workspace.write({ a: 'foo', b: 'bar' });
    const targets = { folders: [], files: ['a', 'b'] };
    const searches = ['foo', 'bar', 'a', 'o'].map((pattern) => enginesFor(pattern));
    const told = await Promise.all(searches.map(async ({ hybrid }) => count(hybrid, targets)));
    expect(told).toMatchObject([{ counts: [['a', 1]] }, { counts: [['b', 1]] }, { counts: [['b', 1]] }, {}]);
    expect(searches.flatMap(({ left }) => left)).toEqual([]);
    const aborted = enginesFor('foo').hybrid.countAnything(targets, recorder(), AbortSignal.abort(new Error('over')));
    await expect(aborted).rejects.toThrow('over');
    expect(threads.state).toBe('warm');
  });
});

describe('the lines of files', () => {
  it('are those that ripgrep tells, whether threads are there or not', async () => {
    const shown = fc.array(content, { minLength: 1, maxLength: 8 });
    const limits = fc.record({ maxMatches: fc.integer({ min: 1, max: 4 }), around: fc.nat(3), skip: fc.nat(2) });
    const property = fc.asyncProperty(shown, fc.constantFrom(...PATTERNS), limits, async (files, pattern, how) => {
      rmSync(workspace.root, { recursive: true, force: true });
      mkdirSync(workspace.path('p'), { recursive: true });
      const names = files.map((_, index) => `${index % 2 === 0 ? 'p/' : ''}f${index}`);
      for (const [index, bytes] of files.entries()) writeFileSync(workspace.path(names[index] ?? ''), bytes);
      threads.warm();
      await vi.waitFor(() => expect(threads.canLook).toBe(true));
      const { hybrid, ripgrep } = enginesFor(pattern);
      const expected = await linesOf(ripgrep, names, how);
      expect(await linesOf(hybrid, names, how)).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 75 });
  });

  it('need no ripgrep where a thread is there, and tell nothing of links and files that are gone', async () => {
    await workspace.write({ 'p/a': 'x\nfoo\n', b: 'none' });
    symlinkSync('p/a', workspace.path('link'));
    threads.warm();
    await vi.waitFor(() => expect(threads.canLook).toBe(true));
    const { hybrid, leftLines } = enginesFor('foo');
    const told = await linesOf(hybrid, ['p/a', 'b']);
    expect(told).toMatchObject([['p/a', { matches: 1, lines: [{ line: 1 }, { line: 2, column: 1, text: 'foo' }] }]]);
    expect(leftLines).toEqual([]);
    expect(await linesOf(hybrid, ['link', 'p/gone', 'p/a'])).toMatchObject([['link'], ['p/a', {}], ['p/gone']]);
    expect(leftLines).toEqual([['link', 'p/gone']]);
  });

  it('are left to ripgrep by a thread in which the pattern runs away', async () => {
    await workspace.write({ a: `${'a'.repeat(4000)}\n`.repeat(50), b: 'aaaaaab\n' });
    threads.warm();
    await vi.waitFor(() => expect(threads.canLook).toBe(true));
    const { hybrid, ripgrep, leftLines } = enginesFor('a.*a.*a.*a.*a.*b');
    expect(await linesOf(hybrid, ['a', 'b'])).toEqual(await linesOf(ripgrep, ['a', 'b']));
    expect(leftLines).toEqual([['a', 'b']]);
  });
});

describe('the lines of a large file', () => {
  it('are found part by part by a thread, as ripgrep tells them', async () => {
    const filler = (lines: number): string => 'é some words of a line\n'.repeat(lines);
    const place = fc.integer({ min: 0, max: 12_000 });
    const file = fc.record({
      gaps: fc.array(place, { minLength: 1, maxLength: 4 }),
      // So that parts of 64 KiB end anywhere in a line.
      shift: fc.nat(30),
      isLong: fc.boolean(),
      end: fc.constantFrom('', '\n', 'foo', '\r\n'),
    });
    const limits = fc.record({ maxMatches: fc.integer({ min: 1, max: 5 }), around: fc.nat(3), skip: fc.nat(2) });
    threads.warm();
    await vi.waitFor(() => expect(threads.canLook).toBe(true));
    const property = fc.asyncProperty(file, limits, async ({ gaps, shift, isLong, end }, how) => {
      const middle = isLong ? `foo${'-'.repeat(100_000)}\n` : '';
      const parts = gaps.map((lines) => `${filler(lines)}a foo here\nfoo\n${middle}`);
      await workspace.write({ a: `${'-'.repeat(shift)}\n${parts.join('')}${end}`, b: 'foo' });
      const { hybrid, ripgrep, leftLines } = enginesFor('foo');
      expect(await linesOf(hybrid, ['a', 'b'], how)).toEqual(await linesOf(ripgrep, ['a', 'b'], how));
      expect(leftLines).toEqual([]);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it('are cut around the match where a line is long, wherever in it that is, and whatever stands around', async () => {
    const gap = fc.record({ unit: fc.constantFrom('-', 'é', '€', '😀', 'a😀', ' '), times: fc.nat(9_000) });
    const word = fc.constantFrom('foo', 'FOO(', 'foobar ', 'éfoo', '😀foo😀', 'fo', '', '\n', '\r\n', 'xfoo1');
    const file = fc.record({
      parts: fc.array(fc.tuple(gap, word), { minLength: 1, maxLength: 6 }),
      end: fc.constantFrom('', '\n', '\r\n', '\r'),
    });
    const limits = fc.record({ maxMatches: fc.integer({ min: 1, max: 4 }), around: fc.nat(2), skip: fc.nat(2) });
    threads.warm();
    await vi.waitFor(() => expect(threads.canLook).toBe(true));
    const pattern = fc.constantFrom(
      'foo',
      'foo\\w',
      '\\bfoo',
      '\\w+foo',
      'foo.{0,3}',
      '[^-]foo\\b',
      'foo\\s*$',
      '^.?foo',
    );
    const property = fc.asyncProperty(file, pattern, limits, async ({ parts, end }, wanted, how) => {
      const a = parts.map(([{ unit, times }, found]) => unit.repeat(times) + found).join('') + end;
      await workspace.write({ a, b: 'foo' });
      const { hybrid, ripgrep } = enginesFor(wanted);
      expect(await linesOf(hybrid, ['a', 'b'], how)).toEqual(await linesOf(ripgrep, ['a', 'b'], how));
    });
    await fc.assert(property, { numRuns: 75 });
  });

  it('come soon, however often the pattern stands in one line', async () => {
    await workspace.write({ a: 'abcdefgh '.repeat(4_000_000), b: 'x\nabc' });
    const started = performance.now();
    const told = await linesOf(enginesFor('abc').hybrid, ['a', 'b']);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(told).toMatchObject([
      ['a', { matches: 1, lines: [{ line: 1, column: 1 }] }],
      ['b', { matches: 1, lines: [{ line: 1 }, { line: 2, column: 1 }] }],
    ]);
  });

  it('are those that ripgrep tells, and what JavaScript cannot hold is left to ripgrep', async () => {
    const lines = `${'needle and more\n'.repeat(400_000)}needle`;
    await workspace.write({ a: lines, b: `needle${' '.repeat(66 << 20)}`, c: 'needle' });
    const { hybrid, ripgrep } = enginesFor('need.e( \\w+)?');
    const told = await linesOf(hybrid, ['a', 'b', 'c', 'none']);
    expect(told).toEqual(await linesOf(ripgrep, ['a', 'b', 'c', 'none']));
    expect(told).toHaveLength(4);
  });

  it('are left to ripgrep when the pattern runs away', async () => {
    await workspace.write({ a: `${'a'.repeat(5 << 20)}\nab` });
    expect(await linesOf(enginesFor('a*b').hybrid, ['a'])).toMatchObject([['a', { matches: 1 }]]);
  });
});

describe.skipIf(process.platform === 'win32')('files that are not what they were', () => {
  it('tells them, and counts nothing outside', async () => {
    await workspace.write({ 'real/a': 'foo', 'real/b': 'foo', 'ok/a': 'foo', 'ok/gone': 'foo' });
    symlinkSync('real', workspace.path('linked'));
    symlinkSync('../real/a', workspace.path('ok/link'));
    execFileSync('mkfifo', [workspace.path('ok/pipe')]);
    rmSync(workspace.path('ok/gone'));
    const folders = [
      { folder: 'linked', names: ['a', 'b'], isWhole: false },
      { folder: 'ok', names: ['a', 'gone', 'link', 'pipe'], isWhole: false },
      { folder: 'nowhere', names: ['a'], isWhole: false },
    ];
    const told = (await count(enginesFor('foo').hybrid, { folders, files: [] })) as Record<string, unknown>;
    expect(told['counts']).toEqual([['ok/a', 1]]);
    expect(told['failures']).toEqual(['linked/a', 'linked/b', 'nowhere/a', 'ok/gone', 'ok/link', 'ok/pipe']);
  });

  it('searches names that are no UTF-8', async () => {
    const name = Buffer.concat([Buffer.from(`${workspace.root}/caf`), Buffer.from([0xe9])]);
    writeFileSync(name, 'foo');
    const told = await count(enginesFor('foo').hybrid, { folders: [], files: ['caf\udce9'] });
    expect(told).toEqual({ counts: [['caf\udce9', 1]], odds: [], failures: [] });
  });
});
