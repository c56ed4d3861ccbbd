import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeSafe, type Safe } from '@tenon/core';
import {
  clampTop,
  lastTop,
  placeAfter,
  rowsInSight,
  scrollKey,
  START,
  topToShow,
  type LineSource,
  type Place,
} from './viewport.js';

/** Lines of these many rows, and all the rows one below the other. */
function sourceOf(counts: readonly number[]): { readonly source: LineSource; readonly flat: readonly Safe[] } {
  const lines = counts.map((count, line) => Array.from({ length: count }, (_row, row) => makeSafe(`${line}.${row}`)));
  return { source: { count: lines.length, rowsOf: (line) => lines[line] ?? [] }, flat: lines.flat() };
}

const sources = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 }).map(sourceOf);
const heights = fc.integer({ min: 1, max: 9 });
const nameOf = ({ line, row }: Place): string => `${line}.${row}`;

it('places move as in one long list of rows, and stay in it', () => {
  fc.assert(
    fc.property(sources, fc.array(fc.integer({ min: -12, max: 12 })), ({ source, flat }, steps) => {
      let place = START;
      let at = 0;
      for (const step of steps) {
        place = placeAfter(source, place, step);
        at = Math.min(Math.max(0, at + step), flat.length - 1);
        expect(nameOf(place)).toBe(flat[at]);
      }
    }),
  );
});

it('a window is full wherever it stands, and shows the rows from its top on', () => {
  fc.assert(
    fc.property(sources, heights, fc.nat(80), ({ source, flat }, height, step) => {
      const top = clampTop(source, placeAfter(source, START, step), height);
      const first = Math.min(step, Math.max(0, flat.length - height));
      expect(rowsInSight(source, top, height)).toEqual(flat.slice(first, first + height));
    }),
  );
});

it('a place is brought into sight by moving as little as possible', () => {
  fc.assert(
    fc.property(sources, heights, fc.nat(60), fc.nat(60), ({ source, flat }, height, from, to) => {
      const top = placeAfter(source, START, from);
      const place = placeAfter(source, START, to);
      const moved = topToShow(source, top, place, height);
      const seen = rowsInSight(source, moved, height);
      expect(seen).toContain(nameOf(place));
      const first = flat.findIndex((row) => row === nameOf(top));
      if (flat.slice(first, first + height).includes(makeSafe(nameOf(place)))) expect(moved).toEqual(top);
    }),
  );
});

it('the keys lead to both ends', () => {
  fc.assert(
    fc.property(sources, heights, ({ source }, height) => {
      const end = scrollKey(source, START, height, 'end') ?? START;
      expect(end).toEqual(lastTop(source, height));
      expect(scrollKey(source, end, height, 'down')).toEqual(end);
      expect(scrollKey(source, end, height, 'home')).toEqual(START);
      expect(scrollKey(source, START, height, 'x')).toBe(undefined);
    }),
  );
});
