import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOut, showOut } from './share-out.js';

describe('shareOut', () => {
  it('gives small folders all, and large ones the same each', () => {
    expect(shareOut([2, 1000, 5, 1000], 107)).toEqual([2, 50, 5, 50]);
    expect(shareOut([10], 3)).toEqual([3]);
    expect(shareOut([], 6)).toEqual([]);
  });

  it('shows nothing of a large folder rather than a line or two', () => {
    expect(showOut([100, 2, 100], 5)).toEqual({ shown: [0, 2, 0], spent: 2 });
    expect(showOut([100, 2, 100], 10)).toEqual({ shown: [4, 2, 4], spent: 10 });
    expect(showOut([100], 1)).toEqual({ shown: [1], spent: 1 });
  });

  it('shows a few entries of as many folders as there is room for, and wastes none', () => {
    expect(showOut([100, 2, 100], 8)).toEqual({ shown: [6, 2, 0], spent: 8 });
    expect(showOut([9, 9, 9, 9, 9], 9)).toEqual({ shown: [5, 4, 0, 0, 0], spent: 9 });
    const sizes = fc.array(fc.nat({ max: 200 }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.nat({ max: 500 }), (all, budget) => {
        const { shown, spent } = showOut(all, budget);
        const total = all.reduce((sum, size) => sum + size, 0);
        expect(shown.every((share, index) => share <= (all[index] ?? 0))).toBe(true);
        expect(shown.reduce((sum, share) => sum + share, 0)).toBe(spent);
        expect(spent).toBeLessThanOrEqual(budget);
        // What is not enough for a few of one folder.
        expect(spent).toBeGreaterThan(Math.min(total, budget) - 4);
      }),
    );
  });

  it('never gives more than there is, nor more than a folder holds', () => {
    const sizes = fc.array(fc.nat({ max: 200 }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.nat({ max: 500 }), (all, budget) => {
        const shares = shareOut(all, budget);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(budget);
        expect(shares.every((share, index) => share <= (all[index] ?? 0))).toBe(true);
        if (all.reduce((sum, size) => sum + size, 0) <= budget) expect(shares).toEqual(all);
      }),
    );
  });

  it('gives each folder no more of a smaller budget: what was kept for the greater one is enough', () => {
    const sizes = fc.array(fc.nat({ max: 200 }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.nat({ max: 500 }), fc.nat({ max: 500 }), (all, one, other) => {
        const less = shareOut(all, Math.min(one, other));
        const more = shareOut(all, Math.max(one, other));
        expect(less.every((share, index) => share <= (more[index] ?? 0))).toBe(true);
      }),
    );
  });
});
