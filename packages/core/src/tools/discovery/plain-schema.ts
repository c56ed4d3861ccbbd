import { isJsonObject } from '../../schema/json-value.js';

/** What holds schemas by names of somebody's choice, and what holds values and no schemas. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples']);
const COUNTS = /^(?:min|max)(?:Length|Items|Properties)$/;
const DEEPEST = 100;

/**
 * A schema in the dialect of Gemini's API, as function declarations often have it, as JSON Schema: types in capitals,
 * `nullable`, counts as strings. What is JSON Schema already stays as it is. Pure.
 */
export function plainSchema(schema: unknown): unknown {
  return plain(schema, false, 0);
}

function plain(node: unknown, isNamed: boolean, depth: number): unknown {
  if (depth > DEEPEST) return node;
  if (Array.isArray(node)) return node.map((item: unknown) => plain(item, false, depth + 1));
  if (!isJsonObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    if (isNamed) return [key, plain(value, false, depth + 1)];
    if (VALUES.has(key)) return [key, value];
    if (key === 'type' && typeof value === 'string') return [key, /^[A-Z]+$/.test(value) ? value.toLowerCase() : value];
    if (COUNTS.test(key) && typeof value === 'string' && /^\d+$/.test(value)) return [key, Number(value)];
    return [key, plain(value, NAMED.has(key), depth + 1)];
  });
  return isNamed ? Object.fromEntries(entries) : withNull(Object.fromEntries(entries));
}

function withNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { nullable, type, enum: values } = schema;
  if (nullable !== true || typeof type !== 'string' || type === 'null') return schema;
  const others = Object.entries(schema).filter(([key]) => key !== 'nullable');
  const taken: unknown[] | undefined = Array.isArray(values) ? values : undefined;
  return {
    ...Object.fromEntries(others),
    type: [type, 'null'],
    ...(taken !== undefined && { enum: taken.includes(null) ? taken : [...taken, null] }),
  };
}
