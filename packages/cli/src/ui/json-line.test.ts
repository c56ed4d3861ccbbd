import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonLine, jsonText } from './json-line.js';

it('parses back to the same value, on one line', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const line = jsonLine({ value, text });
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ value, text })));
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(JSON.parse(jsonText(text))).toBe(text);
    }),
  );
});

it('escapes what a terminal would act on and what hides or reorders text', () => {
  const line = jsonLine('\u001b[31m \u009b31m \u202e \u200b \ufeff \u2028 ü 漢 🌿');
  expect(line).toBe('"\\u001b[31m \\u009b31m \\u202e \\u200b \\ufeff \\u2028 ü 漢 🌿"\n');
});
