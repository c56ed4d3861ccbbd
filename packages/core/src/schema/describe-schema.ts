import { shorten, shortJson } from './describe-value.js';
import { isJsonObject, own, type JsonObject } from './json-value.js';
import { resolveNode, type SchemaDocument, type SchemaNode } from './schema-document.js';

const MAX_VALUES = 12;
const MAX_BRANCHES = 4;
const MAX_NOTE = 80;

/** What a schema wants, as a noun phrase: "an integer ≥ 1", "one of "a", "b"", "an array of strings". */
export function describeSchema(document: SchemaDocument, node: SchemaNode, depth = 0): string {
  const schema = resolveNode(document, node);
  if (schema === true) return 'any value';
  if (schema === false) return 'left out';
  if (Object.hasOwn(schema, 'const')) return `the value ${shortJson(schema['const'])}`;
  const values = own(schema, 'enum');
  if (Array.isArray(values)) return describeChoice(values);
  const types = typesOf(schema);
  if (types.length > 0) return types.map((type) => describeType(document, schema, type, depth)).join(' or ');
  const branches = own(schema, 'anyOf') ?? own(schema, 'oneOf');
  if (Array.isArray(branches) && depth <= 2) return describeBranches(document, branches, depth);
  return describeUntyped(document, schema, depth);
}

/** Alternatives, joined by "or". */
export function describeBranches(document: SchemaDocument, branches: readonly SchemaNode[], depth = 0): string {
  const phrases = new Set(branches.map((branch) => describeSchema(document, branch, depth + 1)));
  const shown = [...phrases].slice(0, MAX_BRANCHES);
  return shown.join(' or ') + (phrases.size > shown.length ? ' or others' : '');
}

/** The first sentence of the schema's description, shortened; the empty string when it has none. */
export function noteOf(node: SchemaNode): string {
  const text = isJsonObject(node) ? own(node, 'description') : undefined;
  if (typeof text !== 'string') return '';
  const sentence = /^.*?(?<!\b(?:e\.g|i\.e|etc))[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
  return shorten(sentence.replaceAll(/\s+/g, ' ').trim(), MAX_NOTE).replace(/\.$/, '');
}

/** The type names that the schema itself lists. */
export function typesOf(schema: JsonObject): string[] {
  const type = own(schema, 'type');
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((name) => typeof name === 'string') : [];
}

function describeChoice(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map(shortJson);
  if (shown.length === 1 && values.length === 1) return `the value ${shown[0]}`;
  const more = values.length - shown.length;
  return `one of ${shown.join(', ')}${more > 0 ? ` (and ${more} more)` : ''}`;
}

function describeType(document: SchemaDocument, schema: JsonObject, type: string, depth: number): string {
  if (type === 'integer' || type === 'number') return joined([`${article(type)} ${type}`, range(schema)]);
  if (type === 'string') return joined(['a string', ...stringLimits(schema)]);
  if (type === 'array') return describeArray(document, schema, depth);
  if (type === 'object') return describeObject(schema);
  return type === 'null' ? 'null' : `${article(type)} ${type}`;
}

function describeObject(schema: JsonObject): string {
  const required = own(schema, 'required');
  const names = Array.isArray(required) ? required.slice(0, 6).map((name) => `\`${String(name)}\``) : [];
  const parts = ['an object', sizes(schema, 'Properties', 'property', 'properties')];
  return joined([...parts, names.length > 0 ? `with ${names.join(', ')}` : '']);
}

function describeArray(document: SchemaDocument, schema: JsonObject, depth: number): string {
  const items = own(schema, 'items');
  const of = isJsonObject(items) && depth < 2 ? ` (each item ${describeSchema(document, items, depth + 1)})` : '';
  const unique = own(schema, 'uniqueItems') === true ? 'without repeats' : '';
  return joined(['an array', sizes(schema, 'Items', 'item', 'items'), unique]) + of;
}

/** Limits without a type still say for which type they are meant. */
function describeUntyped(document: SchemaDocument, schema: JsonObject, depth: number): string {
  const names = Object.keys(schema);
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/^(properties|required|.*Properties)$/)) return describeType(document, schema, 'object', depth);
  if (has(/^(items|prefixItems|contains|.*Items)$/)) return describeType(document, schema, 'array', depth);
  if (has(/^(pattern|format|.*Length)$/)) return describeType(document, schema, 'string', depth);
  if (has(/^(multipleOf|.*[mM](in|ax)imum)$/)) return describeType(document, schema, 'number', depth);
  return 'a value that meets the schema';
}

function range(schema: JsonObject): string {
  const parts: string[] = [];
  const add = (keyword: string, sign: string): void => {
    const limit = own(schema, keyword);
    if (typeof limit === 'number') parts.push(`${sign} ${limit}`);
  };
  add('minimum', '≥');
  add('exclusiveMinimum', '>');
  add('maximum', '≤');
  add('exclusiveMaximum', '<');
  add('multipleOf', 'a multiple of');
  return parts.join(' and ');
}

function stringLimits(schema: JsonObject): string[] {
  const pattern = own(schema, 'pattern');
  const format = own(schema, 'format');
  return [
    sizes(schema, 'Length', 'character', 'characters'),
    typeof format === 'string' ? `in the format ${format}` : '',
    typeof pattern === 'string' ? `that matches ${shorten(pattern, 60)}` : '',
  ];
}

function sizes(schema: JsonObject, suffix: string, one: string, many: string): string {
  const least = own(schema, `min${suffix}`);
  const most = own(schema, `max${suffix}`);
  const from = typeof least === 'number' && least > 0 ? least : undefined;
  if (from !== undefined && from === most) return `of exactly ${from} ${from === 1 ? one : many}`;
  const parts: string[] = [];
  if (from !== undefined) parts.push(`at least ${from}`);
  if (typeof most === 'number') parts.push(`at most ${most}`);
  const last = typeof most === 'number' ? most : from;
  return parts.length === 0 ? '' : `of ${parts.join(' and ')} ${last === 1 ? one : many}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function article(word: string): string {
  return /^[aeio]/.test(word) ? 'an' : 'a';
}
