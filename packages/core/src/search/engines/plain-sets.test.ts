import { describe, expect, it } from 'vitest';
import { withPlainSets } from './plain-sets.js';

describe('withPlainSets', () => {
  it.each([
    ['[\\w-.]', '[\\w\\-.]'],
    ['[^\\d-z]+x', '[^\\d\\-z]+x'],
    ['[\\w-\\d]', '[\\w\\-\\d]'],
    ['[a-\\d]', '[a\\-\\d]'],
    ['[\\w-a-z]', '[\\w\\-a-z]'],
    ['[\\p{L}-_][\\pL-_]', '[\\p{L}\\-_][\\pL\\-_]'],
    ['[]\\s-,]', '[]\\s\\-,]'],
    ['[x[\\w-.]&&a]', '[x[\\w\\-.]&&a]'],
  ])('takes a hyphen beside a class literally: %s', (pattern, plain) => {
    expect(withPlainSets(pattern)).toBe(plain);
  });

  it.each([
    ['[[]', '[\\[]'],
    ['a[[({]b[]]', 'a[\\[({]b[]]'],
    ['[^[]x', '[^\\[]x'],
    ['[[:alpha:][]', '[[:alpha:]\\[]'],
    ['[[&&]', '[\\[\\&\\&]'],
  ])('takes a bracket that opens no set literally: %s', (pattern, plain) => {
    expect(withPlainSets(pattern)).toBe(plain);
  });

  it.each([
    '[\\w-]',
    '[-\\w',
    '[a-z-9]',
    '[\\w--a]',
    '[\\\\w-z]',
    '\\[\\w-.',
    '[[a]-.]',
    '[[:alpha:]]',
    '[',
    '[a',
    '[]',
    'a\\',
    '[\\',
    '(?P<n>a)-\\d',
    '[a-z&&[^m-p]]',
  ])('changes nothing else: %s', (pattern) => {
    expect(withPlainSets(pattern)).toBe(pattern);
  });

  it.each([
    ['\\Q[[]\\E[[]', '\\Q[[]\\E[\\[]'],
    ['a\\Q(', 'a\\Q(\\E'],
  ])('leaves a quotation as it is, but for its end: %s', (pattern, plain) => {
    expect(withPlainSets(pattern)).toBe(plain);
  });

  it.each([
    ['brackets that open', '['.repeat(30_000)],
    ['sets within sets', `${'['.repeat(30_000)}a${']'.repeat(30_000)}`],
    ['sets within sets that are never closed', '[a'.repeat(30_000)],
    ['escaped ends', '[\\]'.repeat(20_000)],
  ])('takes no long time for many %s', (_name, pattern) => {
    const start = performance.now();
    expect(withPlainSets(pattern).length).toBeGreaterThanOrEqual(pattern.length);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
