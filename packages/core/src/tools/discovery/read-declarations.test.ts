import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../util/failure.js';
import { plainSchema } from './plain-schema.js';
import { readDeclarations } from './read-declarations.js';

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const one = { name: 'one', description: 'One.', parameters: schema };
const read = (value: unknown) => readDeclarations(JSON.stringify(value));
const names = (value: unknown): unknown[] => read(value).declarations.map(({ name }) => name);

describe('readDeclarations', () => {
  it('reads an array of function declarations', () => {
    expect(read([one])).toEqual({
      declarations: [{ name: 'one', description: 'One.', inputSchema: schema }],
      problems: [],
    });
    expect(read([])).toEqual({ declarations: [], problems: [] });
  });

  it.each(['parametersJsonSchema', 'inputSchema', 'input_schema'])('takes %s for the parameters', (key) => {
    expect(read([{ name: 'one', [key]: schema }]).declarations[0]?.inputSchema).toEqual(schema);
  });

  it('accepts the wrappings that other programs print', () => {
    const two = { name: 'two' };
    expect(names([{ function_declarations: [one, two] }])).toEqual(['one', 'two']);
    expect(names([{ functionDeclarations: [one] }, two])).toEqual(['one', 'two']);
    expect(names({ tools: [one] })).toEqual(['one']);
    expect(names({ tools: [{ function_declarations: [two] }] })).toEqual(['two']);
    expect(names([{ type: 'function', function: one }])).toEqual(['one']);
  });

  it('leaves out what is no function, by its place, and keeps the others', () => {
    expect(read([one, 7, null, 'x', { function_declarations: [[], 8] }])).toMatchObject({
      declarations: [{ name: 'one' }],
      problems: [
        'Entry 2 was left out: it is the number 7 and no function.',
        'Entry 3 was left out: it is null and no function.',
        'Entry 4 was left out: it is the string "x" and no function.',
        'Entry 5, 2 was left out: it is the number 8 and no function.',
      ],
    });
  });

  it('forgives a byte order mark and lines around the list, and says so', () => {
    expect(readDeclarations('\ufeff[]\n').problems).toEqual([]);
    const { declarations, problems } = readDeclarations(
      `npm warn x\n> start\n${JSON.stringify([one], null, 2)}\ndone\n`,
    );
    expect(declarations).toHaveLength(1);
    expect(problems).toEqual([expect.stringContaining('other lines')]);
  });

  it.each([
    ['', 'printed nothing'],
    ['hello', 'no JSON'],
    ['[1, 2', 'no JSON'],
    ['7', 'the number 7'],
    ['{"name": "x"}', 'an object with'],
  ])('fails on %j', (text, reason) => {
    expect(() => readDeclarations(text)).toThrow(reason);
  });

  it('takes any output without harm', () => {
    const any = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify([value, one])),
    );
    fc.assert(
      fc.property(any, (text) => {
        try {
          readDeclarations(text);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Failure);
        }
      }),
    );
    expect(() => readDeclarations(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).not.toThrow();
    const deep = `${'{"items":'.repeat(9000)}{}${'}'.repeat(9000)}`;
    const list = `[{"name": "deep", "parameters": ${deep}}, ${JSON.stringify(one)}]`;
    expect(readDeclarations(list).declarations.map(({ name }) => name)).toEqual(['deep', 'one']);
  });
});

describe('plainSchema', () => {
  it('turns the dialect of Gemini into JSON Schema', () => {
    expect(
      plainSchema({
        type: 'OBJECT',
        properties: {
          type: { type: 'STRING', nullable: true, enum: ['A', 'B'], maxLength: '7' },
          nullable: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
        },
        required: ['type'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        type: { type: ['string', 'null'], enum: ['A', 'B', null], maxLength: 7 },
        nullable: { type: 'array', items: { type: 'integer' }, minItems: 1 },
      },
      required: ['type'],
    });
  });

  it('leaves JSON Schema as it is', () => {
    const json = {
      type: 'object',
      properties: { x: { type: ['string', 'null'], default: { type: 'STRING' }, const: 'OBJECT' } },
      $defs: { y: { anyOf: [{ type: 'number' }, true] } },
    };
    expect(plainSchema(json)).toEqual(json);
    expect(plainSchema(undefined)).toBeUndefined();
  });
});
