import { mkdtempSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileLines } from '../../report/shown-line.js';
import type { LinesRequest, SearchEngine, TargetFolder } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { createJavaScriptEngine } from './create-javascript-engine.js';

let root = '';
let engines: SearchEngine[] = [];
const never = new AbortController().signal;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-js-')));
});
afterEach(async () => {
  await Promise.all(engines.map(async (engine) => engine.close()));
  engines = [];
  rmSync(root, { recursive: true });
});

function engineFor(pattern: string, options: Partial<SearchPattern> = {}): SearchEngine {
  const wanted = { pattern, caseSensitive: false, fixedStrings: false, multiline: false, ...options };
  const engine = createJavaScriptEngine({ pattern: wanted, folder: { path: root, workingDirectory: root } });
  engines.push(engine);
  return engine;
}

function put(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

function wholeFolder(folder: string): TargetFolder {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return { folder, names: entries.filter((entry) => entry.isFile()).map(({ name }) => name), isWhole: true };
}

interface Told {
  counted: Record<string, number>;
  odd: string[];
  failed: (string | undefined)[][];
}

async function count(
  engine: SearchEngine,
  targets: { folders?: string[]; files?: string[] },
  signal: AbortSignal = never,
  told: Told = { counted: {}, odd: [], failed: [] },
): Promise<Told> {
  const sink = {
    counted: (path: string, matches: number) => void (told.counted[path] = matches),
    odd: (path: string) => void told.odd.push(path),
    failed: (path: string | undefined, reason: string) => void told.failed.push([path, reason]),
  };
  const folders = (targets.folders ?? []).map(wholeFolder);
  await engine.countAnything({ folders, files: targets.files ?? [] }, sink, signal);
  told.odd.sort();
  return told;
}

async function lines(engine: SearchEngine, request: Partial<LinesRequest>, path = 'a'): Promise<FileLines | undefined> {
  let found: FileLines | undefined;
  const sink = {
    found: (_: string, told: FileLines) => void (found = told),
    failed: (name: string | undefined, reason: string) => expect.fail(`${name}: ${reason}`),
  };
  await engine.lines({ files: [{ path, maxMatches: 100 }], before: 0, after: 0, ...request }, sink, never);
  return found;
}

const shown = (found: FileLines | undefined): string[] =>
  (found?.lines ?? []).map(({ line, column, text }) => `${line}${column === undefined ? '-' : `:${column}:`}${text}`);

describe('counting', () => {
  it('counts lines in the regular files of folders and in single files', async () => {
    put({ 'a.txt': 'one\nTWO one\nthree', 'd/b.txt': 'one one\r\n', 'd/e/c.txt': 'one', 'f/x': 'one\n\none' });
    symlinkSync('a.txt', join(root, 'link'));
    const told = await count(engineFor('one'), { folders: ['', 'd'], files: ['f/x'] });
    expect(told).toEqual({ counted: { 'a.txt': 2, 'd/b.txt': 1, 'f/x': 2 }, odd: [], failed: [] });
  });

  it('tells what is no UTF-8 and reads UTF-16 by its mark', async () => {
    put({
      latin: Buffer.from('caf\xe9 one', 'latin1'),
      nul: 'one\0',
      japanese: 'one \x1b$B$3$l\x1b(B',
      coloured: '\x1b[1mred\x1b(B\x1b[m\none',
      wide: Buffer.from('\ufeffone é\r\ntwo', 'utf16le'),
      marked: '\ufeffone',
    });
    const told = await count(engineFor('^one'), { folders: [''] });
    expect(told).toEqual({
      counted: { coloured: 1, wide: 1, marked: 1 },
      odd: ['japanese', 'latin', 'nul'],
      failed: [],
    });
  });

  it('searches names that are no UTF-8', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), 'one');
    const told = await count(engineFor('one'), { files: ['caf\udce9'] });
    expect(told.counted).toEqual({ 'caf\udce9': 1 });
  });

  it('tells why a file could not be searched', async () => {
    put({ a: 'one' });
    symlinkSync('a', join(root, 'link'));
    const told = await count(engineFor('one'), { files: ['gone', 'link', 'a', 'no/where'] });
    expect(told.counted).toEqual({ a: 1 });
    expect(told.failed).toEqual([
      ['gone', 'it was deleted meanwhile'],
      ['link', 'it became a symbolic link'],
      ['no/where', 'it was deleted meanwhile'],
    ]);
  });

  it('does not follow a folder that became a link', async () => {
    put({ 'real/a': 'one' });
    symlinkSync('real', join(root, 'linked'));
    const told = await count(engineFor('one'), { files: ['linked/a'] });
    expect(told.counted).toEqual({});
    expect(told.failed.map(([path]) => path)).toEqual(['linked/a']);
  });

  it('searches large files in parts, wherever lines and characters are cut', async () => {
    const line = `${'é'.repeat(700)} one\r\n`;
    put({ large: line.repeat(3000), late: Buffer.concat([Buffer.from(line.repeat(1500)), Buffer.from([0xff])]) });
    const told = await count(engineFor('é one$'), { folders: [''] });
    expect(told).toEqual({ counted: { large: 3000 }, odd: ['late'], failed: [] });
  });

  it('ends a pattern that never ends and keeps what was found before', async () => {
    put({ a: 'aab\n', b: `${'a'.repeat(60)}!\n`, c: 'ab\n' });
    const told: Told = { counted: {}, odd: [], failed: [] };
    const engine = engineFor('^(?:a+)+b(?=\\r?$)');
    const searching = count(engine, { files: ['a', 'b', 'c'] }, AbortSignal.timeout(300), told);
    await expect(searching).rejects.toThrow('timeout');
    expect(told.counted).toEqual({ a: 1 });
    expect((await count(engine, { files: ['c'] })).counted).toEqual({ c: 1 });
  });

  it('goes on in one worker while the other hangs', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `f${index}`);
    put({ ...Object.fromEntries(many.map((name) => [name, 'ab'])), b: `${'a'.repeat(60)}!\n` });
    const told: Told = { counted: {}, odd: [], failed: [] };
    const engine = engineFor('^(?:a+)+b');
    const searching = count(engine, { files: ['b', ...many] }, AbortSignal.timeout(4000), told);
    await expect(searching).rejects.toThrow('timeout');
    expect(Object.keys(told.counted).length).toBe(3000 - 255);
    expect((await count(engine, { files: ['f1'] })).counted).toEqual({ f1: 1 });
  });

  it('counts occurrences where matches may span lines', async () => {
    put({ a: 'one\ntwo one\ntwo' });
    const told = await count(engineFor('one.two', { multiline: true }), { files: ['a'] });
    expect(told.counted).toEqual({ a: 2 });
  });

  it('finds a text as it stands', async () => {
    put({ a: 'x.*(<é>)\\ "y\nX.*(<É>)\\ "y' });
    const literal = '.*(<é>)\\ "';
    expect((await count(engineFor(literal, { fixedStrings: true }), { files: ['a'] })).counted).toEqual({ a: 2 });
    const exact = engineFor(literal, { fixedStrings: true, caseSensitive: true });
    expect((await count(exact, { files: ['a'] })).counted).toEqual({ a: 1 });
  });

  it('refuses a wrong pattern', async () => {
    await expect(engineFor('a(').checkPattern(never)).rejects.toThrow('unclosed group');
    await expect(count(engineFor('a('), { files: ['a'] })).rejects.toThrow('unclosed group');
  });
});

describe('lines', () => {
  const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n');

  it('shows lines around matches, each once', async () => {
    put({ a: text });
    const found = await lines(engineFor('line [479]$'), { before: 1, after: 2 });
    expect(shown(found)).toEqual([
      '3-line 3',
      '4:1:line 4',
      '5-line 5',
      '6-line 6',
      '7:1:line 7',
      '8-line 8',
      '9:1:line 9',
      '10-line 10',
      '11-line 11',
    ]);
    expect(found?.matches).toBe(3);
  });

  it('ends after the last counted match and the lines after it', async () => {
    put({ a: text });
    const found = await lines(engineFor('line'), { files: [{ path: 'a', maxMatches: 2 }], after: 2 });
    expect(shown(found)).toEqual(['1:1:line 1', '2:1:line 2', '3-line 3', '4-line 4']);
    expect(found?.matches).toBe(2);
  });

  it('gives columns in UTF-16 units and cuts long lines around the match', async () => {
    put({ a: `😀é one\r\n${'x'.repeat(5000)}one${'y'.repeat(9000)}\n` });
    const found = await lines(engineFor('one'), {});
    expect(found?.lines[0]).toEqual({ line: 1, column: 5, text: '😀é one', cutBefore: 0, cutAfter: 0 });
    expect(found?.lines[1]).toMatchObject({ line: 2, column: 5001, cutBefore: 4850, cutAfter: 8653 });
    expect(found?.lines[1]?.text).toHaveLength(500);
  });

  it('shows all lines that a match spans, with where it goes on', async () => {
    put({ a: 'a\nb one\ntwo\nc\nd one\ntwo\n' });
    const found = await lines(engineFor('one\\ntwo', { multiline: true }), { before: 1, after: 1 });
    expect(shown(found)).toEqual(['1-a', '2:3:b one', '3:1:two', '4-c', '5:3:d one', '6:1:two']);
    expect(found?.matches).toBe(2);
  });

  it('gives of a match over very many lines no more than an answer holds, and each in its place', async () => {
    const body = 'in it\n'.repeat(50_000);
    put({ a: `first\n${body}last first\n${body}last\nbehind\n` });
    const engine = engineFor('first[^f]*last', { multiline: true });
    const numbers = (found: FileLines | undefined): number[] => (found?.lines ?? []).map(({ line }) => line);
    const upTo = (maxMatches: number, skip: number): Partial<LinesRequest> => ({
      files: [{ path: 'a', maxMatches, skip }],
    });
    const all = await lines(engine, { ...upTo(2, 0), after: 1 });
    expect(all?.matches).toBe(2);
    expect(numbers(all)).toEqual(Array.from({ length: 12_001 }, (_, at) => at + 1));
    const second = await lines(engine, upTo(2, 1));
    expect(numbers(second)).toEqual(Array.from({ length: 12_001 }, (_, at) => at + 50_002));
    expect(second?.lines[0]).toMatchObject({ column: 6, text: 'last first' });
  });

  it('keeps line numbers and context across the parts of a large file', async () => {
    const filler = `${'x'.repeat(99)}\n`.repeat(30_000);
    put({ a: `${filler}before\none\nafter\n${filler}one` });
    const found = await lines(engineFor('^one'), { before: 1, after: 1 });
    expect(found?.lines.map(({ line }) => line)).toEqual([30_001, 30_002, 30_003, 60_003, 60_004]);
  });
});
