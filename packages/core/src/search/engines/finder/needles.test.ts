import { describe, expect, it } from 'vitest';
import type { SearchPattern } from '../search-pattern.js';
import { NEEDLE_BYTES, needlesOf } from './needles.js';

function textsOf(pattern: string, how: Partial<SearchPattern> = {}): unknown {
  const found = needlesOf({ pattern, caseSensitive: false, fixedStrings: false, multiline: false, ...how });
  if (found === undefined) return undefined;
  const texts = Array.from({ length: found.count }, (_, index) => {
    const needle = Buffer.from(found.encoded.subarray(index * NEEDLE_BYTES, (index + 1) * NEEDLE_BYTES));
    const isFolded = needle.subarray(64).some((bit) => bit !== 0);
    return `${needle.toString('latin1', 32, 32 + needle.readInt32LE())}${isFolded ? ' in any case' : ''}`;
  });
  return [found.meaning, ...texts, ...(found.hasOtherCases ? ['and in others'] : [])];
}

describe('what is looked for before a text is searched', () => {
  it.each([
    ['registerWidget', {}, ['lines', 'registerwidget in any case', 'and in others']],
    ['Register', { caseSensitive: true }, ['lines', 'Register']],
    ['a.b(', { fixedStrings: true }, ['lines', 'a.b( in any case']],
    ['a'.repeat(40), {}, ['within', `${'a'.repeat(32)} in any case`]],
    ['function\\s+\\w+Handler\\(', {}, ['within', 'handler( in any case']],
    ['^import .* from', { caseSensitive: true }, ['within', 'import  in any case']],
    ['foo|ba[rz]', {}, ['choice', 'foo in any case', 'bar in any case', 'baz in any case']],
    ['foo|a', {}, undefined],
    ['\\w+', {}, undefined],
    ['größe', {}, undefined],
  ] as const)('%s %o', (pattern, how, expected) => expect(textsOf(pattern, how)).toEqual(expected));

  it('takes the two bytes that are likely to be rarest', () => {
    const { encoded } =
      needlesOf({ pattern: 'unique', caseSensitive: false, fixedStrings: true, multiline: false }) ?? {};
    const header = Buffer.from(encoded ?? []);
    expect([header.readInt32LE(4), header.readInt32LE(8)]).toEqual([3, 0]);
  });
});
