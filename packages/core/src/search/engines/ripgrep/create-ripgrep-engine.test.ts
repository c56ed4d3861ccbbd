import { execFile } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import type { FileLines } from '../../report/shown-line.js';
import { findProgram } from '../../../util/find-program.js';
import type { LinesSink, SearchEngine, TargetFolder, TellingSink } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { createRipgrepEngine } from './create-ripgrep-engine.js';

const workspace = await createTempWorkspace();
afterAll(async () => workspace.remove());
beforeEach(() => {
  rmSync(workspace.root, { recursive: true, force: true });
  mkdirSync(workspace.root);
});

/** The one that comes with the install, and the system's, which may be years older. */
const system = findProgram('rg', { path: process.env['PATH'] ?? '' })?.real;
const programs: readonly (readonly [string, string | undefined])[] = [
  ['the ripgrep that comes with the install', rgPath],
  ["the system's ripgrep (skipped where there is none)", system],
];

const never = new AbortController().signal;
const isRoot = process.getuid?.() === 0;

function engineFor(program: string, pattern: string, how: Partial<SearchPattern> = {}): SearchEngine {
  return createRipgrepEngine({
    program,
    pattern: { pattern, caseSensitive: false, fixedStrings: false, multiline: false, ...how },
    folder: { path: workspace.root, workingDirectory: workspace.root },
    env: {},
  });
}

function wholeFolder(folder: string): TargetFolder {
  const entries = readdirSync(workspace.path(folder), { withFileTypes: true });
  return { folder, names: entries.filter((entry) => entry.isFile()).map(({ name }) => name), isWhole: true };
}

interface Told extends TellingSink {
  readonly counts: Map<string, number>;
  readonly odds: string[];
  readonly failures: [string | undefined, string][];
}

function recorder(): Told {
  const [counts, odds, failures] = [new Map<string, number>(), [] as string[], [] as Told['failures']];
  return {
    counts,
    odds,
    failures,
    counted: (path, matches) => {
      if (counts.has(path)) throw new Error(`${path} was counted twice`);
      counts.set(path, matches);
    },
    odd: (path) => {
      if (odds.includes(path)) throw new Error(`${path} was told twice`);
      odds.push(path);
    },
    failed: (path, reason) => void failures.push([path, reason]),
  };
}

interface Found {
  readonly files: ReadonlyMap<string, FileLines>;
  readonly failures: [string | undefined, string][];
}

async function linesOf(
  engine: SearchEngine,
  files: readonly (readonly [string, number])[],
  around: { before?: number; after?: number } = {},
): Promise<Found> {
  const found = new Map<string, FileLines>();
  const failures: Found['failures'] = [];
  await engine.lines(
    { files: files.map(([path, maxMatches]) => ({ path, maxMatches })), before: 0, after: 0, ...around },
    { found: (path, lines) => found.set(path, lines), failed: (path, reason) => failures.push([path, reason]) },
    never,
  );
  return { files: found, failures };
}

const ignoredLines: LinesSink = { found: () => undefined, failed: () => undefined };

async function failureOf(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  return promise.then(
    () => ({ code: 'none', message: '' }),
    (thrown: unknown) => thrown as { code: string; message: string },
  );
}

const sorted = <Item>(items: Iterable<Item>): Item[] =>
  Array.from(items).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const bytes = (...values: readonly (string | number)[]): Buffer =>
  Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.from([value]))));

/** `path → count` as ripgrep itself says it. */
async function oracle(program: string, args: readonly string[]): Promise<Map<string, number>> {
  const all = ['--no-config', '--no-ignore', '--hidden', '-a', '--crlf', '--null', ...args, './'];
  const { stdout } = await promisify(execFile)(program, all, { cwd: workspace.root, env: {} }).catch(
    (thrown: unknown) => thrown as { stdout: string },
  );
  const records = Array.from(stdout.matchAll(/\.\/([^\0]*)\0(\d+)\r?\n/g));
  return new Map(records.map(([, path = '', count]) => [path, Number(count)]));
}

describe.each(programs)('with %s', (_name, found) => {
  const program = found ?? '';
  const ifThere = it.skipIf(found === undefined);

  ifThere('counts lines in folders, not in what lies below them, and in files, each once', async () => {
    await workspace.write({
      a: 'x\nX x\ny\n',
      'sub/b': 'x\n',
      'sub/deep/c': 'x\n',
      'other/d': 'x\n',
      'other/e': 'x\n',
      '.hidden/.f': 'x',
      '-e': 'x',
      'n\n:12:\n.\\x': 'x\nx',
    });
    symlinkSync('a', workspace.path('sub/link'));
    const told = recorder();
    const folders = [wholeFolder(''), { folder: 'sub', names: ['b'], isWhole: true }, wholeFolder('.hidden')];
    await engineFor(program, 'x').countAnything({ folders, files: ['other/d'] }, told, never);
    expect(Object.fromEntries(told.counts)).toEqual({
      a: 2,
      'sub/b': 1,
      'other/d': 1,
      '.hidden/.f': 1,
      '-e': 1,
      'n\n:12:\n.\\x': 2,
    });
    expect([told.odds, told.failures]).toEqual([[], []]);
  });

  ifThere('counts in what is surely text without looking for what is odd', async () => {
    await workspace.write({
      a: 'foo\n',
      b: 'é foo\r\nFoo',
      utf16: Buffer.from('\uFEFFföo\n', 'utf16le'),
      'sub/c': 'bar',
    });
    const told = recorder();
    const targets = { folders: [wholeFolder(''), wholeFolder('sub')], files: [], areText: true };
    await engineFor(program, 'foo|ö').countAnything(targets, told, never);
    expect(Object.fromEntries(told.counts)).toEqual({ a: 1, b: 2, utf16: 1 });
    expect([told.odds, told.failures]).toEqual([[], []]);
    await expect(engineFor(program, '(').countAnything(targets, recorder(), never)).rejects.toMatchObject({
      code: 'invalid_pattern',
    });
  });

  ifThere('takes patterns as they are meant: case, fixed strings, a leading dash, flags within', async () => {
    await workspace.write({ a: '--Foo(\nfoo\n' });
    const count = async (pattern: string, how?: Partial<SearchPattern>): Promise<number | undefined> => {
      const told = recorder();
      const engine = engineFor(program, pattern, how);
      await engine.countAnything({ folders: [wholeFolder('')], files: [] }, told, never);
      return told.counts.get('a');
    };
    expect(await count('FOO')).toBe(2);
    expect(await count('Foo', { caseSensitive: true })).toBe(1);
    expect(await count('(?i)FOO', { caseSensitive: true })).toBe(2);
    expect(await count('(?-i)foo')).toBe(1);
    expect(await count('--foo')).toBe(1);
    expect(await count('o(', { fixedStrings: true })).toBe(1);
    expect(await count('f.o', { fixedStrings: true })).toBeUndefined();
    expect(await count('foo$')).toBe(1);
    expect(await count('')).toBe(2);
    expect(await count('(?<=-)f(o)\\1')).toBe(1);
    expect(await count('foo\\(\nfoo', { multiline: true })).toBe(1);
    expect(await count('f.*', { multiline: true })).toBe(1);
    expect(await count('o', { multiline: true })).toBe(4);
  });

  ifThere('tells files that are odd, whether they match or not, and counts UTF-16 with a mark', async () => {
    await workspace.write({
      nul: bytes('foo\0\n'),
      latin: bytes('other line\ncaf', 0xe9, '\n'),
      'ends-in-half': bytes('foo ', 0xe2, 0x82),
      'far-behind': bytes('foo\n'.repeat(500), 0x80),
      'behind-a-match': bytes('a foo é', 0x80),
      'behind-a-return': bytes('foo\r', 0x80),
      japanese: 'foo\nfoo \x1b$B$3$l\x1b(B',
      utf16: Buffer.from('\uFEFFfoo\nföo foo\n', 'utf16le'),
      mark: '\uFEFFfoo',
      sound: 'foo é\r\n€ 😀',
      many: 'foo é\n'.repeat(1_000),
      none: 'é',
    });
    for (const pattern of ['foo', 'FO{2}|nowhere', '', 'é?', '(?<=f)oo']) {
      const told = recorder();
      await engineFor(program, pattern).countAnything({ folders: [wholeFolder('')], files: [] }, told, never);
      expect(sorted(told.odds)).toEqual([
        'behind-a-match',
        'behind-a-return',
        'ends-in-half',
        'far-behind',
        'japanese',
        'latin',
        'nul',
      ]);
      const all = pattern === '' || pattern === 'é?';
      expect(Object.fromEntries(told.counts)).toEqual({
        utf16: all || pattern !== 'foo' ? expect.any(Number) : 2,
        mark: 1,
        sound: all ? 2 : 1,
        many: 1_000,
        ...(all && { none: 1 }),
      });
    }
  });

  ifThere('counts as ripgrep does, and finds odd what is not UTF-8, in any tree', async () => {
    // Before version 14, `$` stands before one carriage return only.
    const breaks = program === rgPath ? ['\n', '\r\n', '\r'] : ['\n', ' \r\n'];
    const piece = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('foo', 'Bar ', 'é', '€', '😀', ' ', 'a').map((text) => Buffer.from(text)),
      },
      { weight: 3, arbitrary: fc.constantFrom(...breaks).map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }).map((random) => Buffer.from(random)) },
    );
    const file = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.concat([Buffer.from('#'), ...pieces]));
    const tree = fc.array(fc.tuple(fc.constantFrom('', 'p/', 'p/q/'), file), { minLength: 20, maxLength: 40 });
    const patterns = ['foo', 'é', 'o+\\s', '^.a', 'a$', '\\bfoo\\b', 'x?', '\\W', '[^a]{3}', '(\\w)\\1', '€|a'];
    await fc.assert(
      fc.asyncProperty(tree, fc.constantFrom(...patterns), fc.boolean(), async (files, pattern, multiline) => {
        rmSync(workspace.root, { recursive: true, force: true });
        mkdirSync(workspace.path('p/q'), { recursive: true });
        const paths = files.map(([folder], index) => `${folder}f${index}`);
        for (const [index, [, content]] of files.entries()) writeFileSync(workspace.path(paths[index] ?? ''), content);
        const isOdd = paths.filter((_, index) => {
          const content = files[index]?.[1] ?? Buffer.alloc(0);
          return !isUtf8(content) || content.includes(0);
        });
        const told = recorder();
        const targets = {
          folders: [wholeFolder(''), wholeFolder('p')],
          files: paths.filter((path) => path.startsWith('p/q/')),
        };
        await engineFor(program, pattern, { multiline }).countAnything(targets, told, never);
        expect(told.failures).toEqual([]);
        expect(sorted(told.odds)).toEqual(sorted(isOdd));
        const mode = multiline ? ['-U', '--multiline-dotall', '--count-matches'] : ['--count'];
        const expected = await oracle(program, [...mode, '-i', '--engine=auto', '-e', pattern]);
        for (const path of isOdd) expected.delete(path);
        expect(sorted(told.counts)).toEqual(sorted(expected));
      }),
      { numRuns: 40 },
    );
  });

  ifThere('tells the files that cannot be read or are gone, and counts the others', async () => {
    await workspace.write({ a: 'x', 'locked: b': 'x', 'gone/c': 'x' });
    chmodSync(workspace.path('locked: b'), 0);
    const told = recorder();
    const engine = engineFor(program, 'x');
    const folders = [wholeFolder(''), { folder: 'no-folder', names: ['1', '2', '3', '4', '5'], isWhole: true }];
    await engine.countAnything({ folders, files: ['gone/c: d', 'gone/e\nf'] }, told, never);
    const gone = 'it was deleted meanwhile';
    const expected = [
      ['gone/c: d', gone],
      ['gone/e\nf', gone],
      ['no-folder', gone],
      ...(isRoot ? [] : [['locked: b', 'permission denied']]),
    ];
    expect(sorted(told.failures)).toEqual(sorted(expected));
    expect(told.counts.get('a')).toBe(1);
    const { files, failures } = await linesOf(engine, [
      ['a', 1],
      ['none', 1],
    ]);
    expect([files.size, failures]).toEqual([1, [['none', gone]]]);
  });

  const ifPipes = it.skipIf(found === undefined || process.platform === 'win32');
  ifPipes('opens nothing that took the place of a file', async () => {
    await workspace.write({ a: 'x', 'real/b': 'x' });
    symlinkSync('a', workspace.path('link'));
    symlinkSync('real', workspace.path('folder'));
    await promisify(execFile)('mkfifo', [workspace.path('pipe')]);
    const told = recorder();
    const engine = engineFor(program, 'x');
    const folders = [{ folder: 'folder', names: ['b', 'c', 'd', 'e', 'f'], isWhole: true }];
    await engine.countAnything({ folders, files: ['a', 'link', 'pipe'] }, told, never);
    expect(Object.fromEntries(told.counts)).toEqual({ a: 1 });
    const reasons = [
      ['link', 'it became a symbolic link'],
      ['pipe', 'not a regular file any more'],
    ];
    expect(sorted(told.failures)).toEqual([['folder', 'it became a symbolic link'], ...reasons]);
    const shown = ['a', 'link', 'pipe'].map((path) => [path, 1] as const);
    const { files, failures } = await linesOf(engine, shown);
    expect([[...files.keys()], failures]).toEqual([['a'], reasons]);
  });

  ifThere('tells no line that does not match for one, be the pattern one that matches nothing', async () => {
    await workspace.write({ a: 'foo\n\nbar\n\nlast\n' });
    const told: [string, FileLines][] = [];
    const sink: LinesSink = { found: (path, lines) => void told.push([path, lines]), failed: () => undefined };
    const request = { files: [{ path: 'a', maxMatches: 2 }], before: 0, after: 1 };
    await engineFor(program, '^$').lines(request, sink, never);
    const shown = told[0]?.[1].lines.map(({ line, column }) => (column === undefined ? -line : line));
    expect(shown).toEqual([2, -3, 4, -5]);
  });

  ifThere('tells where an empty match at the end of a text stands', async () => {
    await workspace.write({ a: 'abc\nlast' });
    const { files } = await linesOf(engineFor(program, '$'), [['a', 2]]);
    expect(files.get('a')?.lines.map(({ column }) => column)).toEqual([4, 5]);
    const begins = await linesOf(engineFor(program, '\\A'), [['a', 2]]);
    expect(begins.files.get('a')?.lines.map(({ column }) => column)).toEqual([1, 1]);
  });

  ifThere('does not take names that are no UTF-8: other means open them', async () => {
    await workspace.write({ a: 'x' });
    const told = recorder();
    const engine = engineFor(program, 'x');
    await engine.countAnything({ folders: [], files: ['a', 'b\udcff'] }, told, never);
    expect([Object.fromEntries(told.counts), told.odds, told.failures]).toEqual([{ a: 1 }, ['b\udcff'], []]);
    expect((await linesOf(engine, [['b\udcff', 1]])).failures).toEqual([
      ['b\udcff', expect.stringContaining('not UTF-8')],
    ]);
  });

  ifThere('shows the first matches of each file, with lines around them', async () => {
    await workspace.write({ a: '1\n2\nfoo 3\r\n4\nfoo 5\nfoo 6\n7\n8', b: 'é😀 foo foo\nfoo', c: 'bar' });
    const { files } = await linesOf(
      engineFor(program, 'foo'),
      [
        ['a', 2],
        ['b', 1],
        ['c', 1],
      ],
      { before: 1, after: 2 },
    );
    const plain = (line: number, text: string): object => ({ line, text, cutBefore: 0, cutAfter: 0 });
    expect(sorted(files)).toEqual([
      [
        'a',
        {
          matches: 2,
          lines: [
            plain(2, '2'),
            { ...plain(3, 'foo 3'), column: 1 },
            plain(4, '4'),
            { ...plain(5, 'foo 5'), column: 1 },
            plain(6, 'foo 6'),
            plain(7, '7'),
          ],
        },
      ],
      ['b', { matches: 1, lines: [{ ...plain(1, 'é😀 foo foo'), column: 5 }, plain(2, 'foo')] }],
    ]);
  });

  ifThere('shows every line of a match that spans lines, and counts occurrences', async () => {
    await workspace.write({ a: '0\nx beg\nmid\nend begend\nbeg end\nz\n', b: 'a b\na b\na b\na b\n' });
    const { files } = await linesOf(engineFor(program, 'beg.*?end', { multiline: true }), [['a', 9]], { after: 1 });
    expect(files.get('a')?.matches).toBe(3);
    expect(files.get('a')?.lines.map(({ line, column, text }) => [line, column, text])).toEqual([
      [2, 3, 'x beg'],
      [3, 1, 'mid'],
      [4, 1, 'end begend'],
      [5, 1, 'beg end'],
      [6, undefined, 'z'],
    ]);
    const cut = await linesOf(engineFor(program, 'b\na', { multiline: true }), [['b', 2]], { after: 0 });
    expect(cut.files.get('b')?.matches).toBe(2);
    expect(cut.files.get('b')?.lines.map(({ line, column }) => [line, column])).toEqual([
      [1, 3],
      [2, 1],
      [3, 1],
    ]);
  });

  ifThere('cuts long lines around the match, and shows damaged ones without what is no text', async () => {
    await workspace.write({ long: `${'é'.repeat(50_000)}foo${'z'.repeat(1_000)}`, odd: bytes(0xff, 'foo', 0xc3) });
    const { files } = await linesOf(engineFor(program, 'foo'), [
      ['long', 5],
      ['odd', 5],
    ]);
    const [long] = files.get('long')?.lines ?? [];
    expect(long).toMatchObject({ line: 1, column: 50_001, cutBefore: 49_850, cutAfter: 51_003 - 49_850 - 500 });
    expect(long?.text).toContain('éfooz');
    expect(files.get('odd')?.lines).toEqual([
      { line: 1, column: 2, text: '\ufffdfoo\ufffd', cutBefore: 0, cutAfter: 0 },
    ]);
  });

  ifThere('points at what is wrong with a pattern, whatever is asked', async () => {
    await workspace.write({ a: 'x' });
    const cases: readonly (readonly [string, string, string])[] = [
      ['é(foo', 'unclosed group', '\n  é(foo\n   ^'],
      ['é{2,1}', 'invalid repetition count range, the start must be <= the end', '\n  é{2,1}\n   ^'],
      ['xé\\p{Foo}', 'Unicode property not found', '\n  xé\\p{Foo}\n    ^'],
      ['é(?<=x)\\p{Foo}', 'unknown property after \\P or \\p', '\n  é(?<=x)\\p{Foo}\n         ^'],
    ];
    for (const [pattern, reason, pointer] of cases) {
      const engine = engineFor(program, pattern);
      const told = recorder();
      const failures = await Promise.all([
        failureOf(engine.checkPattern(never)),
        failureOf(engine.countAnything({ folders: [wholeFolder('')], files: [] }, told, never)),
        failureOf(linesOf(engine, [['a', 1]])),
      ]);
      for (const { code, message } of failures) {
        expect([code, message]).toEqual(['invalid_pattern', expect.stringContaining(`${reason}${pointer}`)]);
      }
    }
  });

  ifThere('says that a pattern is too large', async () => {
    const failure = await failureOf(engineFor(program, '\\w{99999}').checkPattern(never));
    expect([failure.code, failure.message]).toEqual(['invalid_pattern', expect.stringContaining('too large')]);
    await workspace.write({ a: 'x' });
    const long = engineFor(program, 'y'.repeat(3 << 20));
    for (const asked of [
      long.checkPattern(never),
      long.countAnything({ folders: [], files: ['a'] }, recorder(), never),
    ]) {
      const { code, message } = await failureOf(asked);
      expect([code, message]).toEqual(['invalid_pattern', expect.stringContaining('too large')]);
    }
    expect(await failureOf(engineFor(program, 'fine|(?=x)').checkPattern(never))).toMatchObject({ code: 'none' });
  });

  ifThere('counts over many folders and files, more than one command line holds', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `${'n'.repeat(200)}${index}`);
    for (const [index, name] of names.entries()) {
      mkdirSync(workspace.path(name));
      writeFileSync(workspace.path(`${name}/a`), `x\n`.repeat(index % 3));
      writeFileSync(workspace.path(`${name}/b`), index % 10 === 0 ? bytes('x', 0xff) : 'y');
    }
    const [told, text] = [recorder(), recorder()];
    const engine = engineFor(program, 'x');
    const inMany = (name: string, file: string): string[] =>
      Array.from({ length: 20 }, (_, times) => `${'./'.repeat(times)}${name}/${file}`);
    const files = names.slice(20).flatMap((name) => [...inMany(name, 'a'), ...inMany(name, 'b')]);
    await engine.countAnything({ folders: names.slice(0, 20).map(wholeFolder), files }, told, never);
    expect([told.counts.size, told.odds.length, told.failures.length]).toEqual([13 + 27 * 20, 2 + 4 * 20, 0]);
    const many = Array.from({ length: 5 }, (_, times) => '././././././././././'.repeat(times + 1));
    const texts = names.flatMap((name) => many.flatMap((up) => inMany(name, 'a').map((path) => `${up}${path}`)));
    await engine.countAnything(
      { folders: [], files: texts },
      { ...text, counted: (path, matches) => void text.counts.set(path, matches) },
      never,
    );
    expect([text.failures.length, text.counts.size]).toEqual([0, (40 * new Set(texts).size) / 60]);
  });
});

describe('files that are larger than memory should be', () => {
  /** Starts it with so little memory that it cannot hold what it would take for one line. */
  const small = `#!/bin/sh\nulimit -v 2000000\nexec ${rgPath} "$@"\n`;

  it.skipIf(process.platform !== 'linux').each([
    ['in a folder as a whole', ['a', 'b', 'c', 'd', 'e', 'image']],
    ['among files', ['a', 'image']],
  ])('are told as odd by their head %s, and take none', async (_, names) => {
    const limited = await createTempWorkspace({ rg: small });
    chmodSync(limited.path('rg'), 0o755);
    for (const name of names) writeFileSync(workspace.path(name), 'needle\n');
    truncateSync(workspace.path('image'), 6 * 2 ** 30);
    for (const pattern of ['needle', '(?<=need)le']) {
      const told = recorder();
      await engineFor(limited.path('rg'), pattern).countAnything(
        { folders: [wholeFolder('')], files: [] },
        told,
        never,
      );
      expect([told.odds, told.failures]).toEqual([['image'], []]);
      expect(sorted([...told.counts.keys()])).toEqual(names.slice(0, -1));
    }
    await limited.remove();
  });

  it('are searched where they are text', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(workspace.path(name), 'needle\n');
    const line = `${'-'.repeat(1023)}\n`.repeat(1024);
    for (const name of ['f', 'g']) for (let part = 0; part < 65; part++) appendFileSync(workspace.path(name), line);
    appendFileSync(workspace.path('f'), 'needle\n');
    appendFileSync(workspace.path('g'), bytes('needle\n', 0));
    for (const names of [
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
      ['f', 'g'],
    ]) {
      const told = recorder();
      const isWhole = names.length > 2;
      const targets = { folders: isWhole ? [wholeFolder('')] : [], files: isWhole ? [] : names };
      await engineFor(rgPath, 'needle').countAnything(targets, told, never);
      expect(Object.fromEntries(told.counts)).toEqual(Object.fromEntries(names.slice(0, -1).map((name) => [name, 1])));
      expect([told.odds, told.failures]).toEqual([['g'], []]);
    }
  });
});

describe('a ripgrep that does not do what it should', () => {
  it('is unavailable when it cannot be started', async () => {
    await workspace.write({ a: 'x', 'no-program': '' });
    for (const program of [workspace.path('none'), workspace.path('no-program'), workspace.root]) {
      const engine = engineFor(program, 'x');
      const told = recorder();
      expect(await failureOf(engine.checkPattern(never))).toMatchObject({ code: 'engine_unavailable' });
      expect(
        await failureOf(engine.countAnything({ folders: [wholeFolder('')], files: [] }, told, never)),
      ).toMatchObject({
        code: 'engine_unavailable',
      });
    }
  });

  it.skipIf(process.platform === 'win32')('is told with its own words when it fails in another way', async () => {
    await workspace.write({ a: 'x' });
    const script = (text: string): string => {
      writeFileSync(workspace.path('rg'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      return workspace.path('rg');
    };
    const count = async (text: string): Promise<unknown> =>
      failureOf(engineFor(script(text), 'x').countAnything({ folders: [], files: ['a'] }, recorder(), never));
    expect(await count('echo "rg: something is wrong" >&2; exit 2')).toMatchObject({
      code: 'grep_execution_error',
      message: 'ripgrep failed: rg: something is wrong',
    });
    expect(await count('exit 2')).toMatchObject({ code: 'grep_execution_error' });
    const dead = { code: 'engine_unavailable' };
    expect(await count('kill -9 $$')).toMatchObject({
      ...dead,
      message: 'ripgrep was ended by SIGKILL, without a reason',
    });
    expect(await count('exit 101')).toMatchObject({
      ...dead,
      message: 'ripgrep ended with code 101, without a reason',
    });
    const old = "error: Found argument '--engine' which wasn't expected";
    expect(await count(`echo "${old}" >&2; exit 2`)).toMatchObject({ ...dead, message: `ripgrep failed: ${old}` });
    expect(await count('echo "rg: unrecognized flag --engine" >&2; exit 2')).toMatchObject(dead);
    const json = await failureOf(linesOf(engineFor(script('echo "no JSON"'), 'x'), [['a', 1]]));
    expect(json).toMatchObject({ code: 'grep_execution_error' });
  });

  it.skipIf(process.platform === 'win32')(
    'is ended when the search is aborted, which rejects with the reason',
    async () => {
      const reason = new Error('enough');
      const started = workspace.path('started');
      await workspace.write({ a: 'x' });
      writeFileSync(workspace.path('rg'), `#!/bin/sh\necho $$ >> ${started}\nexec sleep 600\n`, { mode: 0o755 });
      const engine = engineFor(workspace.path('rg'), 'x');
      const controller = new AbortController();
      const running = engine.countAnything(
        { folders: [], files: Array.from({ length: 2_000 }, (_, index) => `${'./'.repeat(index)}a`) },
        recorder(),
        controller.signal,
      );
      await expect.poll(() => existsSync(started) && readFileSync(started, 'utf8')).toMatch(/\d+\n/);
      controller.abort(reason);
      await expect(running).rejects.toBe(reason);
      for (const pid of readFileSync(started, 'utf8').trim().split('\n'))
        expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
      await expect(engine.checkPattern(controller.signal)).rejects.toBe(reason);
      await expect(engine.countAnything({ folders: [], files: ['a'] }, recorder(), controller.signal)).rejects.toBe(
        reason,
      );
      await expect(
        engine.lines({ files: [{ path: 'a', maxMatches: 1 }], before: 0, after: 0 }, ignoredLines, controller.signal),
      ).rejects.toBe(reason);
    },
  );

  it.skipIf(process.platform !== 'linux')('is ended together with what it started itself', async () => {
    const started = workspace.path('started');
    await workspace.write({ a: 'x' });
    const script = `#!/bin/sh\nsleep 600 &\necho $! > ${started}.new\nmv ${started}.new ${started}\nwait\n`;
    writeFileSync(workspace.path('rg'), script, { mode: 0o755 });
    const reason = new Error('enough');
    const controller = new AbortController();
    const counting = engineFor(workspace.path('rg'), 'x').countAnything(
      { folders: [], files: ['a'] },
      recorder(),
      controller.signal,
    );
    await expect.poll(() => existsSync(started)).toBe(true);
    controller.abort(reason);
    await expect(counting).rejects.toBe(reason);
    const pid = Number(readFileSync(started, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

/** A process that has ended and that nobody waited for yet runs no more. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
