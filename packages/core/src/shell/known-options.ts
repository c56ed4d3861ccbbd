import { relative, resolve, isAbsolute } from 'node:path';

/**
 * The options of a program that are known to start no program and write no file that the line names. Everything
 * else is not known: an abbreviation, a letter of a later version, and what was left out on purpose.
 */
export interface KnownOptions {
  readonly letters: ReadonlySet<string>;
  /** Letters that take the rest of the word, or the next word, as their value. */
  readonly valueLetters: ReadonlySet<string>;
  /** Long names with their dashes. Whether one takes a value does not matter: a value is judged like any other word. */
  readonly names: ReadonlySet<string>;
}

/** Reads rows such as `-q -m= -# --quiet`: `-m=` takes a value, `-#` is any digit. */
export function knownOptions(...rows: readonly string[]): KnownOptions {
  const words = rows.flatMap((row) => row.split(' '));
  const letters = words.filter((word) => /^-[^-]$/.test(word)).map((word) => word.charAt(1));
  const valueLetters = words.filter((word) => /^-[^-]=$/.test(word)).map((word) => word.charAt(1));
  return {
    letters: new Set(letters.flatMap((letter) => (letter === '#' ? '0123456789'.split('') : [letter]))),
    valueLetters: new Set(valueLetters),
    names: new Set(words.filter((word) => word.startsWith('--'))),
  };
}

/**
 * The first word that is an option and not known. Words behind `--` count too, since `--` may itself be the
 * value of an option, and so do values that look like options.
 */
export function strangeOption(words: readonly string[], known: KnownOptions): string | undefined {
  return words.find((word) => word.startsWith('-') && word !== '-' && word !== '--' && !isKnown(word, known));
}

function isKnown(word: string, { letters, valueLetters, names }: KnownOptions): boolean {
  if (word.startsWith('--')) return names.has(word.split('=', 1)[0] ?? '');
  for (const letter of word.slice(1)) {
    if (valueLetters.has(letter)) return true;
    if (!letters.has(letter)) return false;
  }
  return true;
}

/** Flags that are often written right before `--`. */
const PLAIN_FLAG = /^(?:-[ilnpq]|--(?:cached|staged|stat|name-only|name-status|oneline|quiet))$/;

/** A word that opens with a wildcard: the shell may put a file's name there that reads as an option. */
export function wildcardInOptionPlace(words: readonly string[]): string | undefined {
  const end = words.findIndex((word, at) => {
    const before = words[at - 1] ?? '';
    return word === '--' && (!before.startsWith('-') || PLAIN_FLAG.test(before));
  });
  return words.slice(0, end === -1 ? words.length : end).find((word) => /^[*?[]/.test(word));
}

/** True when the path, as text, leads to `directory` or below it. Without a directory only relative paths can. */
export function staysBelow(path: string, directory: string | undefined): boolean {
  if (directory === undefined && isAbsolute(path)) return false;
  const base = directory ?? '/a';
  const way = relative(base, resolve(base, path));
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}
