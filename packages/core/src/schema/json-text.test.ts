import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeJsonTextError, scanJsonText } from './json-text.js';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('scanJsonText', () => {
  it('finds no error and no comma too many in any JSON text', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
        const scan = scanJsonText(JSON.stringify(JSON.parse(text), null, indent));
        expect(scan).toEqual({ error: null, trailingCommas: [] });
      }),
    );
  });

  it('agrees with the parser on texts with a character changed', () => {
    const characters = fc.constantFrom(...'{}[],:"\\0.-etn \n\u0001'.split(''));
    fc.assert(
      fc.property(fc.json(), fc.nat(), characters, fc.boolean(), (text, at, character, replaces) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + character + text.slice(place + (replaces ? 1 : 0));
        const { error, trailingCommas } = scanJsonText(changed);
        expect(error === null && trailingCommas.length === 0).toBe(parses(changed));
      }),
      { numRuns: 2000 },
    );
  });

  it('calls every proper beginning of an object cut off', () => {
    fc.assert(
      fc.property(fc.object(), fc.nat(), (object, at) => {
        const text = JSON.stringify(object);
        const cut = text.slice(0, at % text.length);
        expect(scanJsonText(cut).error?.cutOff).toBe(true);
      }),
    );
  });

  it('finds commas before a closing bracket, at any depth', () => {
    expect(scanJsonText('{"a":[1,],}')).toEqual({ error: null, trailingCommas: [7, 9] });
    expect(scanJsonText('{"a":",]"}').trailingCommas).toEqual([]);
    for (const text of ['[,]', '[1,,]', '{"a":1,"b":}', '{,}']) expect(scanJsonText(text).error).not.toBeNull();
  });

  it('reads 100,000 levels without overflowing', () => {
    expect(scanJsonText('['.repeat(100_000)).error?.cutOff).toBe(true);
  });
});

describe('describeJsonTextError', () => {
  const tell = (text: string): string => {
    const { error } = scanJsonText(text);
    return error === null ? 'fine' : describeJsonTextError(text, error);
  };

  it('names line, column, surroundings and reason', () => {
    expect(tell('{\n  "a": 1\n  "b": 2\n}')).toBe(
      'The arguments are not valid JSON: line 3, column 3, near "{\\n  \\"a\\": 1\\n  \\"b\\": 2\\n}": ' +
        '`,` or the closing bracket must stand here. Send the call again with one JSON object.',
    );
  });

  it('says how to write a line break in a string', () => {
    expect(tell('{"a":"x\ny"}')).toContain('line 1, column 8');
    expect(tell('{"a":"x\ny"}')).toContain('must be written as an escape such as \\n');
  });

  it('says that the text was cut off', () => {
    const words =
      'cut off after 12 characters (the text ends inside a string): send the call again, shorter or in parts.';
    expect(tell('{"a": "hello')).toContain(words);
    expect(tell('{"a": tr')).toContain('cut off after 8 characters');
  });
});
