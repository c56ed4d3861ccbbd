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
});
