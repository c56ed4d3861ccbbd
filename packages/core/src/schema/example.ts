import { typesOf } from './describe-schema.js';
import { isJsonObject, own, type JsonObject } from './json-value.js';
import { resolveNode, type SchemaDocument, type SchemaNode } from './schema-document.js';

const MAX_NESTING = 8;
const MAX_BRANCHES = 6;
/** Bound on the work for one example: schemas may branch at every level. */
const MAX_STEPS = 500;

/** Strings to try where a schema asks for a format or a pattern, the plainest first. */
const TEXTS = [
  'a',
  'A',
  '0',
  '1',
  'abc',
  'ABC',
  'a1',
  '/path/to/file',
  'src/file.ts',
  'file.txt',
  'name@example.com',
  'https://example.com',
  'example.com',
  '2025-01-31',
  '2025-01-31T12:00:00Z',
  '12:00:00Z',
  'P1D',
  '192.0.2.1',
  '2001:db8::1',
  '123e4567-e89b-12d3-a456-426614174000',
  '/a/b',
  '1.0.0',
  '#a',
  '',
];

/**
 * A shortest valid value: required properties only, with the schema's own examples where it has
 * some. Undefined when none is found; what is returned has been validated.
 */
export function minimalExample(document: SchemaDocument): unknown {
  const maker = new ExampleMaker(document);
  return maker.make(document.root, '', 0);
}

class ExampleMaker {
  readonly #document: SchemaDocument;
  #steps = 0;

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  /** A valid value for the node, or undefined. `name` is that of the property, for a telling string. */
  make(node: SchemaNode, name: string, depth: number): unknown {
    if (depth > MAX_NESTING || ++this.#steps > MAX_STEPS) return undefined;
    for (const shape of this.#shapes(node)) {
      const found = this.#candidates(shape, name, depth).find((value) => this.#document.accepts(node, value));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The node as flat schemas without references, `allOf` and alternatives: one for each alternative. */
  #shapes(node: SchemaNode, depth = 0): JsonObject[] {
    const schema = resolveNode(this.#document, node);
    if (schema === false || depth > MAX_NESTING) return [];
    if (schema === true) return [{}];
    const all = own(schema, 'allOf');
    let shapes: JsonObject[] = [schema];
    for (const part of Array.isArray(all) ? (all as SchemaNode[]) : []) {
      shapes = this.#combine(shapes, this.#shapes(part, depth + 1));
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = own(schema, keyword);
      if (!Array.isArray(branches)) continue;
      const flat = (branches as SchemaNode[]).flatMap((branch) => this.#shapes(branch, depth + 1));
      shapes = this.#combine(shapes, flat);
    }
    return shapes;
  }

  #combine(left: readonly JsonObject[], right: readonly JsonObject[]): JsonObject[] {
    return left.flatMap((a) => right.slice(0, MAX_BRANCHES).map((b) => merge(a, b))).slice(0, MAX_BRANCHES);
  }

  #candidates(schema: JsonObject, name: string, depth: number): unknown[] {
    const given: unknown[] = [];
    if (Object.hasOwn(schema, 'const')) given.push(schema['const']);
    for (const keyword of ['enum', 'examples']) {
      const values = own(schema, keyword);
      if (Array.isArray(values)) given.push(...values.slice(0, 20));
    }
    if (Object.hasOwn(schema, 'default')) given.push(schema['default']);
    // `null` is what a schema allows last, not what an example should show.
    const types = inferredTypes(schema).toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
    return [...given, ...types.flatMap((type) => this.#ofType(type, schema, name, depth))];
  }

  #ofType(type: string, schema: JsonObject, name: string, depth: number): unknown[] {
    if (type === 'string') return strings(schema, name);
    if (type === 'integer' || type === 'number') return numbers(schema);
    if (type === 'boolean') return [true, false];
    if (type === 'array') return this.#arrays(schema, name, depth);
    if (type === 'object') return this.#objects(schema, depth);
    return type === 'null' ? [null] : [];
  }

  #arrays(schema: JsonObject, name: string, depth: number): unknown[][] {
    const least = Math.min(limit(schema, 'minItems') ?? 0, 20);
    const first = own(schema, 'prefixItems') ?? own(schema, 'items');
    const prefix = Array.isArray(first) ? (first as SchemaNode[]) : [];
    const items = own(schema, 'items');
    const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
    const wanted = Math.max(least, isJsonObject(own(schema, 'contains')) ? 1 : 0);
    const made: unknown[] = [];
    for (let index = 0; index < wanted; index++) {
      const node = (prefix[index] ?? own(schema, 'contains') ?? rest ?? true) as SchemaNode;
      made.push(this.make(node, name, depth + 1));
    }
    // Items that must differ: numbers and strings are easily told apart.
    const distinct = made.map((value, index) => vary(value, index));
    return [made, distinct].filter((list) => !list.includes(undefined));
  }

  #objects(schema: JsonObject, depth: number): JsonObject[] {
    const properties = own(schema, 'properties');
    const declared = isJsonObject(properties) ? properties : {};
    const required = own(schema, 'required');
    const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
    const additional = own(schema, 'additionalProperties') as SchemaNode | undefined;
    const entries = names.map((name) => {
      const node = (own(declared, name) ?? additional ?? true) as SchemaNode;
      return [name, this.make(node, name, depth + 1)] as const;
    });
    if (entries.some(([, value]) => value === undefined)) return [];
    const least = limit(schema, 'minProperties') ?? 0;
    for (const name of Object.keys(declared)) {
      if (entries.length >= least) break;
      const value = names.includes(name) ? undefined : this.make(own(declared, name) as SchemaNode, name, depth + 1);
      if (value !== undefined) entries.push([name, value]);
    }
    return [Object.fromEntries(entries)];
  }
}

/** Two schemas that both must hold, as one, as far as examples need it. */
function merge(a: JsonObject, b: JsonObject): JsonObject {
  const [typesA, typesB] = [inferredTypes(a), inferredTypes(b)];
  const common = typesA.filter((type) => typesB.includes(type) || (type === 'integer' && typesB.includes('number')));
  const narrower = typesA.includes('number') && typesB.includes('integer') ? ['integer', ...common] : common;
  const lists = (keyword: string): unknown[] =>
    [own(a, keyword), own(b, keyword)].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  const merged: Record<string, unknown> = { ...a, ...b, type: narrower, required: [...new Set(lists('required'))] };
  for (const [keyword, pick] of [...LOWER_LIMITS, ...UPPER_LIMITS]) {
    const both = [limit(a, keyword), limit(b, keyword)].filter((value) => value !== undefined);
    if (both.length > 0) merged[keyword] = pick(...both);
  }
  const [left, right] = [own(a, 'properties'), own(b, 'properties')];
  if (isJsonObject(left) && isJsonObject(right)) merged['properties'] = mergeProperties(left, right);
  return merged;
}

const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
  (keyword) => [keyword, Math.max] as const,
);
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
  (keyword) => [keyword, Math.min] as const,
);

function mergeProperties(left: JsonObject, right: JsonObject): JsonObject {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  const both = (name: string): unknown[] => [own(left, name), own(right, name)].filter((node) => node !== undefined);
  return Object.fromEntries(
    Array.from(names, (name) => [name, both(name).length > 1 ? { allOf: both(name) } : both(name)[0]]),
  );
}

function inferredTypes(schema: JsonObject): string[] {
  const types = typesOf(schema);
  if (types.length > 0) return types;
  const hints: readonly (readonly [string, RegExp])[] = [
    ['object', /^(properties|required|.*Properties|propertyNames)$/],
    ['array', /^(items|prefixItems|contains|.*Items)$/],
    ['number', /^(multipleOf|minimum|maximum|exclusive.*)$/],
  ];
  const names = Object.keys(schema);
  const hinted = hints.filter(([, pattern]) => names.some((name) => pattern.test(name))).map(([type]) => type);
  return [
    ...hinted,
    ...['string', 'integer', 'boolean', 'object', 'array', 'null', 'number'].filter((type) => !hinted.includes(type)),
  ];
}

function limit(schema: JsonObject, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === 'number' ? value : undefined;
}

function strings(schema: JsonObject, name: string): string[] {
  const least = limit(schema, 'minLength') ?? 0;
  if (least > 1000) return [];
  const most = limit(schema, 'maxLength') ?? Number.POSITIVE_INFINITY;
  const paths = /path$/i.test(name) ? ['/path/to/file'] : [];
  const word = name === '' ? [] : [name];
  const fitted = [...paths, ...word, ...TEXTS].map((text) => text.padEnd(least, text === '' ? 'a' : text.slice(-1)));
  return fitted.map((text) => (text.length > most ? text.slice(0, most) : text));
}

function numbers(schema: JsonObject): number[] {
  const step = limit(schema, 'multipleOf') ?? 1;
  const low = limit(schema, 'minimum') ?? limit(schema, 'exclusiveMinimum');
  const high = limit(schema, 'maximum') ?? limit(schema, 'exclusiveMaximum');
  const near = (value: number): number[] => {
    const multiple = Math.ceil(value / step) * step;
    return [value, Math.ceil(value), multiple, multiple + step, multiple - step, value + 1, value - 1];
  };
  const middle = low !== undefined && high !== undefined ? [(low + high) / 2] : [];
  return [1, 0, step, ...[low, high].flatMap((value) => (value === undefined ? [] : near(value))), ...middle];
}

function vary(value: unknown, index: number): unknown {
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' && index > 0 ? `${value}${index}` : value;
}
