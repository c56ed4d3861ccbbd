import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinedText } from './places.js';
import { applyTextEdits } from './text-edits.js';

const LINE_ENDS = fc.constantFrom('\n', '\r\n', '\r');
const TEXT = fc
  .array(fc.tuple(fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '{') }), LINE_ENDS))
  .map((lines) => lines.map(([line, end]) => line + end).join(''));

describe('positions', () => {
  it('lead to an offset and back, in UTF-16', () => {
    fc.assert(
      fc.property(TEXT, fc.nat(), (text, seed) => {
        const lined = new LinedText(text);
        const offset = text.length === 0 ? 0 : seed % text.length;
        const at = lined.positionAt(offset);
        // Within `\r\n` there is no position of its own.
        const isWithinEnd = text[offset] === '\n' && text[offset - 1] === '\r';
        expect(lined.offsetAt(at)).toBe(isWithinEnd ? offset - 1 : offset);
      }),
    );
  });

  it('past a line are its end, past the text the end of all', () => {
    const lined = new LinedText('ab\r\ncd');
    expect(lined.offsetAt({ line: 0, character: 99 })).toBe(2);
    expect(lined.offsetAt({ line: 9, character: 0 })).toBe(6);
    expect(lined.line(0)).toBe('ab');
    expect(lined.lineCount).toBe(2);
  });
});

describe('applyTextEdits', () => {
  it('makes what making them one by one from the end makes', () => {
    const cuts = fc.uniqueArray(fc.nat(60), { maxLength: 8 });
    fc.assert(
      fc.property(TEXT, cuts, fc.array(fc.string(), { minLength: 8, maxLength: 8 }), (text, places, words) => {
        const lined = new LinedText(text);
        // Through positions, as a server would give them.
        const offsets = places
          .map((place) => lined.offsetAt(lined.positionAt(Math.min(place, text.length))))
          .sort((a, b) => a - b);
        const spans = offsets.flatMap((start, index) => {
          const end = offsets[index + 1];
          return index % 2 === 0 && end !== undefined ? [{ start, end, word: words[index] ?? '' }] : [];
        });
        const edits = spans.map(({ start, end, word }) => ({
          range: { start: lined.positionAt(start), end: lined.positionAt(end) },
          newText: word,
        }));
        const expected = spans.reduceRight(
          (now, { start, end, word }) => now.slice(0, start) + word + now.slice(end),
          text,
        );
        const shuffled = edits.toSorted((a, b) => a.newText.length - b.newText.length);
        const touches = spans.some(({ start, end }) => start === end);
        if (!touches) expect(applyTextEdits(text, shuffled)).toBe(expected);
      }),
    );
  });

  it('keeps the order of what is put in at one place', () => {
    const at = { start: { line: 0, character: 1 }, end: { line: 0, character: 1 } };
    expect(
      applyTextEdits('ab', [
        { range: at, newText: '1' },
        { range: at, newText: '2' },
      ]),
    ).toBe('a12b');
  });

  it('refuses edits that overlap', () => {
    const range = (from: number, to: number) => ({
      start: { line: 0, character: from },
      end: { line: 0, character: to },
    });
    const edits = [
      { range: range(0, 3), newText: 'x' },
      { range: range(2, 4), newText: 'y' },
    ];
    expect(() => applyTextEdits('abcdef', edits)).toThrow(/overlap/);
  });
});
