import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNames } from './compare-names.js';

const collator = new Intl.Collator('en');
const name = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom('a', 'A', 'b', 'B', '.', '_', '-', '1', 'ä', 'a\u0308', '\u0301', '\u0001'),
    maxLength: 6,
  }),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

describe('compareNames', () => {
  it.each([
    [
      ['README.md', 'a.bmp', 'Z', 'b'],
      ['a.bmp', 'b', 'README.md', 'Z'],
    ],
    [
      ['z', 'ä', 'a', 'b'],
      ['a', 'ä', 'b', 'z'],
    ],
    [
      ['a1', 'A', 'a', 'Ab', 'aB', 'ab'],
      ['a', 'A', 'a1', 'ab', 'aB', 'Ab'],
    ],
    [
      ['src', '.git', '_x', '-a', '1'],
      ['_x', '-a', '.git', '1', 'src'],
    ],
    [
      ['é', 'f', 'E', 'e\u0301'],
      ['E', 'e\u0301', 'é', 'f'],
    ],
  ])('sorts %j as people do', (names, sorted) => {
    expect(names.toSorted(compareNames)).toEqual(sorted);
  });

  it('is the order of the Unicode collation, made total (law)', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const order = Math.sign(compareNames(one, other));
        expect(order).toBe(-Math.sign(compareNames(other, one)) + 0);
        expect(order === 0).toBe(one === other);
        const collated = Math.sign(collator.compare(one, other));
        if (collated !== 0) expect([one, other, order]).toEqual([one, other, collated]);
      }),
      { numRuns: 20_000 },
    );
  });
});
