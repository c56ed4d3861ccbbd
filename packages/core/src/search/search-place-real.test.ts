import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { rgPath } from '@vscode/ripgrep';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { engineFactories } from '../tools/ripGrep.js';
import type { EngineFactory } from './engine-chain.js';
import type { SearchOutcome } from './report/search-outcome.js';
import { SearchIndex } from './search-index.js';
import { countIgnored, countPlace, OutcomeCollector, placeLines } from './search-place.js';
import type { PlaceSearch, SearchedPlace } from './search-place.js';
import type { WalkedFolder, WalkOptions } from './tree/walked-folder.js';

const ENV = { PATH: '/usr/bin:/bin' };

interface Setting {
  readonly root: string;
  readonly index?: PlaceSearch['index'];
  readonly pattern?: string;
  readonly signal?: AbortSignal;
  readonly engine?: 'auto' | 'ripgrep' | 'javascript';
  readonly programs?: readonly string[];
  readonly place?: Partial<SearchedPlace>;
  readonly onFound?: () => void;
}

const cleanups: (() => Promise<void>)[] = [];
const shared = new SearchIndex();

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
afterAll(async () => shared.close());

async function workspaceOf(entries: Parameters<typeof createTempWorkspace>[0]): Promise<TempWorkspace> {
  const workspace = await createTempWorkspace(entries);
  cleanups.push(async () => workspace.remove());
  return workspace;
}

function placeOf({ root, place }: Setting): SearchedPlace {
  return { folder: { path: root, workingDirectory: root }, includeIgnored: false, ...place };
}

function searchOf(setting: Setting): PlaceSearch {
  const { root, index = shared, pattern = 'needle', signal, engine = 'ripgrep', programs = [rgPath] } = setting;
  const wanted = { pattern, caseSensitive: false, fixedStrings: false, multiline: false };
  return {
    pattern: wanted,
    index,
    roots: [root],
    engines: engineFactories(wanted, { programs, env: ENV, threads: shared.threads, choice: engine }),
    signal: signal ?? new AbortController().signal,
  };
}

async function outcomeOf(setting: Setting): Promise<SearchOutcome> {
  const collector = new OutcomeCollector(setting.onFound);
  await countPlace(placeOf(setting), searchOf(setting), collector);
  return collector.outcome(setting.index ?? shared, undefined);
}

function countsOf(outcome: SearchOutcome, root: string): Record<string, number> {
  return Object.fromEntries(
    Array.from(outcome.files, ({ path, matches }) => [path.slice(root.length + 1), matches] as const),
  );
}

/** What ripgrep itself counts in every file that no rule hides. */
function ripgrepCounts(root: string, pattern: string): Record<string, number> {
  const args = [
    '--no-config',
    '-c',
    '-i',
    '--hidden',
    '--no-require-git',
    '-g',
    '!.git',
    '--null',
    '-e',
    pattern,
    './',
  ];
  let output = '';
  try {
    output = execFileSync(rgPath, args, { cwd: root, encoding: 'utf8' });
  } catch (thrown) {
    // 1: nothing found.
    if ((thrown as { status?: unknown }).status !== 1) throw thrown;
  }
  const lines = output.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines
      .map((line) => line.split('\0'))
      .map(([path = '', matches]) => [path.replace(/^\.\//, ''), Number(matches)] as const),
  );
}

/** The engine, noting how many files it is given to count. */
function countingFiles(factory: EngineFactory, given: number[]): EngineFactory {
  return (folder) => {
    const engine = factory(folder);
    return {
      name: engine.name,
      countAnything: async (targets, sink, signal) => {
        given.push(targets.files.length + targets.folders.reduce((sum, { names }) => sum + names.length, 0));
        await engine.countAnything(targets, sink, signal);
      },
      lines: async (request, sink, signal) => engine.lines(request, sink, signal),
      checkPattern: async (signal) => engine.checkPattern(signal),
      close: async () => engine.close(),
    };
  };
}

const name = fc.constantFrom('a', 'b', 'c', 'x y', '-dash', 'näme', '.hidden', 'build');
const path = fc
  .tuple(fc.array(name, { maxLength: 3 }), name, fc.constantFrom('.ts', '.txt', ''))
  .map(([folders, last, extension]) => [...folders.map((folder) => `d${folder}`), last + extension].join('/'));
const text = fc
  .array(fc.constantFrom('needle', 'NEEDLE two needle', 'nothing here', '', 'größe', '// some longer line of text'), {
    maxLength: 6,
  })
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
const ignoreFile = fc.constantFrom('*.txt\n', 'da/\n', '/b.ts\n!b.ts\n', '');
const entries = fc
  .tuple(fc.dictionary(path, text, { maxKeys: 40 }), fc.option(ignoreFile))
  .map(([files, ignore]) => ({ ...files, ...(ignore !== null && { '.gitignore': ignore }) }));

describe('a search with real engines', () => {
  it(
    'counts what ripgrep counts: first, after learning, and after changes in between',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(entries, fc.dictionary(path, text, { maxKeys: 6 }), async (first, changes) => {
          const workspace = await createTempWorkspace(withoutClashes(first));
          const index = new SearchIndex();
          try {
            const check = async (): Promise<void> => {
              for (const pattern of ['needle', 'größe', String.raw`two\s+n`]) {
                const outcome = await outcomeOf({ root: workspace.root, index, pattern });
                expect(countsOf(outcome, workspace.root)).toEqual(ripgrepCounts(workspace.root, pattern));
                expect(outcome.notSearched.failed).toBe(0);
              }
            };
            await check();
            await index.content.settled();
            await check();
            await workspace.write(withoutClashes(changes, first));
            await check();
            await index.content.settled();
            await check();
          } finally {
            await index.close();
            await workspace.remove();
          }
        }),
        { numRuns: 12 },
      );
    },
  );

  it.each(['ripgrep', 'javascript'] as const)(
    'finds text in every encoding and counts binary files, learned or not (%s)',
    { timeout: 60_000 },
    async (engine) => {
      const { root } = await workspaceOf({
        'plain.txt': 'a needle\n',
        'latin.txt': Buffer.from('Grüße, needle, öfter schöne Wörter für Müller\n', 'latin1'),
        'wide.txt': Buffer.from('\ufeffa needle\nand a needle\n', 'utf16le'),
        'binary.bin': Buffer.from([0, 1, 2, 3, 0, 0xff, 0xfe, 0, ...Buffer.from('needle'), 0, 0, 7, 0]),
        'sub/none.txt': 'nothing\n',
      });
      await writeFile(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), 'a needle');
      const unnamable = Buffer.concat([Buffer.from(`${root}/sub/`), Buffer.from([0xe9])]);
      await mkdir(unnamable);
      for (let at = 0; at < 20; at++) await writeFile(Buffer.concat([unnamable, Buffer.from(`/${at}`)]), 'nothing');
      const index = new SearchIndex();
      cleanups.push(async () => index.close());
      // What changed a moment ago is not learned.
      await sleep(150);
      const first = await outcomeOf({ root, index, engine });
      expect(countsOf(first, root)).toEqual({ 'latin.txt': 1, 'plain.txt': 1, 'wide.txt': 2, 'caf\udce9': 1 });
      expect(first).toMatchObject({ total: 5, engine, searchedFiles: 25, notSearched: { binary: 1, failed: 0 } });
      await index.content.settled();
      expect(index.content.knowsAny).toBe(true);
      expect(await outcomeOf({ root, index, engine })).toEqual(first);
    },
  );

  it('uses its own engine where there is no ripgrep, or none that starts (S106)', { timeout: 60_000 }, async () => {
    const { root } = await workspaceOf({ 'a.txt': 'needle\nneedle\n', 'b.txt': 'nothing' });
    const engineWith = async (programs: readonly string[]): Promise<unknown[]> => {
      const outcome = await outcomeOf({ root, engine: 'auto', programs, pattern: '(?=n)needle' });
      return [outcome.engine, countsOf(outcome, root)];
    };
    const counts = { 'a.txt': 2 };
    expect(await engineWith([rgPath])).toEqual(['ripgrep', counts]);
    expect(await engineWith([join(root, 'none', 'rg')])).toEqual(['javascript', counts]);
    expect(await engineWith([])).toEqual(['javascript', counts]);
  });

  it(
    'opens only the files that can match when it is repeated, and any that changed (S111)',
    { timeout: 60_000 },
    async () => {
      const files = Array.from(
        { length: 300 },
        (_, at) => [`d${at % 7}/f${at}.txt`, `text number ${at} of many\n`] as const,
      );
      const { root } = await workspaceOf({ ...Object.fromEntries(files), 'd1/that.txt': 'one needle\n' });
      const index = new SearchIndex();
      cleanups.push(async () => index.close());
      const given: number[] = [];
      const sumOf = (numbers: number[]): number => numbers.splice(0).reduce((sum, amount) => sum + amount, 0);
      const run = async (): Promise<readonly [Record<string, number>, number]> => {
        const search = searchOf({ root, index });
        const engines = search.engines.map((factory) => countingFiles(factory, given));
        const collector = new OutcomeCollector();
        await countPlace(placeOf({ root }), { ...search, engines }, collector);
        const outcome = await collector.outcome(index, undefined);
        return [countsOf(outcome, root), outcome.searchedFiles];
      };
      // What changed a moment ago is not learned.
      await sleep(300);
      expect(await run()).toEqual([{ 'd1/that.txt': 1 }, 301]);
      expect(sumOf(given)).toBe(301);
      await index.content.settled();
      expect(await run()).toEqual([{ 'd1/that.txt': 1 }, 301]);
      expect(sumOf(given)).toBeLessThan(5);
      await writeFile(join(root, 'd3/f3.txt'), 'a needle too\n');
      expect(await run()).toEqual([{ 'd1/that.txt': 1, 'd3/f3.txt': 1 }, 301]);
      expect(sumOf(given)).toBeLessThan(6);
    },
  );

  it('shows lines of sound and of decoded files', { timeout: 60_000 }, async () => {
    const { root } = await workspaceOf({
      'plain.txt': 'one\na needle\n',
      'latin.txt': Buffer.from('Grüße\nneedle, öfter schöne Wörter für Müller\n', 'latin1'),
    });
    const collector = new OutcomeCollector();
    await countPlace(placeOf({ root }), searchOf({ root }), collector);
    const files = ['plain.txt', 'latin.txt'].map((one) => ({ path: one, maxMatches: 10 }));
    const wanted = { files, before: 1, after: 0, collector };
    const { found: lines } = await placeLines(placeOf({ root }), searchOf({ root }), wanted);
    expect(lines.get('plain.txt')?.lines.map((line) => line.text)).toEqual(['one', 'a needle']);
    expect(lines.get('latin.txt')?.lines.map((line) => line.text)).toEqual([
      'Grüße',
      'needle, öfter schöne Wörter für Müller',
    ]);
  });

  it('tells a file that vanished after the walk, and goes on', { timeout: 60_000 }, async () => {
    const { root } = await workspaceOf({ 'a.txt': 'needle', 'b.txt': 'needle' });
    async function* thenGone(options: WalkOptions): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
      yield* shared.tree.walk(options);
      await unlink(join(root, 'a.txt'));
    }
    const index = { ...servicesOf(shared), tree: { walk: thenGone } };
    const outcome = await outcomeOf({ root, index });
    expect(countsOf(outcome, root)).toEqual({ 'b.txt': 1 });
    expect(outcome).toMatchObject({ searchedFiles: 1, notSearched: { failed: 1 } });
    expect(outcome.notSearched.failures[0]).toContain(join(root, 'a.txt'));
  });

  it(
    'leaves no process behind when it is ended in the middle, and keeps what was found',
    { timeout: 60_000 },
    async () => {
      const long = `needle\n${'a line without it, again and again\n'.repeat(3_000)}`;
      const { root } = await workspaceOf(
        Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`d${at % 7}/f${at}.txt`, long])),
      );
      const controller = new AbortController();
      const reason = new Error('enough');
      const collector = new OutcomeCollector(() => controller.abort(reason));
      const setting = { root, signal: controller.signal };
      const before = childrenOfThis();
      await expect(countPlace(placeOf(setting), searchOf(setting), collector)).rejects.toBe(reason);
      // Of those that were there, one that an earlier search ended may go meanwhile.
      expect(childrenOfThis().filter((child) => !before.includes(child))).toEqual([]);
      const outcome = await collector.outcome(shared, 'time-limit');
      expect(outcome.files.length).toBeGreaterThan(0);
      expect(Array.from(outcome.files).every(({ matches }) => matches === 1)).toBe(true);
      expect(outcome.searchedFiles).toBeGreaterThanOrEqual(outcome.files.length);
    },
  );

  it('says which pattern is wrong, even in an empty folder', { timeout: 60_000 }, async () => {
    const { root } = await workspaceOf({});
    await expect(outcomeOf({ root, pattern: '(' })).rejects.toMatchObject({ code: 'invalid_pattern' });
    await mkdir(join(root, 'sub'));
    await expect(outcomeOf({ root, pattern: '(' })).rejects.toMatchObject({ code: 'invalid_pattern' });
    await rm(join(root, 'sub'), { recursive: true });
  });
});

describe('what .gitignore hides', () => {
  const hidden = {
    '.gitignore': 'node_modules/\n*.log\n',
    '.qwenignore': 'secret/\n',
    'a.txt': 'nothing',
    'node_modules/one/index.js': 'needle',
    'node_modules/two/index.ts': 'needle',
    'node_modules/two/.gitignore': '*\n',
    'sub/x.log': 'needle\nneedle',
    'sub/y.log': 'nothing',
    'secret/x.log': 'needle',
  };

  it('is counted when asked for, but never what .qwenignore hides', { timeout: 60_000 }, async () => {
    const { root } = await workspaceOf(hidden);
    expect((await outcomeOf({ root })).total).toBe(0);
    expect(await countIgnored(placeOf({ root }), searchOf({ root }))).toEqual({ files: 3, isExact: true });
    const wants = (one: string): boolean => one.endsWith('.js');
    const place = { wants };
    expect(await countIgnored(placeOf({ root, place }), searchOf({ root }))).toEqual({ files: 1, isExact: true });
    expect((await outcomeOf({ root, place: { includeIgnored: true } })).total).toBe(4);
  });

  it('is decoded where that is needed, and ruled out once it is known', { timeout: 60_000 }, async () => {
    const { root } = await workspaceOf({
      '.gitignore': 'out/\n',
      'a.txt': 'nothing',
      'out/latin.txt': Buffer.from('Grüße, needle und schöne Wörter für Müller\n', 'latin1'),
      'out/plain.txt': 'needle',
      'out/other.txt': 'nothing',
      'out/image.png': Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 110, 101]),
    });
    const index = new SearchIndex();
    cleanups.push(async () => index.close());
    for (let round = 0; round < 3; round++) {
      // What changed a moment ago is not learned.
      await sleep(150);
      const collector = new OutcomeCollector();
      const search = searchOf({ root, index, pattern: 'needle' });
      await countPlace(placeOf({ root }), search, collector);
      const counted = await countIgnored(placeOf({ root }), search, { collector, maxMs: 10_000 });
      expect(counted).toEqual({ files: 2, isExact: true });
      await index.content.settled();
    }
    const pieces = [{ folder: 'out', names: ['image.png', 'latin.txt', 'other.txt', 'plain.txt'] }];
    const { pattern, signal } = searchOf({ root });
    expect(await index.content.known(root, pieces, { pattern }, signal)).toMatchObject({
      candidates: [{ folder: 'out', names: ['plain.txt'] }],
      odd: ['out/latin.txt'],
      binary: 1,
      ruledOut: 1,
    });
  });

  it('is counted within limits', { timeout: 60_000 }, async () => {
    const { root } = await workspaceOf(hidden);
    const limits = { maxFiles: 1, maxMs: 10_000 };
    expect(await countIgnored(placeOf({ root }), searchOf({ root }), limits)).toMatchObject({ isExact: false });
    const none = { maxMs: 0 };
    expect(await countIgnored(placeOf({ root }), searchOf({ root }), none)).toEqual({ files: 0, isExact: false });
  });

  it('is nothing where nothing is hidden, or a file was named', { timeout: 60_000 }, async () => {
    const { root } = await workspaceOf({ 'a.txt': 'needle', '.qwenignore': 'b\n', b: 'needle' });
    expect(await countIgnored(placeOf({ root }), searchOf({ root }))).toBeUndefined();
    const place = { file: 'a.txt' };
    expect(await countIgnored(placeOf({ root, place }), searchOf({ root }))).toBeUndefined();
  });
});

function servicesOf({ tree, statter, content, guesses }: SearchIndex): PlaceSearch['index'] {
  return { tree, statter, content, guesses };
}

/** No path that is a file may be a folder of another. */
function withoutClashes<T>(files: Record<string, T>, others: Record<string, unknown> = {}): Record<string, T> {
  const all = [...Object.keys(files), ...Object.keys(others)];
  return Object.fromEntries(
    Object.entries(files).filter(
      ([one]) => !all.some((other) => other.startsWith(`${one}/`) || one.startsWith(`${other}/`)),
    ),
  );
}

/** Processes that this one has started and that live. */
function childrenOfThis(): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        // pid (name) state parent …; a name may hold anything, brackets too.
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
        return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(process.pid);
      } catch {
        return false;
      }
    });
}
