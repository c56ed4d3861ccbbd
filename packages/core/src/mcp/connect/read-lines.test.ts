import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineReader } from './read-lines.js';

interface Read {
  readonly lines: string[];
  readonly begun: string[];
  readonly tooLong: { readonly start: string; readonly end: string; readonly bytes: number }[];
  readonly endless: number[];
}

function read(chunks: readonly Buffer[], mostBytes = 1_000_000, isOver = true): Read {
  const seen: Read = { lines: [], begun: [], tooLong: [], endless: [] };
  const reader = new LineReader(
    {
      line: (text) => seen.lines.push(text),
      tooLong: (start) => seen.begun.push(start),
      longEnded: (start, end, bytes) => seen.tooLong.push({ start, end, bytes }),
      endless: (bytes) => seen.endless.push(bytes),
    },
    mostBytes,
  );
  for (const chunk of chunks) reader.push(chunk);
  if (isOver) reader.end();
  return seen;
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

it('gives the same lines however they are cut, also within a character', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/u.test(text));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat()), fc.boolean(), (lines, cuts, isWindows) => {
      const bytes = Buffer.from(lines.map((text) => text + (isWindows ? '\r\n' : '\n')).join(''));
      expect(read(cutAt(bytes, cuts)).lines).toEqual(lines);
    }),
  );
});

it('gives what comes after the last end of line when no more comes', () => {
  expect(read([Buffer.from('one\ntw'), Buffer.from('o')]).lines).toEqual(['one', 'two']);
});

it('lets go of a line that is too long, and goes on after it', () => {
  const long = `start${'x'.repeat(100_000)}end`;
  const { lines, tooLong } = read(cutAt(Buffer.from(`a\n${long}\nb\n`), [5, 700, 20_000, 99_990]), 10_000);
  expect(lines).toEqual(['a', 'b']);
  expect(tooLong).toHaveLength(1);
  expect(tooLong[0]?.bytes).toBe(long.length);
  expect(tooLong[0]?.start).toMatch(/^startx/u);
  expect(tooLong[0]?.end).toMatch(/xend$/u);
});

it('tells at once of a line that is too long, and once of one that goes on and on', () => {
  const chunk = Buffer.alloc(100, 0x61);
  const times = (count: number): Buffer[] => Array.from({ length: count }, () => chunk);
  expect(read(times(10), 1000, false)).toEqual({ lines: [], begun: [], tooLong: [], endless: [] });
  expect(read(times(11), 1000, false)).toMatchObject({ begun: ['a'.repeat(1100)], tooLong: [], endless: [] });
  expect(read(times(500), 1000, false)).toMatchObject({ tooLong: [], endless: [4100] });
  expect(read([...times(500), Buffer.from('\nb\n'), ...times(50)], 1000, false)).toMatchObject({
    lines: ['b'],
    tooLong: [{ bytes: 50_000, end: 'a'.repeat(4096) }],
    endless: [4100, 4100],
  });
});

it('takes time in proportion to a line, not to its square', () => {
  const chunk = Buffer.alloc(65_536, 0x61);
  const { lines } = read([...Array.from({ length: 480 }, () => chunk), Buffer.from('\n')], 64 * 1024 * 1024);
  expect(lines[0]?.length).toBe(480 * 65_536);
});
