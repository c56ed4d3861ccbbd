import { describe, expect, it } from 'vitest';
import { validateAgainst } from './validate.js';

const READ = {
  type: 'object',
  properties: {
    absolute_path: { type: 'string', minLength: 1 },
    limit: { type: 'integer', minimum: 1 },
    offset: { type: 'integer', minimum: 0, description: 'The first line, from 0. Later lines follow.' },
    mode: { enum: ['text', 'binary'] },
  },
  required: ['absolute_path'],
  additionalProperties: false,
};

const nest = (levels: number, inner: unknown): unknown => {
  let value = inner;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
};

describe('validateAgainst', () => {
  it('gives null for what is valid (S23)', () => {
    expect(validateAgainst(READ, { absolute_path: '/a', limit: 5, mode: 'text' })).toBeNull();
  });

  it('names the pointer, what was expected and what came, and shows a shortest valid example (S23, S137)', () => {
    expect(validateAgainst(READ, { absolute_path: '/a', limit: 'many' })).toBe(
      'Invalid parameters: `/limit` must be an integer ≥ 1, but was the string "many". ' +
        'A shortest valid example: {"absolute_path":"/path/to/file"}',
    );
  });

  it('tells what a parameter is for', () => {
    const message = validateAgainst(READ, { absolute_path: '/a', offset: -1 });
    expect(message).toContain('`/offset` (The first line, from 0) must be an integer ≥ 0, but was the number -1');
  });

  it('lists the values of an enum', () => {
    const message = validateAgainst(READ, { absolute_path: '/a', mode: 'hex' });
    expect(message).toContain('`/mode` must be one of "text", "binary", but was the string "hex"');
  });

  it('names what is missing', () => {
    expect(validateAgainst(READ, {})).toContain(
      '`/absolute_path` is required but missing: a string of at least 1 character',
    );
  });

  it('names an unknown property and the nearest known one, when the schema forbids it', () => {
    const message = validateAgainst(READ, { absolute_path: '/a', limt: 5 });
    expect(message).toContain('`/limt` is not a known property (did you mean `limit`?)');
    expect(validateAgainst(READ, { absolute_path: '/a', zzzzzzz: 5 })).toContain('(known: `absolute_path`, `limit`');
    expect(validateAgainst({ ...READ, additionalProperties: true }, { absolute_path: '/a', limt: 5 })).toBeNull();
  });

  it('names all properties of a schema with many, and counts those of one with very many', () => {
    const schemaOf = (count: number): object => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, { type: 'string' }])),
      additionalProperties: false,
    });
    expect(validateAgainst(schemaOf(15), { zzzzzzzzzz: 5 })).toContain('`name14`)');
    expect(validateAgainst(schemaOf(30), { zzzzzzzzzz: 5 })).toContain('`name23`, and 6 more)');
  });

  it('points into lists and through references', () => {
    const schema = {
      type: 'object',
      properties: { edits: { type: 'array', items: { $ref: '#/$defs/edit' } } },
      $defs: { edit: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
    };
    const message = validateAgainst(schema, { edits: [{ path: 1 }, {}] });
    expect(message).toContain('`/edits/0/path` must be a string, but was the number 1');
    expect(message).toContain('`/edits/1/path` is required but missing');
  });

  it('describes the alternatives, or what is wrong with the one of the right shape', () => {
    const alternatives = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    const schema = { type: 'object', properties: { paths: alternatives } };
    expect(validateAgainst(schema, { paths: 4 })).toContain(
      '`/paths` must be a string or an array (each item a string), but was the number 4',
    );
    expect(validateAgainst(schema, { paths: ['a', 4] })).toContain('`/paths/1` must be a string, but was the number 4');
  });

  it('takes the alternative that the value names', () => {
    const branch = (kind: string, name: string): object => ({
      type: 'object',
      properties: { kind: { const: kind }, [name]: { type: 'string' } },
      required: ['kind', name],
    });
    const schema = {
      type: 'object',
      properties: { shape: { oneOf: [branch('circle', 'radius'), branch('box', 'side')] } },
    };
    expect(validateAgainst(schema, { shape: { kind: 'box' } })).toContain('`/shape/side` is required but missing');
    const either = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    expect(validateAgainst(either, {})).toContain('must be an object with `a` or an object with `b`');
  });

  it('says when a value meets several alternatives of which it may meet one', () => {
    const schema = { type: 'object', properties: { n: { oneOf: [{ type: 'integer' }, { minimum: 0 }] } } };
    expect(validateAgainst(schema, { n: 5 })).toContain('`/n` must match exactly one of its alternatives');
  });

  it('puts the remaining keywords into words', () => {
    const schema = {
      type: 'object',
      properties: {
        list: { type: 'array', uniqueItems: true, maxItems: 3 },
        some: { type: 'array', contains: { type: 'string' } },
        none: { not: { type: 'string' } },
        when: { type: 'string', format: 'date' },
      },
      propertyNames: { pattern: '^[a-z]+$' },
    };
    const say = (value: object): string | null => validateAgainst(schema, value);
    expect(say({ list: [1, 1] })).toContain('`/list` must be an array of at most 3 items without repeats');
    expect(say({ some: [1] })).toContain('`/some` must be an array that contains at least one item of the right kind');
    expect(say({ none: 'x' })).toContain('`/none` must be something that the schema does not rule out');
    expect(say({ when: '2025-02-30' })).toContain('`/when` must be a string in the format date');
    expect(say({ A1: 1 })).toContain('`/A1` has a name that is not allowed');
  });

  it('tells five problems and counts the rest', () => {
    const properties = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`p${index}`, { type: 'string' }]));
    const message = validateAgainst(
      { type: 'object', properties },
      Object.fromEntries(Object.keys(properties).map((name) => [name, 1])),
    );
    expect(message?.match(/must be a string/g)).toHaveLength(5);
    expect(message).toContain('; and 3 more problems.');
  });

  it('leaves the example out when none can be made', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '^[QX]{7}-\\d{9}$' } },
      required: ['id'],
    };
    const message = validateAgainst(schema, {});
    expect(message).toContain('`/id` is required');
    expect(message).not.toContain('example');
  });

  it('follows draft-07 where it differs: nothing beside a $ref counts', () => {
    const properties = { a: { $ref: '#/definitions/text', maxLength: 1 } };
    const schema = { type: 'object', properties, definitions: { text: { type: 'string' } } };
    const draft07 = { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' };
    expect(validateAgainst(draft07, { a: 'long' })).toBeNull();
    expect(validateAgainst(schema, { a: 'long' })).toContain('`/a` must be a string of at most 1 character');
  });

  it('reads names of built-in properties as plain names', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"integer"}},"required":["__proto__","constructor"]}',
    );
    const bad: unknown = JSON.parse('{"__proto__":1,"toString":"x"}');
    const message = validateAgainst(schema as object, bad);
    expect(message).toContain('`/constructor` is required but missing');
    expect(message).toContain('`/__proto__` must be a string, but was the number 1');
    expect(message).toContain('`/toString` must be an integer, but was the string "x"');
    const good: unknown = JSON.parse('{"__proto__":"x","constructor":1}');
    expect(validateAgainst(schema as object, good)).toBeNull();
  });

  it('refuses a value nested 10,000 levels deep', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#' } } };
    expect(validateAgainst(schema, nest(10_000, {}))).toContain('nested more than 200 levels deep');
    expect(validateAgainst(schema, nest(199, {}))).toBeNull();
  });

  it('never repeats a long value', () => {
    const long = 'x'.repeat(5_000_000);
    const message = validateAgainst(READ, { absolute_path: '/a', limit: long, [long]: 1, mode: long }) ?? '';
    expect(message).toContain('(5000000 characters)');
    expect(message.length).toBeLessThan(1500);
  });

  it('survives more problems than the validator can hand on', () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'integer' } } } };
    const message = validateAgainst(schema, { list: Array.from({ length: 300_000 }, () => 'x') });
    expect(message).toContain('`/list/0` must be an integer');
  });

  it('counts undefined as absent and refuses what JSON cannot hold', () => {
    expect(validateAgainst(READ, { absolute_path: '/a', limit: undefined })).toBeNull();
    expect(validateAgainst(READ, { absolute_path: undefined })).toContain('is required but missing');
    expect(validateAgainst(READ, { absolute_path: '/a', limit: Number.NaN })).toContain('JSON cannot hold');
    expect(validateAgainst(READ, { absolute_path: () => '/a' })).toContain('type function');
    expect(validateAgainst(READ, { absolute_path: '/a', '\uD800': 1 })).toContain('not valid Unicode');
  });

  it('accepts nothing against a schema that is broken', () => {
    expect(validateAgainst({ type: 'object', $ref: '#/gone' }, {})).toContain('could not be checked');
    expect(validateAgainst({ $schema: 'urn:unknown' }, {})).toContain('could not be checked');
  });
});
