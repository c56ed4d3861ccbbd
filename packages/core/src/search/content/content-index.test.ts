import { appendFile, mkdir, mkdtemp, realpath, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchPattern } from '../engines/search-pattern.js';
import { SearchThreads } from '../engines/threads/search-threads.js';
import { ContentIndex, type ContentIndexOptions } from './content-index.js';
import { pathBelow } from '../paths.js';
import type { FolderFiles } from './folder-files.js';
import { FileStatter } from './file-stamps.js';

const NEVER = new AbortController().signal;
const GRAIN_MS = 130;

let folder = '';
let threads: SearchThreads;
let statter: FileStatter;
const opened: ContentIndex[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'content-index-')));
  threads = new SearchThreads();
  statter = new FileStatter({ threads });
});

afterEach(async () => {
  for (const index of opened.splice(0)) index.close();
  await threads.close();
  await statter.close();
  await rm(folder, { recursive: true, force: true });
});

function open(options: Partial<ContentIndexOptions> = {}): ContentIndex {
  const index = new ContentIndex({ stamps: statter, threads, startAfterMs: 0, ...options });
  opened.push(index);
  return index;
}

const literal = (pattern: string): SearchPattern => ({
  pattern,
  caseSensitive: false,
  fixedStrings: false,
  multiline: false,
});

async function write(files: Readonly<Record<string, string | Buffer>>): Promise<string[]> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return Object.keys(files);
}

/** As a walk gives them: by folders. */
function pieces(paths: readonly string[]): FolderFiles[] {
  const byFolder = new Map<string, string[]>();
  for (const path of paths.toSorted()) {
    const inFolder = path.includes('/') ? dirname(path) : '';
    byFolder.set(inFolder, [...(byFolder.get(inFolder) ?? []), basename(path)]);
  }
  return Array.from(byFolder, ([inFolder, names]) => ({ folder: inFolder, names }));
}

const pathsOf = (all: readonly FolderFiles[]): string[] =>
  all.flatMap(({ folder: inFolder, names }) => names.map((name) => pathBelow(inFolder, name))).toSorted();

/** What is known, with paths instead of pieces. */
async function known(
  index: ContentIndex,
  paths: readonly string[],
  pattern: string,
  below = folder,
): Promise<
  Readonly<Record<'candidates' | 'unknown' | 'odd', readonly string[]>> & { binary: number; ruledOut: number }
> {
  const asked = { pattern: literal(pattern) };
  const { candidates, unknown, odd, binary, ruledOut } = await index.known(below, pieces(paths), asked, NEVER);
  return { candidates: pathsOf(candidates), unknown: pathsOf(unknown), odd, binary, ruledOut };
}

async function learn(index: ContentIndex, files: readonly string[], below = folder): Promise<void> {
  await sleep(GRAIN_MS);
  index.learnLater(below, pieces(files));
  await index.settled();
}

describe('ContentIndex', () => {
  it('knows kinds and rules out what cannot match', async () => {
    const files = await write({
      'a.txt': 'the needle is here',
      'b.txt': 'only hay',
      'sub/c.bin': Buffer.from([127, 69, 76, 70, 0, 0, 0, 2]),
      'sub/d.txt': Buffer.from('gr\xf6\xdfe needle', 'latin1'),
      'e.txt': '',
    });
    const index = open();
    expect(index.knowsAny).toBe(false);
    expect(await known(index, files, 'needle')).toMatchObject({ unknown: files.toSorted(), ruledOut: 0 });
    await learn(index, files);
    expect(index.knowsAny).toBe(true);
    expect(await known(index, files, 'Needle')).toEqual({
      unknown: [],
      candidates: ['a.txt'],
      odd: ['sub/d.txt'],
      binary: 1,
      ruledOut: 2,
    });
    expect(await known(index, files, 'x*')).toMatchObject({
      candidates: ['a.txt', 'b.txt', 'e.txt'],
      ruledOut: 0,
    });
  });

  it('answers for the files that were asked about only, in their order', async () => {
    const files = await write({ a: 'one', b: 'two', c: 'three', d: 'four' });
    const index = open();
    await learn(index, ['b', 'd']);
    expect(await known(index, ['a', 'b', 'c', 'd', 'gone'], '.')).toMatchObject({
      unknown: ['a', 'c', 'gone'],
      candidates: ['a', 'b', 'c', 'd', 'gone'],
    });
    await learn(index, files);
    expect(await known(index, files, '.')).toMatchObject({ unknown: [], candidates: files });
    const asked = pieces(files);
    expect((await index.known(folder, asked, { pattern: literal('.') }, NEVER)).candidates[0]).toBe(asked[0]);
  });

  it('tells what is surely text where that holds enough bytes, and not of a file that changed', async () => {
    const files = await write({
      a: 'hay needle',
      b: 'needle hay',
      c: 'hay',
      d: Buffer.from('gr\xf6\xdfe needle', 'latin1'),
    });
    const index = open();
    await learn(index, files);
    const ask = async (textFrom: number): Promise<readonly (readonly string[])[]> => {
      const wantsText = (wanted: number, bytes: number): boolean => wanted === 2 && bytes >= textFrom;
      const asked = { pattern: literal('needle'), wantsText };
      const { candidates, text, unknown, odd } = await index.known(folder, pieces(files), asked, NEVER);
      return [pathsOf(candidates), pathsOf(text), pathsOf(unknown), odd];
    };
    expect(await ask(21)).toEqual([['a', 'b'], [], [], ['d']]);
    expect(await ask(20)).toEqual([[], ['a', 'b'], [], ['d']]);
    await write({ b: Buffer.from('needle\0hay') });
    expect(await ask(20)).toEqual([['b'], ['a'], ['b'], ['d']]);
  });

  it('forgets a file that was written in place with its size and time of change set back', async () => {
    const files = await write({ a: 'hay hay', b: 'hay hay' });
    const index = open();
    await learn(index, files);
    const before = await stat(join(folder, 'a'));
    await writeFile(join(folder, 'a'), 'needle!');
    await utimes(join(folder, 'a'), before.atime, before.mtime);
    expect((await known(index, files, 'needle')).unknown).toEqual(['a']);
    await learn(index, files);
    const again = await known(index, files, 'needle');
    expect(again).toMatchObject({ unknown: [], candidates: ['a'], ruledOut: 1 });
  });

  it('forgets a file that was replaced, is gone, or is something else now', async () => {
    const files = await write({ a: 'hay', b: 'hay', c: 'hay', d: 'hay', other: 'hay' });
    const index = open();
    await learn(index, files);
    await rename(join(folder, 'other'), join(folder, 'a'));
    await rm(join(folder, 'b'));
    await rm(join(folder, 'c'));
    await symlink('d', join(folder, 'c'));
    expect(await known(index, files, 'needle')).toMatchObject({
      unknown: ['a', 'b', 'c', 'other'],
      ruledOut: 1,
    });
  });

  it('does not trust what changed just before it was learned', async () => {
    const index = open();
    for (let round = 0; round < 5; round += 1) {
      const files = await write({ a: 'hay hay' });
      index.learnLater(folder, pieces(files));
      await index.settled();
      await writeFile(join(folder, 'a'), 'needle!');
      expect((await known(index, files, 'needle')).candidates).toEqual(['a']);
    }
  });

  it('learns nothing in folders where the times of files prove nothing', async () => {
    const index = open({ hasTrueTimes: (at) => !at.endsWith('/shared') });
    const paths = await write({ 'shared/a.txt': 'alpha\n', 'own/b.txt': 'beta\n' });
    await learn(index, paths);
    const { unknown } = await index.known(folder, pieces(paths), { pattern: literal('unfindable') }, NEVER);
    expect(unknown.flatMap((piece) => piece.names)).toEqual(['a.txt']);
  });

  it('does not learn what has a time of change in the future', async () => {
    const files = await write({ a: 'hay' });
    await utimes(join(folder, 'a'), 4e9, 4e9);
    const index = open();
    await learn(index, files);
    expect((await known(index, files, 'needle')).unknown).toEqual(['a']);
  });

  it('never misses a match while files are rewritten all the time', async () => {
    const names = Array.from({ length: 40 }, (_, number) => `f${number}`);
    await write(Object.fromEntries(names.map((name) => [name, 'hay hay'])));
    const index = open();
    const end = Date.now() + 1500;
    for (let round = 0; Date.now() < end; round += 1) {
      index.learnLater(folder, pieces(names));
      const changed = names.filter((_, number) => (number * 7 + round) % 5 === 0);
      for (const name of changed) await writeFile(join(folder, name), round % 2 === 0 ? 'needle!' : 'hay hay');
      const candidates = new Set((await known(index, names, 'needle')).candidates);
      const missed = execFileSync('grep', ['-rl', 'needle', '.'], { cwd: folder, encoding: 'utf8' })
        .split('\n')
        .filter(Boolean);
      expect(missed.filter((path) => !candidates.has(path.slice(2)))).toEqual([]);
      await sleep(round % 3 === 0 ? GRAIN_MS : 0);
    }
  });

  it('looks at no FIFO and follows no link', async () => {
    const files = await write({ a: 'hay' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await symlink('a', join(folder, 'link'));
    const index = open();
    await learn(index, ['pipe', 'link', 'missing', ...files]);
    expect(await known(index, ['pipe', 'link', 'missing', 'a'], 'needle')).toMatchObject({
      unknown: ['link', 'missing', 'pipe'],
      ruledOut: 1,
    });
  });

  it('never rules out a large file, and learns it once it is small', async () => {
    const files = await write({ large: 'a'.repeat(16 * 1024 * 1024 + 1), full: 'a'.repeat(16 * 1024 * 1024) });
    const index = open();
    await learn(index, files);
    const first = await known(index, files, 'needle');
    expect(first).toMatchObject({ candidates: ['large'], unknown: [], ruledOut: 1 });
    await writeFile(join(folder, 'large'), 'small');
    expect((await known(index, files, 'needle')).unknown).toEqual(['large']);
  });

  it('learns names that are no UTF-8', async () => {
    execFileSync('sh', ['-c', `printf hay > "$(printf 'caf\\351')"`], { cwd: folder });
    const index = open();
    await learn(index, ['caf\udce9']);
    expect((await known(index, ['caf\udce9'], 'needle')).ruledOut).toBe(1);
  });

  it('knows what lies below and above the folder that was learned about', async () => {
    const files = await write({ 'a/b/c': 'hay', 'a/d': 'hay', e: 'hay', 'ab/f': 'hay' });
    const index = open();
    await learn(index, ['b/c', 'd'], join(folder, 'a'));
    expect(await known(index, ['c'], 'needle', join(folder, 'a/b'))).toMatchObject({ ruledOut: 1 });
    expect(await known(index, files, 'needle')).toMatchObject({
      unknown: ['ab/f', 'e'],
      ruledOut: 2,
    });
    await learn(index, files);
    await appendFile(join(folder, 'a/d'), 'needle');
    expect(await known(index, ['b/c', 'd'], 'needle', join(folder, 'a'))).toMatchObject({
      unknown: ['d'],
      ruledOut: 1,
    });
    expect((await known(index, files, 'needle')).ruledOut).toBe(3);
  });

  it('knows the files of a folder whose list grows, shrinks, or comes in parts', async () => {
    const files = await write({ b: 'hay', d: 'hay', f: 'hay' });
    const index = open();
    await learn(index, ['d']);
    await learn(index, ['b', 'f']);
    expect(await known(index, files, 'needle')).toMatchObject({ candidates: [], ruledOut: 3 });
    await write({ a: 'hay', c: 'needle', g: 'hay' });
    await learn(index, ['a', 'b', 'c', 'd', 'f', 'g']);
    expect(await known(index, ['a', 'c', 'd', 'e', 'g', 'h'], 'needle')).toMatchObject({
      candidates: ['c', 'e', 'h'],
      unknown: ['e', 'h'],
      ruledOut: 3,
    });
  });

  it('stops learning at its limits, and gives up other folders first', async () => {
    const files = await write({ 'a/1': 'hay', 'a/2': 'hay', 'b/1': 'hay', 'b/2': 'hay' });
    const index = open({ maxFiles: 2 });
    await learn(index, ['1', '2'], join(folder, 'a'));
    await learn(index, ['1', '2'], join(folder, 'b'));
    expect((await known(index, files, 'needle')).unknown).toEqual(['a/1', 'a/2']);
    const small = open({ maxBytes: 3 });
    await learn(small, files);
    await learn(small, files);
    expect((await known(small, files, 'needle')).ruledOut).toBeLessThanOrEqual(4);
    const narrow = open({ maxFingerprints: 8 });
    await learn(narrow, ['1', '2'], join(folder, 'a'));
    expect((await known(narrow, ['a/1', 'a/2'], 'needle')).ruledOut).toBe(2);
    await learn(narrow, ['1', '2'], join(folder, 'b'));
    expect(await known(narrow, files, 'needle')).toMatchObject({ unknown: ['a/1', 'a/2'], ruledOut: 2 });
  });

  it('uses memory again that changed files leave', async () => {
    const names = Array.from({ length: 300 }, (_, number) => `f${number}`);
    const index = open();
    const sizes: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await write(Object.fromEntries(names.map((name) => [name, `${name} ${round} ${'words and more '.repeat(20)}`])));
      await known(index, names, 'unfindableNeedleInHay');
      await learn(index, names);
      expect((await known(index, names, 'unfindableNeedleInHay')).ruledOut).toBe(300);
      sizes.push(index.memory);
    }
    expect(new Set(sizes).size).toBe(1);
  });

  it('learns nothing while a search runs', async () => {
    await write({ 'a.txt': 'some text' });
    const index = open({ startAfterMs: 5 });
    await sleep(GRAIN_MS);
    index.hurry();
    index.learnLater(folder, pieces(['a.txt']));
    await sleep(100);
    expect(index.knowsAny).toBe(false);
    index.rest();
    await index.settled();
    expect(index.knowsAny).toBe(true);
  });

  it('learns many files in pieces, and rests while it is asked', async () => {
    const names = Array.from({ length: 500 }, (_, number) => `f${number}`);
    await write(Object.fromEntries(names.map((name) => [name, `content of ${name}, and no more of it`])));
    const index = open({ startAfterMs: 20 });
    await sleep(GRAIN_MS);
    index.learnLater(folder, pieces(names));
    await sleep(60);
    const answers = await Promise.all([1, 2, 3].map(async () => known(index, names, 'content of f499, and no')));
    for (const { candidates, ruledOut } of answers) expect(candidates.length + ruledOut).toBe(500);
    await index.settled();
    const { unknown, candidates } = await known(index, names, 'content of f499');
    expect(unknown).toEqual([]);
    expect(candidates).toContain('f499');
    expect(candidates.length).toBeLessThan(200);
  });

  it('ends when it is closed while it learns, and is asked no more', async () => {
    const names = Array.from({ length: 300 }, (_, number) => `f${number}`);
    await write(Object.fromEntries(names.map((name) => [name, 'hay'])));
    const index = open();
    index.learnLater(folder, pieces(names));
    const settled = index.settled();
    await sleep(40);
    index.close();
    await settled;
    index.learnLater(folder, pieces(names));
    await index.settled();
    expect((await known(index, names, 'needle')).unknown).toEqual(names.toSorted());
  });

  it('looks only at what it might rule out when many files may match', async () => {
    const names = Array.from({ length: 600 }, (_, number) => `f${number}`);
    await write(Object.fromEntries(names.map((name) => [name, 'hay'])));
    await write({ f0: 'needle', f1: 'gr\xf6\xdfe'.repeat(3) });
    await write({ f1: Buffer.from('gr\xf6\xdfe', 'latin1'), f2: 'needle' });
    const looked: string[] = [];
    const stamps: ContentIndexOptions['stamps'] = {
      stampsIn: async (below, asked, signal) => {
        looked.push(...asked.flatMap((piece) => piece.names));
        return statter.stampsIn(below, asked, signal);
      },
    };
    const index = open({ stamps });
    await learn(index, names);
    await writeFile(join(folder, 'f2'), 'hay, it is');
    const { unknown, candidates, odd, ruledOut } = await known(index, names, 'hay');
    expect({ unknown, odd, ruledOut }).toEqual({ unknown: ['f2'], odd: ['f1'], ruledOut: 1 });
    expect(candidates).toEqual(names.slice(2).toSorted());
    expect(looked).toEqual(['f0', 'f1', 'f2']);
  });

  it('rejects with the reason of the signal', async () => {
    const files = await write({ a: 'hay' });
    const index = open();
    await learn(index, files);
    const reason = new Error('enough');
    await expect(index.known(folder, pieces(files), { pattern: literal('a') }, AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const stamps = { stampsIn: async () => Promise.reject(reason) };
    const other = open({ stamps });
    await learn(other, files);
    await expect(other.known(folder, pieces(files), { pattern: literal('a') }, controller.signal)).rejects.toBe(reason);
    other.learnLater(folder, pieces(['b']));
    await other.settled();
  });

  it('does not delay the end of the process, even while it learns', async () => {
    const names = Array.from({ length: 100 }, (_, number) => `f${number}`);
    await write(Object.fromEntries(names.map((name) => [name, 'some text '.repeat(50_000)])));
    const bundle = join(folder, 'child.mjs');
    const source = (name: string): string => new URL(name, import.meta.url).pathname;
    await build({
      stdin: {
        contents: `import { ContentIndex } from ${JSON.stringify(source('content-index.ts'))};
          import { SearchThreads } from ${JSON.stringify(source('../engines/threads/search-threads.ts'))};
          const index = new ContentIndex({ stamps: {}, threads: new SearchThreads(), startAfterMs: 0 });
          index.learnLater(process.argv[2], [{ folder: '', names: Array.from({ length: 100 }, (_, number) => 'f' + number).sort() }]);
          setTimeout(() => { console.log('end'); process.on('exit', () => console.log(Date.now())); }, 150);`,
        resolveDir: folder,
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: bundle,
      logLevel: 'error',
    });
    const { stdout, status, stderr } = spawnSync(process.execPath, [bundle, folder], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    const ended = Date.now();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [said, exit] = stdout.split('\n');
    expect(said).toBe('end');
    expect(ended - Number(exit)).toBeLessThan(1000);
  }, 40_000);
});
