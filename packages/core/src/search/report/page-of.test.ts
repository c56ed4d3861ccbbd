import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageOf, type PagePart } from './page-of.js';

const counts = fc.array(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 500 })), { maxLength: 30 });
const sizeOf = (page: readonly PagePart[]): number => page.reduce((sum, { matches }) => sum + matches, 0);

it('pages that follow one another are full, disjoint, and leave nothing out', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 100 }), (matches, limit) => {
      const total = matches.reduce((sum, each) => sum + each, 0);
      const next = matches.map(() => 0);
      for (let offset = 0; offset < total; offset += limit) {
        const page = pageOf(Float64Array.from(matches), offset, limit);
        expect(sizeOf(page)).toBe(Math.min(limit, total - offset));
        for (const part of page) {
          expect(part.first).toBe(next[part.index]);
          next[part.index] = part.first + part.matches;
        }
        expect(page.map(({ index }) => index)).toEqual(page.map(({ index }) => index).sort((a, b) => a - b));
      }
      expect(next).toEqual(matches);
      expect(pageOf(Float64Array.from(matches), total, limit)).toEqual([]);
    }),
  );
});

it('a file with thousands of matches leaves room for all others', () => {
  const page = pageOf(Float64Array.of(5_000, 2, 3, 1), 0, 200);
  expect(page).toEqual([
    { index: 0, first: 0, matches: 194 },
    { index: 1, first: 0, matches: 2 },
    { index: 2, first: 0, matches: 3 },
    { index: 3, first: 0, matches: 1 },
  ]);
});

it('a page that is small shows several matches of few files, not one of many', () => {
  expect(pageOf(new Float64Array(100).fill(30), 0, 20)).toEqual([
    { index: 0, first: 0, matches: 10 },
    { index: 1, first: 0, matches: 10 },
  ]);
});

it('one file alone is paged line after line, however many it has', () => {
  expect(pageOf(Float64Array.of(1_000_000), 777_777, 200)).toEqual([{ index: 0, first: 777_777, matches: 200 }]);
});
