import { describe, expect, it } from 'vitest';
import { checkSchema } from './check-schema.js';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('checkSchema', () => {
  it('finds nothing wrong with a sound schema of either draft (S2, S45)', () => {
    const schema = object({ path: { type: 'string', description: 'A path.' } }, { required: ['path'] });
    expect(checkSchema(schema)).toEqual([]);
    expect(checkSchema({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema })).toEqual([]);
    expect(checkSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema })).toEqual([]);
  });

  it.each([
    ['an unknown type', { a: { type: 'strng' } }, '/properties/a/type', 'did you mean "string"'],
    ['an upper-case type', { a: { type: 'INTEGER' } }, '/properties/a/type', 'did you mean "integer"'],
    ['required that is no list', { a: { required: 'a' } }, '/properties/a/required', 'the string "a"'],
    ['properties that are a list', { a: { properties: [] } }, '/properties/a/properties', 'an empty array'],
    ['a negative length', { a: { minLength: -1 } }, '/properties/a/minLength', 'an integer ≥ 0'],
    ['a half item', { a: { maxItems: 1.5 } }, '/properties/a/maxItems', 'an integer ≥ 0'],
    ['a boolean limit of draft-04', { a: { exclusiveMinimum: true } }, '/properties/a/exclusiveMinimum', 'a number'],
    ['an empty list of alternatives', { a: { anyOf: [] } }, '/properties/a/anyOf', 'at least one schema'],
    ['an enum that is no list', { a: { enum: 'x' } }, '/properties/a/enum', 'an array'],
    ['a pattern that does not compile', { a: { pattern: '(' } }, '/properties/a/pattern', 'Unterminated group'],
    ['a pattern that only compiles without `u`', { a: { pattern: '\\-' } }, '/properties/a/pattern', 'Invalid escape'],
    [
      'a name pattern that does not compile',
      { a: { patternProperties: { '[': {} } } },
      '/properties/a/patternProperties',
      '[',
    ],
    ['a schema that is a string', { a: 'string' }, '/properties', 'values are schemas'],
    ['a step of zero', { a: { multipleOf: 0 } }, '/properties/a/multipleOf', '> 0'],
    ['what the validator would pass over', { a: { $dynamicRef: '#x' } }, '/properties/a/$dynamicRef', 'not supported'],
    ['a slash and a tilde in a name', { 'a/b~c': { type: 1 } }, '/properties/a~1b~0c/type', 'the number 1'],
  ])('refuses %s and names the place', (_fact, properties, pointer, words) => {
    const problems = checkSchema(object(properties));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`\`${pointer}\``);
    expect(problems[0]).toContain(words);
  });

  it('names every problem, not only the first', () => {
    expect(checkSchema(object({ a: { type: 'x' }, b: { items: { minItems: 'y' } } }))).toHaveLength(2);
  });

  it('refuses a top level that is not an object schema', () => {
    expect(checkSchema({ type: 'array' })).toEqual([expect.stringContaining('must be "object" at the top level')]);
    expect(checkSchema({})).toEqual([expect.stringContaining('add `"type": "object"`')]);
    expect(checkSchema([])).toEqual([expect.stringContaining('must be an object')]);
  });

  it('refuses a draft it does not know', () => {
    const problems = checkSchema({ ...object({}), $schema: 'http://json-schema.org/draft-04/schema#' });
    expect(problems).toEqual([expect.stringContaining('draft-04')]);
  });

  it('accepts a list under items only where the draft has it', () => {
    const schema = object({ pair: { type: 'array', items: [{ type: 'string' }] } });
    expect(checkSchema(schema)).toEqual([]);
    const declared = { ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' };
    expect(checkSchema(declared)).toEqual([expect.stringContaining('prefixItems')]);
  });

  it.each([
    ['a pointer', { $ref: '#/$defs/gone' }],
    ['an anchor', { $ref: '#gone' }],
    ['an address', { $ref: 'https://example.com/other.json' }],
    ['a place that is no schema', { $ref: '#/properties' }],
  ])('refuses a $ref that leads nowhere: %s', (_kind, node) => {
    const problems = checkSchema(object({ a: node }, { $defs: { there: {} } }));
    expect(problems).toEqual([expect.stringContaining('`/properties/a/$ref` leads nowhere')]);
  });

  it('follows pointers, $defs, definitions, $anchor and $id', () => {
    const schema = object(
      {
        a: { $ref: '#/$defs/x' },
        b: { $ref: '#/definitions/y' },
        c: { $ref: '#here' },
        d: { $ref: 'https://example.com/z' },
        e: { $ref: '#/properties/a' },
        f: { $ref: '#/$defs/with%20space' },
      },
      {
        $defs: { x: { $anchor: 'here' }, z: { $id: 'https://example.com/z', type: 'string' }, 'with space': {} },
        definitions: { y: {} },
      },
    );
    expect(checkSchema(schema)).toEqual([]);
  });

  it('refuses $refs that go in a circle without taking in anything', () => {
    const two = object({ x: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } });
    expect(checkSchema(two)).toEqual([expect.stringContaining('#/$defs/a → #/$defs/b → #/$defs/a')]);
    expect(checkSchema({ type: 'object', allOf: [{ $ref: '#' }] })).toEqual([expect.stringContaining('circle')]);
    expect(checkSchema({ type: 'object', if: { not: { $ref: '#' } } })).toEqual([expect.stringContaining('circle')]);
  });

  it('accepts a schema that refers to itself for a part of the value', () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    expect(checkSchema(tree)).toEqual([]);
  });

  it('reads names of built-in properties as plain names', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"nope"}}}',
    );
    expect(checkSchema(schema as object)).toEqual([expect.stringContaining('/properties/toString/type')]);
  });

  it('refuses a schema nested 10,000 levels deep, and one with a cycle of objects', () => {
    let deep: object = {};
    for (let level = 0; level < 10_000; level++) deep = { items: deep };
    expect(checkSchema(object({ a: deep }))).toEqual([expect.stringContaining('levels deep')]);
    const loop: Record<string, unknown> = { type: 'object' };
    loop['not'] = loop;
    expect(checkSchema(loop)).toEqual([expect.stringContaining('levels deep')]);
  });

  it('refuses a chain of 10,000 references instead of overflowing', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `d${index}`,
        index === 9999 ? {} : { $ref: `#/$defs/d${index + 1}` },
      ]),
    );
    const problems = checkSchema(object({ a: { $ref: '#/$defs/d0' } }, { $defs }));
    expect(problems[0]).toContain('longer than');
  });

  it('leaves a frozen schema as it is', () => {
    const schema = Object.freeze(
      object(Object.freeze({ a: Object.freeze({ $ref: '#/properties/b' }), b: Object.freeze({}) })),
    );
    expect(checkSchema(schema)).toEqual([]);
  });
});
