import { describe, expect, it } from 'vitest';
import { showRegions } from './changed-regions.js';

const text = Array.from({ length: 30 }, (_, index) => `l${index + 1}\n`).join('');

describe('showRegions', () => {
  it('shows two lines around a change with their numbers', () => {
    expect(showRegions({ text, ranges: [{ first: 10, last: 10 }] })).toBe('8→l8\n9→l9\n10→l10\n11→l11\n12→l12');
  });

  it('joins neighbours, separates others, and stops at its limit', () => {
    const near = showRegions({
      text,
      ranges: [
        { first: 2, last: 2 },
        { first: 5, last: 5 },
      ],
    });
    expect(near.split('\n').map((line) => line.split('→')[0])).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    const far = showRegions({
      text,
      ranges: [
        { first: 2, last: 2 },
        { first: 25, last: 25 },
      ],
    });
    expect(far).toContain('4→l4\n…\n23→l23');
    const long = showRegions({ text: 'x\n'.repeat(500), ranges: [{ first: 1, last: 400 }] });
    expect(long.split('\n')).toHaveLength(41);
    expect(long.endsWith('\n…')).toBe(true);
  });
});
