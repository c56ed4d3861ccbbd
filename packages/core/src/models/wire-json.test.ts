import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentsJson, at, replaceLoneEscapes, toWellFormedJson } from './wire-json.js';

/** Strings with many surrogates, paired and not. */
const anyUnits = fc
  .array(fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe010 }), fc.integer({ min: 0, max: 0xff })), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

describe('toWellFormedJson', () => {
  it('replaces unpaired surrogates in values and keys and changes nothing else', () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, (key, value) => {
        const parsed = JSON.parse(toWellFormedJson([{ [`k${key}`]: value }])) as Record<string, string>[];
        expect(Object.entries(parsed[0] ?? {})).toEqual([[wellFormed(`k${key}`), wellFormed(value)]]);
      }),
    );
  });

  it('leaves text alone that only looks like an escape', () => {
    expect(toWellFormedJson({ text: '\\ud800' })).toBe(JSON.stringify({ text: '\\ud800' }));
  });
});

describe('replaceLoneEscapes', () => {
  it('keeps pairs, and finds lone halves after backslashes and next to pairs', () => {
    expect(replaceLoneEscapes('"\\ud83d\\ude00"')).toBe('"\\ud83d\\ude00"');
    expect(replaceLoneEscapes('"\\ud83d\\ud83d\\ude00"')).toBe('"\\ufffd\\ud83d\\ude00"');
    expect(replaceLoneEscapes('"\\\\\\udc00"')).toBe('"\\\\\\ufffd"');
  });
});

describe('argumentsJson', () => {
  it('sends a JSON object as the model wrote it, and {} for anything else', () => {
    expect(argumentsJson('{ "a": 1 }')).toBe('{ "a": 1 }');
    for (const broken of ['', '{"a":', '[1]', '"x"', 'null', 'ls -l']) expect(argumentsJson(broken)).toBe('{}');
  });

  it('repairs escapes of unpaired surrogates inside arguments', () => {
    expect(argumentsJson('{"a":"\\ud800"}')).toBe('{"a":"\\ufffd"}');
  });
});

describe('at', () => {
  it('sees own members only', () => {
    expect(at({ a: [{ b: 1 }] }, 'a', 0, 'b')).toBe(1);
    expect(at({}, 'constructor')).toBeUndefined();
    expect(at('text', 'length')).toBeUndefined();
    expect(at(null, 'a')).toBeUndefined();
  });
});
