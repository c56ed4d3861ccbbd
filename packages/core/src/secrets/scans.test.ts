import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KEY_PATTERNS, PRIVATE_KEY_PATTERN } from '../memory/secret-patterns.js';
import { GRAM, GramScan } from './gram-scan.js';
import { MarkScan } from './mark-scan.js';
import { visibleBytes, visibleText } from './visible-text.js';

/** Of few letters, so that grams come about by chance. */
const crowded = fc.string({ unit: fc.constantFrom('a', 'b', '\u00ff'), maxLength: 200 });

it('grams are found where the slow way finds them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\u00ff'), minLength: GRAM, maxLength: GRAM }), {
        maxLength: 30,
      }),
      crowded,
      fc.nat({ max: 210 }),
      (grams, text, from) => {
        const places = grams.map((gram) => text.indexOf(gram, from)).filter((at) => at !== -1);
        const slow = places.length === 0 ? -1 : Math.min(...places);
        // In the middle of a larger piece of memory, as pieces of an output are.
        const bytes = Buffer.from(`xyz${text}aaaaaaaabbbbbbbb`, 'latin1').subarray(3, 3 + text.length);
        expect(new GramScan(grams).next(bytes, from)).toBe(slow);
      },
    ),
    { numRuns: 2000 },
  );
});

it('what is visible of bytes is what is visible of the text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u001b[',
      '\u001b]',
      '\u001b\\',
      '\u0007',
      '\u001b(B',
      '\u001b[31m',
      '\u001b]8;;x',
      '[0m',
    ),
    fc.constantFrom('\u001b[1;2', ' ', '!', '?', '\u001b]0;'.padEnd(2060, 'x'), `\u001b[${'1'.repeat(70)}m`),
    fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      expect(visibleBytes(Buffer.from(text, 'latin1')).toString('latin1')).toBe(visibleText(text).text);
    }),
    { numRuns: 2000 },
  );
});

it('no key is overlooked, wherever it stands among words', () => {
  const marks = new MarkScan([...KEY_PATTERNS, PRIVATE_KEY_PATTERN]);
  const word = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_./+=: \n"'.split('')), maxLength: 40 });
  const made = fc.string({ unit: fc.constantFrom(...'abcdefXYZ0123456789'.split('')), minLength: 44, maxLength: 60 });
  const before = fc.constantFrom(...KEY_PATTERNS.flatMap((pattern) => pattern.marks));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), before, made, fc.array(word, { maxLength: 6 }), (...parts) => {
      const [some, mark, key, more] = parts;
      const text = `${some.join('')} ${mark}${key}${more.join('')}`;
      const isThere = KEY_PATTERNS.some(({ pattern }) => Array.from(text.matchAll(pattern)).length > 0);
      if (isThere) expect(marks.isIn(Buffer.from(text, 'latin1'))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
