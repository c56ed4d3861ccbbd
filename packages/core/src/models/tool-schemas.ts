import { asArray, asObject } from './wire-json.js';
import type { WireObject } from './wire-json.js';

/** Keywords that OpenAI and Anthropic refuse at the top of a tool's parameters. */
const REFUSED_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'if', 'then', 'else', '$schema'];

/**
 * A tool's parameters for providers that want an object schema with `properties`. What is left out
 * here is still checked when the call arrives.
 */
export function objectSchema(schema: object): WireObject {
  const kept = Object.entries(schema).filter(([keyword]) => !REFUSED_AT_TOP.includes(keyword));
  const result: WireObject = Object.fromEntries(kept);
  return { ...result, type: 'object', properties: asObject(result['properties']) ?? {} };
}

/** The part of JSON Schema that Gemini's `parametersJsonSchema` documents. */
const GEMINI_KEYWORDS = new Set([
  '$id',
  '$defs',
  '$ref',
  '$anchor',
  'type',
  'format',
  'title',
  'description',
  'enum',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
  'oneOf',
  'properties',
  'additionalProperties',
  'required',
]);

/** The schema with what Gemini does not take left out or, where that loses nothing, said in another way. */
export function geminiSchema(schema: object): WireObject {
  return reduced(objectSchema(schema));
}

function reduced(schema: WireObject): WireObject {
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'const') result['enum'] ??= [value];
    else if (keyword === 'definitions') result['$defs'] = reducedMap(value);
    else if (keyword === 'properties' || keyword === '$defs') result[keyword] = reducedMap(value);
    else if (keyword === '$ref' && typeof value === 'string')
      result[keyword] = value.replace('#/definitions/', '#/$defs/');
    else if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'prefixItems')
      result[keyword] = asArray(value).map(reducedValue);
    else if (keyword === 'items' || keyword === 'additionalProperties') result[keyword] = reducedValue(value);
    else if (GEMINI_KEYWORDS.has(keyword)) result[keyword] = value;
  }
  return result;
}

/** A schema, or `true` and `false`, which are schemas too. */
function reducedValue(value: unknown): unknown {
  const schema = asObject(value);
  return schema === undefined ? value : reduced(schema);
}

/** A map of names to schemas: its keys are names and no keywords. */
function reducedMap(value: unknown): WireObject {
  return Object.fromEntries(
    Object.entries(asObject(value) ?? {}).map(([name, schema]) => [name, reducedValue(schema)]),
  );
}
