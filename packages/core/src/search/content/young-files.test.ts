import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FolderTimes } from './git-times.js';
import { chooseYoung, leastSecond } from './young-files.js';

const second = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 3000 }), fc.constant(Number.NaN));
const folders = fc.array(fc.array(second, { minLength: 1, maxLength: 5 }), { maxLength: 30 });
const keep = fc.integer({ min: 1, max: 40 });

function timesOf(all: readonly number[][]): FolderTimes[] {
  return all.map((numbers) => {
    const known = numbers.filter((number) => !Number.isNaN(number));
    return { seconds: Float64Array.from(numbers), known: known.length, newest: Math.max(...known) };
  });
}

describe('the files that may be among the newest', () => {
  it('are not older than the second of the last one that is kept', () => {
    fc.assert(
      fc.property(folders, keep, (all, kept) => {
        const sorted = all.flat().filter((number) => !Number.isNaN(number));
        sorted.sort((a, b) => b - a);
        expect(leastSecond(timesOf(all), kept)).toBe(sorted[kept - 1] ?? Number.NEGATIVE_INFINITY);
      }),
    );
  });

  it('are found among many of one second, and among more than are sorted at a time', () => {
    const many = [Array.from({ length: 5000 }, () => 7), Array.from({ length: 5000 }, (_, index) => index)];
    expect(leastSecond(timesOf(many), 100)).toBe(4900);
    expect(leastSecond(timesOf(many), 4000)).toBe(1000);
    expect(leastSecond(timesOf(many), 9996)).toBe(4);
  });

  it('are looked at with all of which nothing is known; the others are counted', () => {
    fc.assert(
      fc.property(folders, keep, (all, kept) => {
        const pieces = all.map((numbers, at) => ({ folder: `${at}/`, names: numbers.map((_, index) => `f${index}`) }));
        const least = leastSecond(timesOf(all), kept);
        const isYoung = (number: number): boolean => Number.isNaN(number) || number >= least;
        const expected = all.flatMap((numbers, at) =>
          numbers.flatMap((number, index) => (isYoung(number) ? [`${at}/f${index}`] : [])),
        );
        const { pieces: chosen, spared } = chooseYoung(pieces, timesOf(all), least);
        expect(chosen.flatMap(({ folder, names }) => names.map((name) => folder + name))).toEqual(expected);
        expect(spared).toBe(all.flat().length - expected.length);
      }),
    );
  });
});
