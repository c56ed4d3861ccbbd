import { Failure } from '../util/failure.js';
import { expandVariables, type Variables } from './expand-variables.js';

export type RawServer = Readonly<Record<string, unknown>>;

/** What a server's definition says, field by field. Everything here throws a Failure whose message names the field. */
export interface Fields {
  /** The text with its variables replaced. */
  text(key: string): string | undefined;
  texts(key: string): string[] | undefined;
  /** As it is written, without replacing anything. */
  plainTexts(key: string): string[] | undefined;
  textMap(key: string): Record<string, string> | undefined;
  flag(key: string): boolean | undefined;
  /** Above 0. */
  milliseconds(key: string): number | undefined;
  wholeNumber(key: string, least: number, most: number): number | undefined;
  object(key: string): RawServer | undefined;
  /** The fields of an object in it; none where there is no such object. */
  within(key: string): Fields;
}

/** The longest that a timer can wait: about 24 days. */
const MAX_MS = 2_147_483_647;

export function fieldsOf(raw: RawServer, variables: Variables, prefix = ''): Fields {
  const name = (key: string): string => JSON.stringify(prefix + key);
  const refuse = (key: string, expected: string): Failure =>
    new Failure('mcp_definition', `${name(key)} must be ${expected}.`);
  const valueOf = (key: string): unknown => (Object.hasOwn(raw, key) ? (raw[key] ?? undefined) : undefined);
  const expand = (key: string, text: string): string => {
    try {
      return expandVariables(text, variables);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      throw new Failure(thrown.code, `In ${name(key)}: ${thrown.message}`, { cause: thrown });
    }
  };
  const plainTexts = (key: string): string[] | undefined => {
    const value = valueOf(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every(isScalar)) throw refuse(key, 'a list of texts');
    return value.map(String);
  };
  const wholeNumber = (key: string, least: number, most: number): number | undefined => {
    const value = valueOf(key);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw refuse(key, `a whole number from ${least} to ${most}`);
  };
  const object = (key: string): RawServer | undefined => {
    const value = valueOf(key);
    if (value === undefined || isObject(value)) return value;
    throw refuse(key, 'an object');
  };
  return {
    text: (key) => {
      const value = valueOf(key);
      if (value === undefined) return undefined;
      if (typeof value !== 'string' || value.trim() === '') throw refuse(key, 'a text that is not empty');
      return expand(key, value);
    },
    plainTexts,
    texts: (key) => plainTexts(key)?.map((text) => expand(key, text)),
    textMap: (key) => {
      const value = valueOf(key);
      if (value === undefined) return undefined;
      if (!isObject(value)) throw refuse(key, 'an object of names and texts');
      const entries = Object.entries(value).map(([entry, text]): [string, string] => {
        if (!isScalar(text)) throw refuse(`${key}.${entry}`, 'a text');
        return [entry, expand(`${key}.${entry}`, String(text))];
      });
      return Object.fromEntries(entries);
    },
    flag: (key) => {
      const value = valueOf(key);
      if (value === undefined || typeof value === 'boolean') return value;
      throw refuse(key, 'true or false');
    },
    milliseconds: (key) => wholeNumber(key, 1, MAX_MS),
    wholeNumber,
    object,
    within: (key) => fieldsOf(object(key) ?? {}, variables, `${prefix}${key}.`),
  };
}

export function isObject(value: unknown): value is RawServer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Numbers and truth values stand in files where only texts have a meaning. */
function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
