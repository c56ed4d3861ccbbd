import { isJsonObject } from './json-value.js';

/** What JSON Schema says about one keyword: what its value must be, and how to tell. */
export interface KeywordRule {
  /** Completes "`/pointer` must be …". */
  readonly expects: string;
  readonly accepts: (value: unknown) => boolean;
}

export const TYPE_NAMES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;

/** How the schemas under a keyword are kept: one, in a list, or by name. `items` and `dependencies` vary. */
export type Holder = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-or-names';

/** Every keyword that holds schemas. */
export const HOLDERS: ReadonlyMap<string, Holder> = new Map<string, Holder>([
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['dependentSchemas', 'map'],
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['dependencies', 'map-or-names'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['items', 'schema-or-list'],
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['contains', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
]);

/** Keywords whose schemas judge the very same value; a cycle through these alone would never end. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isJsonObject(value);
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string');
const isMap = (value: unknown, each: (child: unknown) => boolean): boolean =>
  isJsonObject(value) && Object.values(value).every(each);
const isTypeName = (value: unknown): boolean => TYPE_NAMES.some((name) => name === value);

/** Whether the text is a regular expression as the validator reads it: ECMAScript with the `u` flag. */
export function isPattern(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    new RegExp(text, 'u').test('');
    return true;
  } catch {
    return false;
  }
}

const STRING: KeywordRule = { expects: 'a string', accepts: (value) => typeof value === 'string' };
const BOOLEAN: KeywordRule = { expects: 'true or false', accepts: (value) => typeof value === 'boolean' };
const NUMBER: KeywordRule = { expects: 'a number', accepts: (value) => typeof value === 'number' };
const LIST: KeywordRule = { expects: 'an array', accepts: Array.isArray };
const COUNT: KeywordRule = {
  expects: 'an integer ≥ 0',
  accepts: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
};
const SCHEMA: KeywordRule = { expects: 'a schema (an object, true or false)', accepts: isSchema };
const SCHEMA_LIST: KeywordRule = {
  expects: 'an array of at least one schema',
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
};
const SCHEMA_MAP: KeywordRule = {
  expects: 'an object whose values are schemas',
  accepts: (value) => isMap(value, isSchema),
};
/** The validator would pass over these without a word, and what is not checked must not look checked. */
const UNSUPPORTED: KeywordRule = { expects: 'left out: it is not supported, use `$ref`', accepts: () => false };

const RULE_OF_HOLDER: Readonly<Record<Holder, KeywordRule>> = {
  schema: SCHEMA,
  list: SCHEMA_LIST,
  map: SCHEMA_MAP,
  'schema-or-list': {
    expects: 'a schema or an array of schemas',
    accepts: (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
  },
  'map-or-names': {
    expects: 'an object whose values are schemas or arrays of names',
    accepts: (value) => isMap(value, (child) => isSchema(child) || isNames(child)),
  },
};

/** What every known keyword must be (draft-07 and 2020-12). Unknown keywords are annotations and free. */
export const KEYWORD_RULES: ReadonlyMap<string, KeywordRule> = new Map<string, KeywordRule>([
  ...Array.from(HOLDERS, ([keyword, holder]) => [keyword, RULE_OF_HOLDER[holder]] as const),
  ...['$id', '$ref', '$anchor', '$comment', 'title', 'description', 'format'].map((name) => [name, STRING] as const),
  ...['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map((name) => [name, BOOLEAN] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) => [name, NUMBER] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems'].map((name) => [name, COUNT] as const),
  ...['minProperties', 'maxProperties', 'minContains', 'maxContains'].map((name) => [name, COUNT] as const),
  ...['enum', 'examples'].map((name) => [name, LIST] as const),
  ...['$dynamicRef', '$recursiveRef', '__absolute_ref__'].map((name) => [name, UNSUPPORTED] as const),
  ['multipleOf', { expects: 'a number > 0', accepts: (value) => typeof value === 'number' && value > 0 }],
  ['required', { expects: 'an array of property names', accepts: isNames }],
  [
    'dependentRequired',
    { expects: 'an object of arrays of property names', accepts: (value) => isMap(value, isNames) },
  ],
  ['pattern', { expects: 'a regular expression that compiles with the `u` flag', accepts: isPattern }],
  [
    'type',
    {
      expects: `one of ${TYPE_NAMES.join(', ')}, or an array of these`,
      accepts: (value) => isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName)),
    },
  ],
]);
