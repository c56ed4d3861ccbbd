import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileLines } from '../../report/shown-line.js';
import { ComplaintReader } from './complaint-reader.js';
import { countReader, pathReader } from './count-reader.js';
import type { LinesLimits } from './kept-lines.js';
import { LinesReader } from './lines-reader.js';

/** Pushes a stream in any pieces. */
function inPieces(stream: Buffer, cuts: readonly number[], push: (piece: Buffer) => void): void {
  const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
  // Each piece in memory of its own, overwritten afterwards.
  for (const [index, place] of places.entries()) {
    const piece = Buffer.from(stream.subarray(places[index - 1] ?? 0, place));
    push(piece);
  }
}

const cutsOf = (stream: Buffer): fc.Arbitrary<number[]> => fc.array(fc.nat(stream.length), { maxLength: 8 });

describe('countReader and pathReader', () => {
  it('read the same whatever the pieces, and whatever the names', () => {
    const names = ['a', 'b\n:12:\n', 'ä/c', '.', '12'];
    const counts = Buffer.from(
      names.map((name, index) => `./${name}\0${index * 1234}${index % 2 ? '\r' : ''}\n`).join(''),
    );
    const paths = Buffer.from(names.map((name) => `./${name}\0`).join(''));
    fc.assert(
      fc.property(cutsOf(counts), cutsOf(paths), (countCuts, pathCuts) => {
        const told: [string, number][] = [];
        inPieces(
          counts,
          countCuts,
          countReader((path, count) => told.push([path, count])),
        );
        expect(told).toEqual(names.map((name, index) => [name, index * 1234]));
        const found: string[] = [];
        inPieces(
          paths,
          pathCuts,
          pathReader((path) => found.push(path)),
        );
        expect(found).toEqual(names);
      }),
    );
  });

  it('keep the bytes of names that are no UTF-8', () => {
    const told: string[] = [];
    pathReader((path) => told.push(path))(Buffer.from('./a\xff\0', 'latin1'));
    expect(told).toEqual(['a\udcff']);
  });

  it('read a hundred thousand records at once', () => {
    const stream = Buffer.from(
      Array.from({ length: 100_000 }, (_, index) => `./packages/p${index}/src/file.ts\0${index}\n`).join(''),
    );
    let sum = 0;
    const push = countReader((_path, count) => (sum += count));
    const started = performance.now();
    for (let at = 0; at < stream.length; at += 65_536) push(stream.subarray(at, at + 65_536));
    expect(sum).toBe(4_999_950_000);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('ComplaintReader', () => {
  it('tells files and reasons, and keeps the rest, whatever the pieces', () => {
    const stream = Buffer.from(
      'rg: ./a: b: No such file or directory (os error 2)\n' +
        './c\nd: Permission denied (os error 13)\n' +
        'rg: ./e: IO error for operation on ./e: Is gone (os error 7)\n' +
        'rg: ./f: PCRE2: error matching: match limit exceeded\n' +
        'rg: regex parse error:\n    (?:x\n',
    );
    fc.assert(
      fc.property(cutsOf(stream), (cuts) => {
        const told: [string | undefined, string][] = [];
        const reader = new ComplaintReader((path, reason) => told.push([path, reason]));
        inPieces(stream, cuts, (piece) => reader.push(piece));
        expect(reader.finish()).toEqual({ files: 4, others: 'rg: regex parse error:\n    (?:x' });
        expect(told).toEqual([
          ['a: b', 'it was deleted meanwhile'],
          ['c\nd', 'permission denied'],
          ['e', 'Is gone'],
          ['f', 'PCRE2: error matching: match limit exceeded'],
        ]);
      }),
    );
  });

  it('keeps a bounded part of endless complaints', () => {
    const reader = new ComplaintReader(() => undefined);
    for (let count = 0; count < 2_000; count++) reader.push(Buffer.from(`rg: ${'x'.repeat(1_000)}\n`));
    for (let count = 0; count < 2_000; count++) reader.push(Buffer.from('y'.repeat(1_000)));
    expect(reader.finish().others.length).toBeLessThan(300_000);
  });
});

const record = (type: string, data: object): string => `${JSON.stringify({ type, data })}\n`;
const begin = (path: string): string => record('begin', { path: { text: path } });
const end = (path: string): string => record('end', { path: { text: path }, binary_offset: null });
const line = (type: string, number: number, lines: object, submatches: readonly object[]): string =>
  record(type, { path: { text: './a' }, lines, line_number: number, absolute_offset: 0, submatches });
const match = (number: number, text: string, start: number): string =>
  line('match', number, { text }, [{ match: { text: 'x' }, start, end: start + 1 }]);

type Far = readonly { readonly start: number; readonly end: number }[];

function read(
  stream: Buffer,
  limits: Partial<LinesLimits> = {},
  cuts: readonly number[] = [],
  far: (path: string, places: Far) => void = () => expect.fail('nothing is too long'),
): [string, FileLines][] {
  const told: [string, FileLines][] = [];
  const all = { maxMatches: 10, before: 0, after: 0, skip: 0, multiline: false, ...limits };
  const reader = new LinesReader(all, { found: (path, lines) => told.push([path, lines]), far });
  inPieces(stream, cuts, (piece) => reader.push(piece));
  return told;
}

describe('LinesReader', () => {
  it('reads the same whatever the pieces', () => {
    const stream = Buffer.from(
      begin('./ä b') +
        match(3, 'héllo x\r\n', 7) +
        line('context', 4, { text: 'y\n' }, []) +
        match(9, 'x', 0) +
        end('./ä b'),
    );
    fc.assert(
      fc.property(cutsOf(stream), (cuts) => {
        expect(read(stream, {}, cuts)).toEqual([
          [
            'ä b',
            {
              matches: 2,
              lines: [
                { line: 3, column: 7, text: 'héllo x', cutBefore: 0, cutAfter: 0 },
                { line: 4, text: 'y', cutBefore: 0, cutAfter: 0 },
                { line: 9, column: 1, text: 'x', cutBefore: 0, cutAfter: 0 },
              ],
            },
          ],
        ]);
      }),
    );
  });

  it('keeps no more matches than are wanted, and the lines after the last of them', () => {
    const stream = begin('./a') + [1, 2, 3, 4, 5].map((number) => match(number, 'x\n', 0)).join('') + end('./a');
    const [[, lines] = []] = read(Buffer.from(stream), { maxMatches: 2, after: 1 });
    expect(lines?.matches).toBe(2);
    expect(lines?.lines.map(({ line: number, column }) => [number, column])).toEqual([
      [1, 1],
      [2, 1],
      [3, undefined],
    ]);
  });

  it('keeps only where it matches of a file with a line that is longer than memory should be', () => {
    const text = `"\\start ${'y'.repeat(20 << 20)}x\n`;
    const stream = Buffer.from(
      begin('./a') +
        match(42, text, 20_971_528) +
        match(43, 'x', 0) +
        end('./a') +
        begin('./b') +
        match(1, 'x', 0) +
        end('./b'),
    );
    const cuts = Array.from({ length: Math.floor(stream.length / 65_536) }, (_, index) => index * 65_536);
    const told: [string, Far][] = [];
    const near = read(stream, {}, cuts, (path, places) => told.push([path, places]));
    expect(near.map(([path]) => path)).toEqual(['b']);
    expect(told).toEqual([
      [
        'a',
        [
          { start: 20_971_528, end: 20_971_529 },
          { start: 0, end: 1 },
        ],
      ],
    ]);
  });

  it('keeps a bounded number of the lines of one match', () => {
    const text = 'x\n'.repeat(100_000);
    const stream =
      begin('./a') + line('match', 1, { text }, [{ match: { text }, start: 0, end: text.length }]) + end('./a');
    const [[, lines] = []] = read(Buffer.from(stream), { multiline: true });
    expect([lines?.matches, lines?.lines.length]).toEqual([1, 12_001]);
  });
});
