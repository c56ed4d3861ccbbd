import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOf, TextBuffer, type Position } from './text-buffer.js';

const piece = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '漢'), maxLength: 12 });

function placeAt(text: string, unit: number): Position {
  const before = text.slice(0, unit).split('\n');
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
}

it('is what a plain text would be after the same replacements', () => {
  const change = fc.record({ from: fc.nat(60), length: fc.nat(20), put: piece });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const buffer = new TextBuffer();
      let model = '';
      for (const { from, length, put } of changes) {
        const start = Math.min(from, model.length);
        const end = Math.min(start + length, model.length);
        const edit = buffer.replace(placeAt(model, start), placeAt(model, end), put);
        expect(edit.removed).toBe(model.slice(start, end));
        model = model.slice(0, start) + put + model.slice(end);
        expect(buffer.text).toBe(model);
        expect(buffer.end).toEqual(placeAt(model, model.length));
        expect(endOf(edit.at, put)).toEqual(placeAt(model, start + put.length));
      }
      expect(buffer.isEmpty).toBe(model === '');
    }),
  );
});

it('takes in and gives back a million lines', () => {
  const buffer = new TextBuffer();
  const many = '\n'.repeat(1_000_000);
  buffer.replace({ line: 0, column: 0 }, { line: 0, column: 0 }, many);
  expect(buffer.lines.length).toBe(1_000_001);
  expect(buffer.slice({ line: 0, column: 0 }, buffer.end)).toBe(many);
});
