import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Graphemes } from './graphemes.js';

const graphemes = new Graphemes();
const PIECES = [
  'a',
  ' ',
  'é',
  'e\u0301',
  '漢',
  'か',
  'が',
  'か\u3099',
  '한',
  '\u1112\u1161\u11ab',
  '👩‍💻',
  '🇩🇪',
  '☂️',
  '1️⃣',
  '\u0915\u094d\u0937',
  '\r',
  '\t',
  '\ud83d',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme' })), { maxLength: 40 })
  .map((all) => all.join(''));

function borders(line: string): number[] {
  return [...Array.from(new Intl.Segmenter().segment(line), ({ index }) => index), line.length];
}

it('steps from border to border of characters, forth and back', () => {
  fc.assert(
    fc.property(text, (line) => {
      const all = borders(line);
      for (const [index, border] of all.entries()) {
        if (index + 1 < all.length) expect(graphemes.next(line, border)).toBe(all[index + 1]);
        if (index > 0) expect(graphemes.previous(line, border)).toBe(all[index - 1]);
      }
    }),
  );
});

it('finds the border at or behind any place', () => {
  fc.assert(
    fc.property(text, fc.nat(80), (line, at) => {
      const place = Math.min(at, line.length);
      expect(graphemes.borderAt(line, place)).toBe(borders(line).find((border) => border >= place));
    }),
  );
});

it('looks only at what is near in a line of a megabyte', () => {
  const line = `${'x'.repeat(500_000)}👩‍💻${'y'.repeat(500_000)}`;
  expect(graphemes.next(line, 500_000)).toBe(500_005);
  expect(graphemes.previous(line, 500_005)).toBe(500_000);
});
