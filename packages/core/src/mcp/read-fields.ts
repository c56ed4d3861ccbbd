import { Failure } from '../util/failure.js';
import { nearestName } from '../util/nearest-names.js';
import { commandWords } from './command-words.js';
import { expandVariables, type Variables } from './expand-variables.js';
import { isObject } from '../util/is-object.js';

export type RawServer = Readonly<Record<string, unknown>>;

/** What a server's definition says, field by field. Everything here throws a Failure whose message names the field. */
export interface Fields {
  /** The text with its variables replaced. */
  text(key: string): string | undefined;
  texts(key: string): string[] | undefined;
  /** A command without a shell: a text that is split as one would, or its words. What a variable holds is never split. */
  words(key: string): [string, ...string[]] | undefined;
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
    words: (key) => {
      const value = valueOf(key);
      if (value === undefined) return undefined;
      const words = commandWords(value);
      if (words === undefined)
        throw refuse(
          key,
          'a command, as a text or as a list of its words. No shell is between: put quotes around what is meant as it is, or name a script',
        );
      const [program, ...args] = words.map((word) => expand(key, word));
      if (program === undefined || program.trim() === '') throw refuse(key, 'a command that names a program');
      return [program, ...args];
    },
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

/** What of the keys is not known, a sentence each. @throws Failure for a slip in what would have `narrowed` something */
export function checkKeys(
  raw: RawServer,
  {
    known,
    prefix = '',
    narrowing = [],
  }: { readonly known: readonly string[]; readonly prefix?: string; readonly narrowing?: readonly string[] },
): string[] {
  const strange = Object.keys(raw).filter(
    (key) => !known.includes(key) && !key.startsWith('$') && !key.startsWith('_'),
  );
  return strange.map((key) => {
    const meant = nearestName(key, known);
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    const sentence = `${JSON.stringify(prefix + key)} means nothing here.${hint}`;
    if (meant !== undefined && narrowing.includes(meant)) throw refusal(sentence);
    return sentence;
  });
}

export function refusal(message: string): Failure {
  return new Failure('mcp_definition', message);
}

/** Numbers and truth values stand in files where only texts have a meaning. */
function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
