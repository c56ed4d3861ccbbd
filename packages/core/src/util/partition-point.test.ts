import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partitionPoint } from './partition-point.js';

describe('partitionPoint', () => {
  it('counts what lies before a limit in any sorted list', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: -1, max: 21 }), (numbers, limit) => {
        const sorted = numbers.toSorted((one, other) => one - other);
        const found = partitionPoint(sorted.length, (index) => (sorted[index] ?? 0) < limit);
        expect(found).toBe(sorted.filter((number) => number < limit).length);
      }),
    );
  });
});
