import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSchema } from './check-schema.js';
import { minimalExample } from './example.js';
import { repairArguments } from './repair.js';
import { openSchema, ReadySchema } from './schema-document.js';
import { validateAgainst } from './validate.js';

/** Names that tempt: built-in ones, ones that need escaping, and one that is never touched. */
const NAMES = ['a', 'limit', 'file_path', '__proto__', 'toString', 'a/b~c', 'ä b%', 'content'];
const name = fc.constantFrom(...NAMES);

const leaf: fc.Arbitrary<object> = fc.oneof(
  fc.record(
    { type: fc.constant('string'), minLength: fc.nat(4), maxLength: fc.integer({ min: 4, max: 9 }) },
    { requiredKeys: ['type'] },
  ),
  fc.record({
    type: fc.constant('string'),
    format: fc.constantFrom('date', 'date-time', 'uri', 'email', 'uuid', 'ipv4', 'time'),
  }),
  fc.record({
    type: fc.constant('string'),
    pattern: fc.constantFrom('^[a-z]+$', '^/', '\\.ts$', '^\\d{4}-\\d\\d-\\d\\d$'),
  }),
  fc.record(
    {
      type: fc.constant('integer'),
      minimum: fc.integer({ min: -50, max: 0 }),
      maximum: fc.integer({ min: 0, max: 50 }),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('number'),
      exclusiveMinimum: fc.integer({ min: -5, max: 5 }),
      multipleOf: fc.constantFrom(2, 0.5, 7),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({
    enum: fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  fc.record({ const: fc.oneof(fc.string(), fc.integer()) }),
  fc.constantFrom({ type: 'boolean' }, { type: 'null' }, { type: ['integer', 'null'] }, {}),
);

const { node } = fc.letrec<{ node: object; object: object }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('object'),
    fc.record(
      { type: fc.constant('array'), items: tie('node'), minItems: fc.nat(2), uniqueItems: fc.boolean() },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.tuple(tie('object'), tie('object')) }),
    fc.record({ type: fc.constant('array'), prefixItems: fc.tuple(tie('node')), minItems: fc.constant(1) }),
  ),
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(name, tie('node'), { maxKeys: 4, noNullPrototype: true }),
      required: fc.uniqueArray(name, { maxLength: 3 }),
      minProperties: fc.nat(2),
    },
    { requiredKeys: ['type', 'properties'] },
  ),
}));

const schema: fc.Arbitrary<object> = fc
  .tuple(
    fc.dictionary(name, node, { maxKeys: 5, noNullPrototype: true }),
    fc.uniqueArray(name, { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([properties, required, additionalProperties]) => ({
    type: 'object',
    properties,
    required,
    additionalProperties,
  }));

/** Arguments that look like what models send: right, nearly right, wrong. */
const argument: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('5', '05', '5.0', 'true', 'null', '[]', '["a"]', '{"a":"1"}', '', 'x', '1e400'),
  fc.jsonValue({ maxDepth: 2 }),
);
const values = fc.dictionary(fc.oneof(name, fc.constantFrom('filePath', 'LIMIT', 'A')), argument, {
  maxKeys: 4,
  noNullPrototype: true,
});

const repair = (of: object, value: unknown): ReturnType<typeof repairArguments> =>
  repairArguments({ schema: of, argumentsText: JSON.stringify(value), aliases: {}, verbatim: ['content'] });

/** As a model sends it that writes every number and boolean as a string and every list as JSON. */
function damaged(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, damaged(child)]));
}

describe('laws', () => {
  it('generated schemas are sound', () => {
    fc.assert(
      fc.property(schema, (of) => {
        expect(checkSchema(of)).toEqual([]);
      }),
    );
  });

  it('an example is valid', () => {
    let made = 0;
    fc.assert(
      fc.property(schema, (of) => {
        const example = minimalExample(openSchema(of));
        if (example === undefined) return;
        made++;
        expect(validateAgainst(of, example)).toBeNull();
      }),
      { numRuns: 500 },
    );
    // The law would hold for a maker of no examples at all.
    expect(made).toBeGreaterThan(200);
  });

  it('valid arguments are never changed', () => {
    fc.assert(
      fc.property(schema, values, (of, random) => {
        const value = validateAgainst(of, random) === null ? random : minimalExample(openSchema(of));
        if (value === undefined) return;
        expect(repair(of, value)).toEqual({
          ok: true,
          value: JSON.parse(JSON.stringify(value)) as object,
          repairs: [],
        });
      }),
      { numRuns: 500 },
    );
  });

  it('repaired arguments are valid, and without a repair they are what was sent', () => {
    let repaired = 0;
    fc.assert(
      fc.property(schema, values, fc.boolean(), (of, random, isDamaged) => {
        const value = isDamaged ? damaged(minimalExample(openSchema(of))) : random;
        const answer = repair(of, value ?? random);
        if (!answer.ok) throw new Error(answer.message);
        if (answer.repairs.length === 0) {
          expect(JSON.stringify(answer.value)).toBe(JSON.stringify(value ?? random));
        } else {
          repaired++;
          expect(validateAgainst(of, answer.value)).toBeNull();
        }
      }),
      { numRuns: 2000 },
    );
    expect(repaired).toBeGreaterThan(30);
  });

  it('a verbatim property keeps its value', () => {
    fc.assert(
      fc.property(schema, values, (of, value) => {
        const answer = repair(of, value);
        if (!answer.ok || !Object.hasOwn(value, 'content')) return;
        expect(JSON.stringify(Reflect.get(answer.value, 'content'))).toBe(JSON.stringify(value['content']));
      }),
      { numRuns: 1000 },
    );
  });

  it('a schema made ready once judges all values as one made ready for each', () => {
    fc.assert(
      fc.property(schema, fc.array(values, { minLength: 1, maxLength: 4 }), (of, several) => {
        const ready = new ReadySchema(of);
        for (const value of several) {
          expect(validateAgainst(ready, value)).toBe(validateAgainst(of, value));
          expect(repair(ready, value)).toEqual(repair(of, value));
        }
        expect(ready.open()).toBe(ready.open());
      }),
      { numRuns: 300 },
    );
  });

  it('what is not valid always gets a message that names a problem', () => {
    fc.assert(
      fc.property(schema, values, (of, value) => {
        const message = validateAgainst(of, value);
        if (message === null) return;
        expect(message).toMatch(/^Invalid parameters: .*(must|missing|not a known|not allowed)/s);
        expect(message).not.toContain('could not be checked');
      }),
      { numRuns: 1000 },
    );
  });
});
