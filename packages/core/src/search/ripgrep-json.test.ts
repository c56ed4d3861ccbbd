import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEPT_PER_FILE, type SearchSink } from './engine.js';
import { RipgrepReader } from './ripgrep-json.js';
import type { FileMatches } from './text-match.js';

interface Told extends SearchSink {
  readonly files: FileMatches[];
  readonly binaries: string[];
}

function recorder(): Told {
  const files: FileMatches[] = [];
  const binaries: string[] = [];
  return {
    files,
    binaries,
    found: (file) => void files.push(file),
    binary: (path) => void binaries.push(path),
    failed: () => undefined,
  };
}

const record = (type: string, data: object): string => `${JSON.stringify({ type, data })}\n`;

function match(path: string, line: number, text: string, start: number): string {
  const submatches = [{ match: { text: 'x' }, start, end: start + 1 }];
  return record('match', { path: { text: path }, lines: { text }, line_number: line, absolute_offset: 0, submatches });
}

const begin = (path: string): string => record('begin', { path: { text: path } });
const end = (path: string, binaryOffset: number | null = null): string =>
  record('end', { path: { text: path }, binary_offset: binaryOffset });

describe('RipgrepReader', () => {
  it('reads the same whatever the chunks', () => {
    const stream = Buffer.from(
      begin('./ä b') + match('./ä b', 3, 'héllo x\r\n', 7) + match('./ä b', 9, 'x', 0) + end('./ä b'),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const told = recorder();
        const reader = new RipgrepReader(told);
        const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
        for (const [index, place] of places.entries()) reader.push(stream.subarray(places[index - 1] ?? 0, place));
        expect(told.files).toEqual([
          {
            relativePath: 'ä b',
            total: 2,
            matches: [
              { line: 3, column: 7, text: 'héllo x', cutBefore: 0, cutAfter: 0 },
              { line: 9, column: 1, text: 'x', cutBefore: 0, cutAfter: 0 },
            ],
          },
        ]);
      }),
    );
  });

  it('tells a binary file without its lines', () => {
    const told = recorder();
    new RipgrepReader(told).push(Buffer.from(begin('./b') + match('./b', 1, 'x', 0) + end('./b', 17)));
    expect(told).toMatchObject({ files: [], binaries: ['b'] });
  });

  it('counts all matches of a file but keeps a bounded number', () => {
    const told = recorder();
    const reader = new RipgrepReader(told);
    reader.push(Buffer.from(begin('./a')));
    for (let line = 1; line <= KEPT_PER_FILE + 5; line++) reader.push(Buffer.from(match('./a', line, 'x\n', 0)));
    reader.push(Buffer.from(end('./a')));
    expect(told.files[0]?.matches.length).toBe(KEPT_PER_FILE);
    expect(told.files[0]?.total).toBe(KEPT_PER_FILE + 5);
  });

  it('hands on what it has of a file that was not searched to its end, once', () => {
    const told = recorder();
    const reader = new RipgrepReader(told);
    reader.push(Buffer.from(begin('./a') + match('./a', 1, 'x\n', 0) + match('./a', 2, 'x\n', 0)));
    reader.flush();
    reader.flush();
    expect(told.files.map(({ relativePath, total }) => [relativePath, total])).toEqual([['a', 2]]);
  });

  it('holds a bounded part of a line that is longer than memory should be', () => {
    const told = recorder();
    const reader = new RipgrepReader(told);
    const stream = Buffer.from(
      begin('./a') + match('./a', 42, `"\\start ${'y'.repeat(20 << 20)}x\n`, 20_971_528) + end('./a'),
    );
    for (let at = 0; at < stream.length; at += 65_536) reader.push(stream.subarray(at, at + 65_536));
    const [only] = told.files[0]?.matches ?? [];
    expect(only).toMatchObject({ line: 42, column: 20_971_529, cutBefore: 0 });
    expect(only?.text.startsWith('"\\start yyy')).toBe(true);
    expect(only?.text.length).toBeLessThanOrEqual(500);
    expect(only?.cutAfter).toBeGreaterThan(20_000_000);
  });
});
