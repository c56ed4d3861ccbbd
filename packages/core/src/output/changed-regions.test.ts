import { describe, expect, it } from 'vitest';
import { showRegions } from './changed-regions.js';

const text = Array.from({ length: 30 }, (_, index) => `l${index + 1}\n`).join('');

describe('showRegions', () => {
  it('shows the lines around a change with their numbers', () => {
    expect(showRegions({ text, ranges: [{ first: 10, last: 10 }] })).toBe(
      '7→l7\n8→l8\n9→l9\n10→l10\n11→l11\n12→l12\n13→l13',
    );
  });

  it('joins neighbours, separates others, and stops at its limit', () => {
    const near = showRegions({
      text,
      ranges: [
        { first: 2, last: 2 },
        { first: 6, last: 6 },
      ],
    });
    expect(near.split('\n').map((line) => line.split('→')[0])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    const far = showRegions({
      text,
      ranges: [
        { first: 2, last: 2 },
        { first: 25, last: 25 },
      ],
    });
    expect(far).toContain('5→l5\n…\n22→l22');
    const long = showRegions({ text: 'x\n'.repeat(500), ranges: [{ first: 1, last: 400 }] });
    expect(long.split('\n')).toHaveLength(41);
    expect(long.endsWith('\n…')).toBe(true);
  });
});
