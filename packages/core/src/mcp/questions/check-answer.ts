import { validateAgainst } from '../../schema/validate.js';
import type { FormField } from './form-field.js';

/** Why the value is no answer to the field, in words that go on behind its name; undefined when it is one. */
export function checkField(field: FormField, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
      return checkText(field, value);
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      if (field.isInteger && !Number.isInteger(value)) return 'must be a whole number';
      if (field.minimum !== undefined && value < field.minimum) return `must be at least ${field.minimum}`;
      if (field.maximum !== undefined && value > field.maximum) return `must be at most ${field.maximum}`;
      return undefined;
    }
    case 'yes-no':
      return typeof value === 'boolean' ? undefined : 'must be yes or no';
    case 'choice':
      return field.options.some((option) => option.value === value) ? undefined : 'must be one of the choices';
    case 'choices':
      return checkChoices(field, value);
    default:
      return field satisfies never;
  }
}

function checkText(field: FormField & { readonly kind: 'text' }, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  const { length } = Array.from(value);
  const { minLength, maxLength, format } = field;
  if (minLength !== undefined && length < minLength) return `must have at least ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `must have at most ${maxLength} characters`;
  if (format === undefined) return undefined;
  const schema = { type: 'object', properties: { it: { type: 'string', format } } };
  if (validateAgainst(schema, { it: value }) === null) return undefined;
  return {
    email: 'must be an email address',
    uri: 'must be an address with its scheme, such as https://example.com/',
    date: 'must be a date, such as 2026-11-22',
    'date-time': 'must be a date with time and zone, such as 2026-11-22T10:00:00Z',
  }[format];
}

function checkChoices(field: FormField & { readonly kind: 'choices' }, value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of choices';
  const known = new Set<unknown>(field.options.map((option) => option.value));
  if (!value.every((one) => known.has(one))) return 'must be of the choices';
  if (new Set(value).size < value.length) return 'must name each choice once';
  const { minItems, maxItems } = field;
  if (minItems !== undefined && value.length < minItems) return `must be at least ${minItems} of the choices`;
  if (maxItems !== undefined && value.length > maxItems) return `must be at most ${maxItems} of the choices`;
  return undefined;
}

/** What is wrong with a whole answer, a sentence each. Nothing that was not asked for may be in it. */
export function checkAnswer(fields: readonly FormField[], content: Readonly<Record<string, unknown>>): string[] {
  const asked = new Set(fields.map(({ name }) => name));
  const strange = Object.keys(content).filter((name) => !asked.has(name));
  const wrong = fields.flatMap((field) => {
    if (!Object.hasOwn(content, field.name)) return field.isRequired ? [`${field.label} is required.`] : [];
    const problem = checkField(field, content[field.name]);
    return problem === undefined ? [] : [`${field.label} ${problem}.`];
  });
  return [...strange.map((name) => `${JSON.stringify(name)} was not asked for.`), ...wrong];
}

export type ReadText = { readonly value: unknown } | { readonly problem: string };

/** What a person typed for a field. `value` undefined: nothing, where that is allowed. Nothing means the default, if there is one. */
export function readFieldText(field: FormField, typed: string): ReadText {
  const text = typed.trim();
  if (text === '') {
    if (field.default !== undefined) return { value: field.default };
    return field.isRequired ? { problem: 'is required' } : { value: undefined };
  }
  const value = valueOf(field, text);
  const problem = value === undefined ? notRead(field) : checkField(field, value);
  return problem === undefined ? { value } : { problem };
}

function valueOf(field: FormField, text: string): unknown {
  switch (field.kind) {
    case 'text':
      return text;
    case 'number':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
    case 'yes-no': {
      const word = text.toLowerCase();
      if (['y', 'yes', 'true'].includes(word)) return true;
      return ['n', 'no', 'false'].includes(word) ? false : undefined;
    }
    case 'choice':
      return chosen(field, text);
    case 'choices': {
      const words = text.split(',').map((word) => word.trim());
      const values = words.filter((word) => word !== '').map((word) => chosen(field, word));
      return values.includes(undefined) ? undefined : [...new Set(values)];
    }
    default:
      return field satisfies never;
  }
}

/** By its number, else as it is called: a choice that is called like a number is meant by that. */
function chosen({ options }: FormField & { readonly kind: 'choice' | 'choices' }, text: string): string | undefined {
  const word = text.toLowerCase();
  const named = options.find(({ value, label }) => value.toLowerCase() === word || label.toLowerCase() === word);
  const numbered = /^\d{1,3}$/.test(text) ? options[Number(text) - 1] : undefined;
  return (named ?? numbered)?.value;
}

function notRead({ kind }: FormField): string {
  if (kind === 'number') return 'must be a number';
  if (kind === 'yes-no') return 'must be yes or no';
  return 'must be of the choices, by number or name';
}
