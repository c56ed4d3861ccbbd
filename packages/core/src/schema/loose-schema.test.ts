import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSchema } from './check-schema.js';
import { looseSchema } from './loose-schema.js';
import { validateAgainst } from './validate.js';

function loosened(schema: unknown): { schema: object; notes: readonly string[] } {
  const loose = looseSchema(schema);
  if ('refused' in loose) throw new Error(loose.refused);
  expect(checkSchema(loose.schema)).toEqual([]);
  return loose;
}

const DANGER = '(a+)+$';
const of = (property: unknown): object => ({ type: 'object', properties: { a: property } });

describe('looseSchema', () => {
  it('leaves a sound schema as it is, what it does not know too, and tells nothing', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      'x-own': { anything: ['at', 'all'] },
      properties: {
        a: { type: ['string', 'null'], pattern: '^[a-z]+$', format: 'email', default: 'x' },
        b: { $ref: '#/definitions/b' },
        c: { oneOf: [{ const: 1 }, { not: { type: 'number' } }] },
        d: { items: [{ type: 'string' }] },
      },
      definitions: { b: { type: 'object', patternProperties: { '^x': true }, additionalProperties: false } },
      required: ['a'],
    };
    const { schema: same, notes } = loosened(schema);
    expect(same).toEqual(schema);
    expect(JSON.stringify(same)).toBe(JSON.stringify(schema));
    expect(notes).toEqual([]);
  });

  it.each<[string, unknown, object, RegExp]>([
    ['nothing at all', undefined, { type: 'object' }, /nothing of parameters/],
    ['no type', { properties: { a: {} } }, { properties: { a: {} }, type: 'object' }, /does not say/],
    ['several types', { type: ['object', 'null'] }, { type: 'object' }, /object only/],
    ['draft-04', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }, { type: 'object' }, /2020-12/],
    [
      '2019-09',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' },
      { type: 'object' },
      /2020/,
    ],
    [
      'a list of items in 2020-12',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...of({ items: [{}] }),
      },
      of({ items: [{}] }),
      /2020-12/,
    ],
    ['a boolean limit', of({ minimum: 0, exclusiveMinimum: true }), of({ minimum: 0 }), /exclusiveMinimum.*a number/],
    ['an unknown type', of({ type: 'strng', title: 't' }), of({ title: 't' }), /type/],
    ['a pattern that does not compile', of({ pattern: '[a-' }), of({}), /regular expression/],
    ['a pattern that compiles without u only', of({ pattern: String.raw`^[\w-\.]+$` }), of({}), /regular expression/],
    ['a pattern that may never end', of({ type: 'string', pattern: DANGER }), of({ type: 'string' }), /very long/],
    ['a reference to nothing', of({ $ref: '#/$defs/x', title: 't' }), of({ title: 't' }), /\$ref` leads nowhere/],
    ['a recursive reference', { type: 'object', $recursiveRef: '#' }, { type: 'object' }, /recursiveRef/],
    ['a dynamic reference', of({ $dynamicRef: '#x' }), of({}), /dynamicRef/],
    ['required as in draft-03', of({ required: true }), of({}), /required/],
  ])('takes out of %s what it must, with a note', (_, given, expected, note) => {
    const { schema, notes } = loosened(given);
    expect(schema).toEqual(expected);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(note);
  });

  it.each<[string, unknown, RegExp]>([
    ['a list', [], /no object/],
    ['a text', 'object', /no object/],
    ['true', true, /no object/],
    ['another type', { type: 'string' }, /no object/],
    ['a reference elsewhere', of({ $ref: 'https://example.com/x.json' }), /example\.com\/x\.json.*not fetched/],
    ['a reference to a file', of({ $ref: 'file:///etc/passwd' }), /not fetched/],
    ['a reference beside it', of({ $ref: 'other.json#/a' }), /not fetched/],
    ['a circle', of({ $ref: '#/properties/a' }), /circle/],
    ['too many characters', of({ enum: ['x'.repeat(200_000)] }), /at most 200000/],
  ])('refuses %s, with the reason', (_, given, reason) => {
    expect(looseSchema(given)).toEqual({ refused: expect.stringMatching(reason) as string });
  });

  it('refuses what is nested too deeply, and what goes round', () => {
    let deep: object = {};
    for (let level = 0; level < 400; level += 1) deep = { properties: { a: deep } };
    expect(looseSchema({ type: 'object', ...deep })).toEqual({ refused: expect.stringContaining('deep') as string });
    const round: { type: string; properties: Record<string, unknown> } = { type: 'object', properties: {} };
    round.properties['a'] = round;
    expect(looseSchema(round)).toHaveProperty('refused');
  });

  it('never refuses more for what it takes out: where less inside means more outside, that goes as well', () => {
    const cases: readonly [object, unknown][] = [
      [of({ not: { pattern: DANGER } }), { a: 'b' }],
      [of(JSON.parse(`{"if":{"pattern":"${DANGER}"},"then":{"maxLength":0}}`)), { a: 'b' }],
      [of({ oneOf: [{ pattern: DANGER }, { pattern: '(b+)+$' }] }), { a: 'b' }],
      [of({ oneOf: [{ pattern: DANGER }, { const: 'b' }], anyOf: [{}] }), { a: 'b' }],
      [of({ contains: { pattern: DANGER }, maxContains: 1 }), { a: ['x', 'y'] }],
      [of({ patternProperties: { [DANGER]: {} }, additionalProperties: false }), { a: { aaa: 1 } }],
      [{ ...of({ not: { $ref: '#/$defs/d' } }), $defs: { d: { pattern: DANGER } } }, { a: 'b' }],
      [{ ...of({ oneOf: [{ $ref: '#/$defs/d' }, { const: 'b' }] }), $defs: { d: { pattern: DANGER } } }, { a: 'b' }],
    ];
    for (const [given, value] of cases) {
      expect(validateAgainst(loosened(given).schema, value), JSON.stringify(given)).toBeNull();
    }
  });

  it('keeps one of several as any of them', () => {
    const { schema } = loosened(of({ oneOf: [{ type: 'number' }, { type: 'string', pattern: DANGER }] }));
    expect(schema).toEqual(of({ anyOf: [{ type: 'number' }, { type: 'string' }] }));
  });

  it('takes names such as __proto__ for names, and changes nothing it was given', () => {
    const text = '{"type":"object","properties":{"__proto__":{"type":"string","pattern":"("}}}';
    const given: unknown = JSON.parse(text);
    const { schema } = loosened(given);
    expect(JSON.stringify(schema)).toBe('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(JSON.stringify(given)).toBe(text);
    expect(loosened(Object.freeze(of(Object.freeze({ pattern: '(' })))).schema).toEqual(of({}));
  });

  it('tells of at most twenty things one by one, and looks at 200 patterns', () => {
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, { pattern: '^a$' }]));
    const { notes } = loosened({ type: 'object', properties });
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe('And 80 more like these.');
  });

  it('gives a usable schema or a reason for anything at all, and what it gives it leaves alone (law)', () => {
    const keywords =
      'type properties items pattern $ref not oneOf anyOf if then required enum additionalProperties patternProperties $defs $schema $id minimum format x $anchor';
    const keyword = fc.constantFrom(...keywords.split(' '));
    const { any } = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constantFrom<unknown>('object', 'string', '^a+$', DANGER, '#', '#/$defs/x', 1, true, null, [], ['a'], {}),
        fc.dictionary(fc.oneof(keyword, fc.constantFrom('a', 'x', '^a', '(')), tie('any'), {
          maxKeys: 4,
          noNullPrototype: true,
        }),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(keyword, any, { noNullPrototype: true }), any, (given, value) => {
        const loose = looseSchema(given);
        if ('refused' in loose) return;
        expect(checkSchema(loose.schema)).toEqual([]);
        expect(looseSchema(loose.schema)).toEqual({ schema: loose.schema, notes: [] });
        validateAgainst(loose.schema, value);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts whatever the schema accepted as it was (law)', () => {
    const leaf = fc.constantFrom<object>(
      { pattern: DANGER },
      { type: 'string' },
      { type: 'number' },
      { const: 'aa' },
      { $ref: '#/$defs/d' },
      {},
    );
    const { node } = fc.letrec<{ node: object }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        fc.record({ not: tie('node') }),
        fc.record({ oneOf: fc.tuple(tie('node'), tie('node')) }),
        fc.record({ oneOf: fc.tuple(tie('node'), tie('node')), anyOf: fc.tuple(tie('node')) }),
        fc.record({ allOf: fc.tuple(tie('node'), tie('node')), unevaluatedProperties: fc.constant(false) }),
        fc.tuple(tie('node'), tie('node'), tie('node')).map((parts) => {
          return Object.fromEntries(['if', 'then', 'else'].map((name, at) => [name, parts[at]]));
        }),
        fc.record({ properties: fc.record({ a: tie('node') }), unevaluatedProperties: fc.constantFrom(false, true) }),
        fc.record({
          patternProperties: fc.record({ [DANGER]: tie('node') }),
          additionalProperties: fc.constantFrom(false, true),
        }),
        fc.record({ propertyNames: tie('node') }),
        fc.record({ contains: tie('node'), maxContains: fc.constantFrom(0, 1) }),
        fc.record({ prefixItems: fc.tuple(tie('node')), unevaluatedItems: fc.constant(false) }),
        fc.record({ items: tie('node') }),
        fc.record({ dependentSchemas: fc.record({ a: tie('node') }) }),
      ),
    }));
    const value = fc.constantFrom<unknown>(
      'aa',
      'b',
      1,
      { a: 'aa' },
      { a: 1, b: 'b' },
      { aa: 'b' },
      ['aa', 'b'],
      [1],
      {},
    );
    let loosenedOnes = 0;
    fc.assert(
      fc.property(node, node, fc.array(value, { minLength: 3, maxLength: 3 }), (a, d, values) => {
        const schema = { type: 'object', properties: { a }, $defs: { d } };
        if (checkSchema(schema).length > 0) return;
        const loose = looseSchema(schema);
        if ('refused' in loose) throw new Error(loose.refused);
        if (loose.notes.length > 0) loosenedOnes += 1;
        for (const each of values)
          if (validateAgainst(schema, { a: each }) === null)
            expect(validateAgainst(loose.schema, { a: each }), JSON.stringify([schema, each])).toBeNull();
      }),
      { numRuns: 1500 },
    );
    expect(loosenedOnes).toBeGreaterThan(200);
  });
});
