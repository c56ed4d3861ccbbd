import { count } from '../util/count.js';
import { isJsonObject } from './json-value.js';

const MAX_TEXT = 60;

/** What a value is, for a sentence: its type and its value, shortened. `null` stays `null`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `the string ${quote(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${count(value.length, 'item')}`;
  if (!isJsonObject(value)) return `a ${typeof value}`;
  const names = Object.keys(value);
  if (names.length === 0) return 'an empty object';
  const shown = names.slice(0, 4).map((name) => quote(name, 30));
  return `an object with ${shown.join(', ')}${names.length > shown.length ? `, … (${names.length} names)` : ''}`;
}

/** A value as short JSON, for lists of allowed values. Long ones lose their end. */
export function shortJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return shorten(JSON.stringify(value), MAX_TEXT);
}

/** A string in JSON quotes, cut to some characters; the full length is told when it was cut. */
export function quote(text: string, limit = MAX_TEXT): string {
  if (text.length <= limit) return JSON.stringify(text);
  return `${JSON.stringify(`${cut(text, limit)}…`)} (${text.length} characters)`;
}

export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit)}…`;
}

/** The first characters, never half of a surrogate pair. */
function cut(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
