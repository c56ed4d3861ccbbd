import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstNames } from './first-names.js';

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

describe('FirstNames', () => {
  it('gives what sorting everything and cutting would give', () => {
    const names = fc.uniqueArray(fc.string({ maxLength: 4 }), { maxLength: 400 });
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 60 }), (all, wanted) => {
        const first = new FirstNames<{ name: string }>(wanted);
        for (const name of all) first.add({ name });
        expect(first.sorted().map(({ name }) => name)).toEqual(all.toSorted(byCodeUnits).slice(0, wanted));
      }),
    );
  });

  it('wants nothing that comes after enough others', () => {
    const first = new FirstNames<{ name: string }>(2);
    for (let index = 0; index < 100; index++) first.add({ name: String(100 + index) });
    expect([first.wants('100'), first.wants('2')]).toEqual([true, false]);
  });
});
