import { isJsonObject, type JsonObject } from '../../schema/json-value.js';
import { cleanText, cutBytes } from '../../util/clean-text.js';
import { checkField } from './check-answer.js';
import type { FieldFacts, FieldKind, FieldOption, FormField } from './form-field.js';

export type ReadForm = { readonly fields: readonly FormField[] } | { readonly problem: string };

const MOST_FIELDS = 50;
const MOST_OPTIONS = 200;
const LONGEST_LABEL = 120;
const LONGEST_DESCRIPTION = 1000;
/** Of the schema itself; any other could say what is not shown. */
const ROOT_WORDS = new Set([
  '$schema',
  'type',
  'properties',
  'required',
  'title',
  'description',
  'additionalProperties',
]);
const FORMATS: ReadonlySet<string> = new Set(['email', 'uri', 'date', 'date-time']);

class Unshowable extends Error {}

/**
 * The form of an `elicitation/create`: plain fields side by side. Whatever else a schema can say cannot be shown and
 * checked honestly, and is a problem. A default that the field itself would refuse is dropped.
 */
export function readForm(schema: Readonly<Record<string, unknown>>): ReadForm {
  try {
    const strange = Object.keys(schema).find((word) => !ROOT_WORDS.has(word));
    if (strange !== undefined) throw new Unshowable(`its schema has ${JSON.stringify(shown(strange, 40))}`);
    if (schema['type'] !== 'object') throw new Unshowable('its schema is not that of an object');
    const properties = schema['properties'] ?? {};
    if (!isJsonObject(properties)) throw new Unshowable('its schema has no fields');
    const entries = Object.entries(properties);
    if (entries.length > MOST_FIELDS) throw new Unshowable(`it has ${entries.length} fields, more than ${MOST_FIELDS}`);
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    return { fields: entries.map(([name, field]) => readField(name, field, required.has(name))) };
  } catch (thrown) {
    if (thrown instanceof Unshowable) return { problem: thrown.message };
    throw thrown;
  }
}

function readField(name: string, schema: unknown, isRequired: boolean): FormField {
  if (!isJsonObject(schema)) throw new Unshowable(`its field ${quoted(name)} is not described`);
  const label = textOf(schema, 'title', LONGEST_LABEL) ?? shown(name, LONGEST_LABEL);
  const description = textOf(schema, 'description', LONGEST_DESCRIPTION);
  const kind = readKind(name, schema);
  const isTyped = kind.kind === 'text' || kind.kind === 'number';
  // What describes a number speaks of many things ("not your PIN"); a text may be asked for by its description alone.
  const asks = [name, label, ...(kind.kind === 'text' ? [description ?? ''] : [])];
  const facts: FieldFacts = {
    name,
    label: label === '' ? quoted(name) : label,
    ...(description !== undefined && { description }),
    isRequired,
    isSecret: isTyped && asks.some((text) => looksSecret(text)),
  };
  return withDefault({ ...facts, ...kind }, schema['default']);
}

function readKind(name: string, schema: JsonObject): FieldKind {
  const { type } = schema;
  if (type === 'boolean') return { kind: 'yes-no' };
  if (type === 'number' || type === 'integer')
    return { kind: 'number', isInteger: type === 'integer', ...numbersOf(schema, ['minimum', 'maximum']) };
  if (type === 'array') {
    const options = isJsonObject(schema['items']) ? optionsOf(schema['items'], 'anyOf') : undefined;
    if (options === undefined)
      throw new Unshowable(`its field ${quoted(name)} is a list of something other than choices`);
    return { kind: 'choices', options, ...numbersOf(schema, ['minItems', 'maxItems']) };
  }
  const options = optionsOf(schema, 'oneOf');
  if (options !== undefined && (type === 'string' || type === undefined)) return { kind: 'choice', options };
  if (type !== 'string') throw new Unshowable(`its field ${quoted(name)} is no plain value`);
  const { format } = schema;
  return {
    kind: 'text',
    ...(isFormat(format) && { format }),
    ...numbersOf(schema, ['minLength', 'maxLength']),
  };
}

/** Of `enum` with or without names, or of a list of constants with titles. Undefined when it is neither. */
function optionsOf(schema: JsonObject, list: 'oneOf' | 'anyOf'): readonly FieldOption[] | undefined {
  const { enum: values, enumNames } = schema;
  const titled = schema[list] ?? schema['oneOf'];
  let options: FieldOption[];
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    options = values.map((value: unknown, place) => optionOf(value, names[place]));
  } else if (Array.isArray(titled)) {
    options = titled.map((one: unknown) =>
      isJsonObject(one) ? optionOf(one['const'], one['title']) : optionOf(one, one),
    );
  } else return undefined;
  if (options.length === 0 || options.length > MOST_OPTIONS)
    throw new Unshowable(`a field has ${options.length} choices, not 1 to ${MOST_OPTIONS}`);
  return options;
}

function optionOf(value: unknown, title: unknown): FieldOption {
  if (typeof value !== 'string') throw new Unshowable('a field has a choice that is no text');
  return { value, label: shown(typeof title === 'string' && title !== '' ? title : value, LONGEST_LABEL) };
}

function withDefault(field: FormField, value: unknown): FormField {
  if (checkField(field, value) !== undefined) return field;
  if ((field.kind === 'text' || field.kind === 'choice') && typeof value === 'string')
    return { ...field, default: value };
  if (field.kind === 'number' && typeof value === 'number') return { ...field, default: value };
  if (field.kind === 'yes-no' && typeof value === 'boolean') return { ...field, default: value };
  if (field.kind === 'choices' && Array.isArray(value)) return { ...field, default: value.map(String) };
  return field;
}

function numbersOf<K extends string>(schema: JsonObject, names: readonly K[]): { [P in K]?: number } {
  const found: { [P in K]?: number } = {};
  for (const name of names) {
    const value = schema[name];
    if (typeof value === 'number' && Number.isFinite(value)) found[name] = value;
  }
  return found;
}

function isFormat(format: unknown): format is 'email' | 'uri' | 'date' | 'date-time' {
  return typeof format === 'string' && FORMATS.has(format);
}

function looksSecret(text: string): boolean {
  const words = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_\-.]/g, ' ');
  return /\b(?:pass ?(?:word|phrase|code)|passwd|pwd|secrets?|(?:access |auth |bearer )?tokens?|api ?keys?|private ?keys?|credentials?|pin|otp|cvv|cvc|card number|ssn)\b/i.test(
    words,
  );
}

function textOf(schema: JsonObject, name: string, limit: number): string | undefined {
  const text = schema[name];
  return typeof text === 'string' && text !== '' ? shown(text, limit) : undefined;
}

function shown(text: string, limit: number): string {
  return cutBytes(cleanText(text, { strict: true }).text.trim(), limit);
}

function quoted(name: string): string {
  return JSON.stringify(shown(name, 60));
}
