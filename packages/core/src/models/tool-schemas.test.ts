import { describe, expect, it } from 'vitest';
import { geminiSchema, objectSchema } from './tool-schemas.js';

describe('objectSchema', () => {
  it('keeps an ordinary schema', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(objectSchema(schema)).toEqual(schema);
  });

  it('gives every schema type and properties, and drops what is refused at the top', () => {
    expect(objectSchema({})).toEqual({ type: 'object', properties: {} });
    expect(objectSchema({ $schema: 'x', anyOf: [{ required: ['a'] }], properties: { a: { anyOf: [{}] } } })).toEqual({
      type: 'object',
      properties: { a: { anyOf: [{}] } },
    });
  });
});

describe('geminiSchema', () => {
  it('keeps the documented keywords, at every depth', () => {
    const schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'integer', minimum: 1, multipleOf: 2 }, minItems: 1, uniqueItems: true },
        one: { anyOf: [{ type: 'string', pattern: '^a' }, { type: 'null' }] },
      },
      additionalProperties: false,
      required: ['list'],
    };
    expect(geminiSchema(schema)).toEqual({
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 },
        one: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      additionalProperties: false,
      required: ['list'],
    });
  });

  it('says const as enum and moves definitions', () => {
    const schema = { definitions: { d: { const: 1 } }, properties: { a: { $ref: '#/definitions/d' } } };
    expect(geminiSchema(schema)).toEqual({
      type: 'object',
      $defs: { d: { enum: [1] } },
      properties: { a: { $ref: '#/$defs/d' } },
    });
  });

  it('takes a property for a name and no keyword', () => {
    const properties = { pattern: { type: 'string' }, not: { type: 'string' }, const: { type: 'string' } };
    expect(geminiSchema({ type: 'object', properties })).toEqual({ type: 'object', properties });
  });
});
