import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cachePositions } from './cache-points.js';

const messages = (roles: string): { role: string }[] =>
  Array.from(roles, (letter) => ({ role: letter === 'a' ? 'assistant' : 'user' }));

describe('where a cache is told to hold', () => {
  it.each([
    ['', []],
    ['u', [0]],
    ['uau', [0, 2]],
    ['uauuau', [3, 5]],
    // An answer that was cut off is the end.
    ['uaua', [0, 2]],
    ['a', []],
  ])('%j: %j', (roles, positions) => {
    expect(cachePositions(messages(roles))).toEqual(positions);
  });

  it('is always where the request before had one, so that what it cached is found', () => {
    const turn = fc.constantFrom('au', 'auu', 'aau');
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), turn, (before, next) => {
        const first = messages(`u${before.join('')}`);
        const second = messages(`u${before.join('')}${next}`);
        expect(cachePositions(second)).toContain(first.length - 1);
        expect(cachePositions(first)).toContain(first.length - 1);
      }),
    );
  });
});
