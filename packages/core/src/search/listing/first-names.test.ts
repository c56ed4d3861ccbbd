import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNames } from '../../util/compare-names.js';
import { FirstNames } from './first-names.js';

describe('FirstNames', () => {
  it('gives what sorting everything and cutting would give', () => {
    const names = fc.uniqueArray(fc.string({ maxLength: 4 }), { maxLength: 400 });
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 60 }), (all, wanted) => {
        const first = new FirstNames(wanted);
        for (const name of all) first.add(name);
        expect(first.sorted()).toEqual(all.toSorted(compareNames).slice(0, wanted));
      }),
    );
  });

  it('keeps nothing that comes after enough others', () => {
    const first = new FirstNames(2);
    for (let index = 0; index < 100; index++) first.add(String(100 + index));
    expect([first.add('100'), first.add('2')]).toEqual([true, false]);
  });
});
