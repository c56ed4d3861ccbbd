import { setTimeout as after } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LegacyGuesses } from '../files/guess-legacy.js';
import { Failure } from '../util/failure.js';
import type { KnownContent } from './content/content-index.js';
import { countFiles, type FolderFiles } from './content/folder-files.js';
import type { SearchEngine, SearchTargets, TellingSink } from './engines/search-engine.js';
import { folderOf, pathBelow } from './paths.js';
import type { SearchOutcome } from './report/search-outcome.js';
import { countPlace, OutcomeCollector, type PlaceSearch, type SearchedPlace } from './search-place.js';
import type { WalkedFolder } from './tree/walked-folder.js';

// What happens between walk, knowledge and engines, with engines that do exactly what a test wants. Real ones: search-place-real.test.ts.

type Knowledge = 'unknown' | 'candidate' | 'text' | 'binary' | 'ruledOut';

interface FileOf {
  readonly matches: number;
  readonly knowledge?: Knowledge;
}

type Tree = Readonly<Record<string, FileOf>>;

const PATTERN = { pattern: 'x', caseSensitive: false, fixedStrings: false, multiline: false };
const PLACE: SearchedPlace = { folder: { path: '/w', workingDirectory: '/w' }, includeIgnored: false };

function folders(tree: Tree, isWhole: (folder: string) => boolean = () => true): WalkedFolder[] {
  const byFolder = new Map<string, string[]>();
  for (const path of Object.keys(tree).toSorted()) {
    const slash = path.lastIndexOf('/');
    const folder = slash === -1 ? '' : path.slice(0, slash);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), path.slice(slash + 1)]);
  }
  return [...byFolder].map(([folder, names]) => ({ folder, names, links: [], isWhole: isWhole(folder) }));
}

async function* atOnce(walked: readonly WalkedFolder[]): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
  yield walked;
}

/** An engine that knows how many matches each file has; `told` are the targets of its runs. */
function engineFor(tree: Tree, told: SearchTargets[] = [], change: Partial<SearchEngine> = {}): SearchEngine {
  const count = (paths: Iterable<string>, sink: Pick<TellingSink, 'counted'>): void => {
    for (const path of paths) if ((tree[path]?.matches ?? 0) > 0) sink.counted(path, tree[path]?.matches ?? 0);
  };
  return {
    name: 'ripgrep',
    countAnything: async (targets, sink) => {
      told.push(targets);
      // Of a whole folder all is searched that lies in it now.
      const whole = new Set(targets.folders.filter(({ isWhole }) => isWhole).map(({ folder }) => folder));
      const inWhole = Object.keys(tree).filter((one) => whole.has(folderOf(one)));
      const parts = targets.folders.filter(({ isWhole }) => !isWhole);
      const inParts = parts.flatMap(({ folder, names }) => names.map((name) => pathBelow(folder, name)));
      count([...inWhole, ...inParts, ...targets.files], sink);
    },
    lines: async () => undefined,
    checkPattern: async () => undefined,
    close: async () => undefined,
    ...change,
  };
}

interface Setting {
  readonly tree: Tree;
  readonly walk?: () => AsyncGenerator<readonly WalkedFolder[], void, undefined>;
  readonly engines?: readonly SearchEngine[];
  readonly signal?: AbortSignal;
  readonly learned?: string[];
}

function searchOf({ tree, walk, engines, signal, learned }: Setting): PlaceSearch {
  const knownOf = (pieces: readonly FolderFiles[]): KnownContent => {
    const is = (folder: string, name: string, ...wanted: readonly Knowledge[]): boolean =>
      wanted.includes(tree[pathBelow(folder, name)]?.knowledge ?? 'unknown');
    const of = (...wanted: readonly Knowledge[]): FolderFiles[] =>
      pieces
        .map(({ folder, names }) => ({ folder, names: names.filter((name) => is(folder, name, ...wanted)) }))
        .filter(({ names }) => names.length > 0);
    return {
      candidates: of('unknown', 'candidate'),
      text: of('text'),
      unknown: of('unknown'),
      odd: [],
      binary: countFiles(of('binary')),
      ruledOut: countFiles(of('ruledOut')),
    };
  };
  return {
    pattern: PATTERN,
    roots: ['/w'],
    engines: (engines ?? [engineFor(tree)]).map((engine) => () => engine),
    signal: signal ?? new AbortController().signal,
    index: {
      tree: { walk: walk ?? (() => atOnce(folders(tree))) },
      guesses: new LegacyGuesses(),
      statter: { mtimes: async (_folder, files) => new Float64Array(files.length) },
      content: {
        knowsAny: Object.values(tree).some(({ knowledge }) => knowledge !== undefined),
        known: async (_folder, pieces) => knownOf(pieces),
        hurry: () => undefined,
        rest: () => undefined,
        learnLater: (_folder, pieces) =>
          void learned?.push(...pieces.flatMap(({ folder, names }) => names.map((name) => pathBelow(folder, name)))),
      },
    },
  };
}

async function outcomeOf(setting: Setting, place: SearchedPlace = PLACE): Promise<SearchOutcome> {
  const collector = new OutcomeCollector();
  const search = searchOf(setting);
  await countPlace(place, search, collector);
  return collector.outcome(search.index, undefined);
}

function foundIn(outcome: SearchOutcome): Record<string, number> {
  return Object.fromEntries(Array.from(outcome.files, ({ path, matches }) => [path.slice('/w/'.length), matches]));
}

const path = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { minLength: 1, maxLength: 3 })
  .map((parts) => `${parts.slice(0, -1).join('/')}${parts.length > 1 ? '/' : ''}${parts.at(-1)}.txt`);
const file = fc.oneof(
  fc.record({ matches: fc.nat(2), knowledge: fc.constantFrom<Knowledge>('unknown', 'candidate', 'text') }),
  fc.record({ matches: fc.constant(0), knowledge: fc.constantFrom<Knowledge>('binary', 'ruledOut') }),
);

describe('a search of one place', () => {
  it('finds the same whatever is known, and accounts for every file that was walked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(path, file), { maxLength: 60 }),
        fc.boolean(),
        fc.option(fc.constantFrom('a', 'b')),
        async (entries, isWhole, wanted) => {
          const tree: Tree = Object.fromEntries(entries);
          const wants = wanted === null ? undefined : (one: string): boolean => one.includes(wanted);
          const outcome = await outcomeOf(
            { tree, walk: () => atOnce(folders(tree, () => isWhole)) },
            { ...PLACE, ...(wants !== undefined && { wants }) },
          );
          const expected = Object.entries(tree).filter(([one]) => wants?.(one) !== false);
          const matching = expected.filter(([, { matches }]) => matches > 0);
          expect(foundIn(outcome)).toEqual(Object.fromEntries(matching.map(([one, { matches }]) => [one, matches])));
          const { binary, filteredOut } = outcome.notSearched;
          expect(outcome.searchedFiles + binary + filteredOut).toBe(Object.keys(tree).length);
          expect(binary).toBe(expected.filter(([, { knowledge }]) => knowledge === 'binary').length);
        },
      ),
    );
  });

  it('tells the engine what is surely text, apart from the rest', async () => {
    const tree: Tree = {
      a: { matches: 1, knowledge: 'unknown' },
      b: { matches: 2, knowledge: 'text' },
      c: { matches: 0, knowledge: 'ruledOut' },
    };
    const told: SearchTargets[] = [];
    const outcome = await outcomeOf({ tree, engines: [engineFor(tree, told)] });
    expect(told.map(({ folders: given, areText }) => [given.flatMap(({ names }) => names), areText])).toEqual([
      [['b'], true],
      [['a'], undefined],
    ]);
    expect(foundIn(outcome)).toEqual({ a: 1, b: 2 });
    expect(outcome.searchedFiles).toBe(3);
  });

  it('counts in what may match while more is looked up, and in each file once', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `d${Math.floor(at / 500)}/f${at}`);
    const tree: Tree = Object.fromEntries(
      names.map((name, at) => [
        name,
        at % 7 === 0 ? { matches: at % 2, knowledge: 'candidate' } : { matches: 0, knowledge: 'ruledOut' },
      ]),
    );
    async function* slowly(): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
      const last = folders(tree).at(-1);
      for (const folder of folders(tree).slice(0, -1)) yield [folder];
      await waits;
      if (last !== undefined) yield [last];
    }
    let goOn = (): void => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    const told: SearchTargets[] = [];
    const working = engineFor(tree, told);
    const engine: SearchEngine = {
      ...working,
      countAnything: async (targets, sink, signal) => {
        await working.countAnything(targets, sink, signal);
        // The walk ends when something is counted: never, where that waits for the end of the walk.
        goOn();
      },
    };
    const outcome = await outcomeOf({ tree, walk: slowly, engines: [engine] });
    expect(told.length).toBeGreaterThan(1);
    const counted = told.flatMap(({ folders: given }) =>
      given.flatMap((one) => one.names.map((name) => pathBelow(one.folder, name))),
    );
    expect(counted.toSorted()).toEqual(names.filter((_, at) => at % 7 === 0).toSorted());
    expect(outcome).toMatchObject({ searchedFiles: 20_000, total: names.filter((_, at) => at % 14 === 7).length });
  });

  it('drops what an engine finds in a folder that was not there when it was walked, or that is not wanted', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `d/f${String(at).padStart(2, '0')}`);
    const walked = Object.fromEntries(names.map((name) => [name, { matches: 1 }]));
    const later = { ...walked, 'd/new': { matches: 1 }, 'd/a': { matches: 1 }, 'd/zz': { matches: 1 } };
    const told: SearchTargets[] = [];
    const outcome = await outcomeOf({ tree: walked, engines: [engineFor(later, told)] });
    expect(told).toEqual([{ folders: folders(walked), files: [] }]);
    expect(foundIn(outcome)).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
    expect(outcome.searchedFiles).toBe(30);
  });

  it('does the work of an engine that cannot be started with the next one, and counts nothing twice (S106)', async () => {
    const tree = { 'a.txt': { matches: 2 }, 'b.txt': { matches: 3 } };
    const dying = engineFor(tree, [], {
      countAnything: async (_targets, sink) => {
        sink.counted('a.txt', 2);
        sink.failed('b.txt', 'no permission');
        throw new Failure('engine_unavailable', 'It could not be started again.');
      },
    });
    const second = {
      ...engineFor(tree, [], {
        countAnything: async (_targets, sink) => {
          sink.counted('a.txt', 2);
          sink.failed('b.txt', 'no permission');
        },
      }),
      name: 'javascript' as const,
    };
    const outcome = await outcomeOf({ tree, engines: [dying, second] });
    expect(foundIn(outcome)).toEqual({ 'a.txt': 2 });
    expect(outcome).toMatchObject({ total: 2, searchedFiles: 1, engine: 'javascript' });
    expect(outcome.notSearched).toMatchObject({ failed: 1, failures: ['/w/b.txt: no permission'] });
  });

  it('tells a folder that cannot be searched any more as all its files', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `d/f${at}`);
    const tree = Object.fromEntries([...names, 'here'].map((name) => [name, { matches: 1 }]));
    const engine = engineFor({ here: { matches: 1 } });
    const outcome = await outcomeOf({
      tree,
      engines: [
        {
          ...engine,
          countAnything: async (targets, sink, signal) => {
            sink.failed('d', 'No such file or directory');
            await engine.countAnything(targets, sink, signal);
          },
        },
      ],
    });
    expect(foundIn(outcome)).toEqual({ here: 1 });
    expect(outcome.searchedFiles).toBe(1);
    expect(outcome.notSearched).toMatchObject({ failed: 30, failures: ['/w/d: No such file or directory'] });
  });

  it('searches what was walked while the walk goes on, one run at a time, and a walk from memory in one run', async () => {
    const tree = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`d${at % 5}/f${at}`, { matches: 1 }]));
    const all = folders(tree);
    const told: SearchTargets[] = [];
    let runsBeforeEnd = 0;
    async function* slowly(): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
      for (const folder of all) {
        yield [folder];
        await after(2);
      }
      runsBeforeEnd = told.length;
    }
    expect((await outcomeOf({ tree, walk: slowly, engines: [engineFor(tree, told)] })).total).toBe(5_000);
    expect(runsBeforeEnd).toBeGreaterThan(0);
    expect(new Set(told.flatMap((targets) => targets.folders.map(({ folder }) => folder))).size).toBe(5);
    told.length = 0;
    expect((await outcomeOf({ tree, engines: [engineFor(tree, told)] })).total).toBe(5_000);
    expect(told).toHaveLength(1);
  });

  it('searches little first, so that something is seen soon', async () => {
    const tree = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`d${at % 60}/f${at}`, { matches: 1 }]));
    const all = folders(tree);
    const told: SearchTargets[] = [];
    async function* slowly(): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
      for (const folder of all) {
        yield [folder];
        await after(0);
      }
    }
    await outcomeOf({ tree, walk: slowly, engines: [engineFor(tree, told)] });
    const filesOf = (targets: SearchTargets | undefined): number =>
      targets?.folders.reduce((sum, { names }) => sum + names.length, 0) ?? 0;
    expect(filesOf(told[0])).toBeLessThan(1_000);
    expect(Math.max(...told.map(filesOf))).toBeGreaterThan(2 * filesOf(told[0]));
  });

  it('learns about what it searched and did not know, and about nothing when it failed', async () => {
    const learned: string[] = [];
    const tree: Tree = {
      a: { matches: 0 },
      b: { matches: 1, knowledge: 'candidate' },
      c: { matches: 0, knowledge: 'binary' },
    };
    await outcomeOf({ tree, learned });
    expect(learned).toEqual(['a']);
  });

  it('refuses a bad pattern even when there is nothing to search', async () => {
    const bad = new Failure('invalid_pattern', 'unclosed group');
    const engine = engineFor({}, [], { checkPattern: async () => Promise.reject(bad) });
    await expect(outcomeOf({ tree: {}, engines: [engine] })).rejects.toBe(bad);
    const ruledOut: Tree = { a: { matches: 0, knowledge: 'ruledOut' } };
    await expect(outcomeOf({ tree: ruledOut, engines: [engine] })).rejects.toBe(bad);
  });

  it('ends with the reason of its signal, after the engine has ended, and keeps what was found', async () => {
    const tree: Tree = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`d/f${at}`, { matches: 1 }]));
    const reason = new Error('enough');
    const controller = new AbortController();
    let ended = false;
    const engine = engineFor(tree, [], {
      countAnything: async (_targets, sink, signal) => {
        sink.counted('d/f7', 4);
        controller.abort(reason);
        await after(10);
        ended = true;
        signal.throwIfAborted();
      },
    });
    async function* endless(): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
      yield folders(tree);
      for (;;) {
        await after(1);
        controller.signal.throwIfAborted();
        yield [];
      }
    }
    const search = searchOf({ tree, engines: [engine], walk: endless, signal: controller.signal });
    const collector = new OutcomeCollector();
    await expect(countPlace(PLACE, search, collector)).rejects.toBe(reason);
    expect(ended).toBe(true);
    const outcome = await collector.outcome(search.index, 'time-limit');
    expect(outcome).toMatchObject({ total: 4, searchedFiles: 1, stopped: 'time-limit' });
  });

  it('searches a named file whatever is known of it', async () => {
    const tree: Tree = { 'a.txt': { matches: 3, knowledge: 'ruledOut' } };
    const outcome = await outcomeOf({ tree }, { ...PLACE, file: 'a.txt', wants: () => false });
    expect(outcome).toMatchObject({ total: 3, searchedFiles: 1 });
  });

  it('searches what two places share once', async () => {
    const tree: Tree = { 'a.txt': { matches: 1 }, 'd/b.txt': { matches: 2 }, 'd/c.txt': { matches: 0 } };
    const inside: Tree = { 'b.txt': { matches: 2 }, 'c.txt': { matches: 0 }, 'hidden.txt': { matches: 1 } };
    const told: SearchTargets[] = [];
    const collector = new OutcomeCollector();
    const search = searchOf({ tree, engines: [engineFor(tree, told)] });
    await countPlace(PLACE, search, collector);
    const engines = [engineFor(inside, told)];
    const place = { ...PLACE, folder: { path: '/w/d', workingDirectory: '/w/d' } };
    await countPlace(place, searchOf({ tree: inside, engines }), collector);
    await countPlace(place, searchOf({ tree: inside, engines }), collector);
    await countPlace({ ...place, file: 'c.txt' }, searchOf({ tree: inside, engines }), collector);
    expect(told.at(-1)).toEqual({ folders: [{ folder: '', names: ['hidden.txt'], isWhole: false }], files: [] });
    const outcome = await collector.outcome(search.index, undefined);
    expect(foundIn(outcome)).toEqual({ 'a.txt': 1, 'd/b.txt': 2, 'd/hidden.txt': 1 });
    expect(outcome.searchedFiles).toBe(4);
  });

  it('gives what an engine leaves again once all is walked, and all together that is left meanwhile', async () => {
    const tree: Tree = {
      'a.txt': { matches: 1 },
      'd/b.txt': { matches: 2 },
      'e/c.txt': { matches: 0 },
      'f/d.txt': { matches: 3 },
    };
    const told: SearchTargets[] = [];
    const engine = engineFor(tree, told);
    const leaving: SearchEngine = {
      ...engine,
      countAnything: async (targets, sink, signal) => {
        if (targets.wereLeft === true) return engine.countAnything(targets, sink, signal);
        sink.counted('a.txt', 1);
        for (const left of targets.folders.filter(({ folder }) => folder !== ''))
          sink.left?.(left.names.map((name) => pathBelow(left.folder, name)));
      },
    };
    const outcome = await outcomeOf({ tree, engines: [leaving] });
    expect(told).toEqual([
      { folders: [], files: ['d/b.txt'], wereLeft: true },
      { folders: [], files: ['e/c.txt', 'f/d.txt'], wereLeft: true },
    ]);
    expect(foundIn(outcome)).toEqual({ 'a.txt': 1, 'd/b.txt': 2, 'f/d.txt': 3 });
    expect(outcome.searchedFiles).toBe(4);
  });

  it('tells the engine of files that are found while it may still come up', async () => {
    const expected: number[] = [];
    const tree: Tree = { 'a.txt': { matches: 1 }, 'd/b.txt': { matches: 0 } };
    const engine = engineFor(tree, [], { expect: (files) => void expected.push(files) });
    await outcomeOf({ tree, engines: [engine] });
    expect(expected).toEqual([2]);
    const known: Tree = { 'a.txt': { matches: 1, knowledge: 'candidate' } };
    await outcomeOf({ tree: known, engines: [engine] });
    expect(expected).toEqual([2]);
  });

  it('takes times of change from the engine where it tells them', async () => {
    const asked: string[] = [];
    const tree: Tree = { a: { matches: 1 }, b: { matches: 1 }, c: { matches: 1 } };
    const engine = engineFor(tree, [], {
      countAnything: async (_targets, sink) => {
        sink.counted('a', 1);
        sink.counted('b', 1, 7);
        sink.counted('c', 1);
      },
    });
    const search = searchOf({ tree, engines: [engine] });
    const collector = new OutcomeCollector();
    await countPlace(PLACE, search, collector);
    const mtimes = async (_folder: string, files: readonly string[]): Promise<Float64Array> => {
      asked.push(...files);
      return Float64Array.of(9, 5);
    };
    const { files } = await collector.outcome({ statter: { mtimes } }, undefined);
    expect(Array.from(files, ({ path: one, mtimeMs }) => [one, mtimeMs])).toEqual([
      ['/w/a', 9],
      ['/w/b', 7],
      ['/w/c', 5],
    ]);
    expect(asked).toEqual(['a', 'c']);
  });
});
