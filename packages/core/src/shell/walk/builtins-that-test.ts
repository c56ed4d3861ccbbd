import { does, unclear, type PathUse } from '../program-facts.js';
import { exactText, mayBeOption, type ShellWord } from '../words/shell-word.js';
import { always } from './outcome.js';
import type { Builtin } from './walk-types.js';

const BETWEEN = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/;

/** `-v name[…]` evaluates the subscript, even out of single quotes. */
function mayTestVariable(words: readonly ShellWord[]): boolean {
  return words.some((word, at) => {
    if (word.text !== undefined) return /^-[vR]$/.test(word.text);
    if (word.splits) return true;
    if (word.isNumber === true || !mayBeOption(word)) return false;
    const next = words[at + 1]?.text;
    const before = words[at - 1]?.text;
    // At the end, before `]`, or on one side of a comparison it is a text.
    const isLast = next === undefined ? at === words.length - 1 : next === ']';
    return !isLast && !BETWEEN.test(next ?? '') && !(before !== undefined && BETWEEN.test(before));
  });
}

const OF_FILE = /^-[bcdefghkprsuwxGLNOS]$/;
const OF_TWO_FILES = /^-(?:nt|ot|ef)$/;

/** Returns true if an operator of `test` and `[[` reveals something about a file, such as whether it exists. */
export function testsFiles(operator: string): boolean {
  return OF_FILE.test(operator) || OF_TWO_FILES.test(operator);
}

/** Returns the file that is tested; undefined if no part of its path is certain. */
export function testedFile(word: ShellWord | undefined): PathUse | undefined {
  if (word === undefined || (exactText(word) === undefined && !word.start.startsWith('/'))) return undefined;
  return { kind: 'read', word };
}

export function testedFiles(words: readonly ShellWord[]): PathUse[] {
  return words.flatMap(({ text }, at) => {
    if (text === undefined || !testsFiles(text)) return [];
    const tested = [...(OF_TWO_FILES.test(text) ? [words[at - 1]] : []), words[at + 1]];
    return tested.flatMap((word) => (word?.text === ']' ? [] : (testedFile(word) ?? [])));
  });
}

export const TEST: Builtin = {
  facts: (words) =>
    mayTestVariable(words) ? unclear('a test of a variable by its name') : does({ paths: testedFiles(words) }),
  run: (_, state) => always(state),
};

/** `%n` puts a number into a variable. */
const COUNTS = /%[-+ #0'*\d.hjlLtz]*n/;

export const PRINTF: Builtin = {
  facts: (words) => {
    const [format] = words[0]?.text === '--' ? words.slice(1) : words;
    if (format === undefined) return does();
    const { text } = format;
    if (text === undefined || format.splits || format.wildcardAt !== undefined)
      return unclear('`printf` with a format that is not certain');
    if (text.startsWith('-v') && words[0]?.text !== '--') return unclear('`printf` into a variable');
    return COUNTS.test(text) ? unclear('`printf` that counts into a variable') : does();
  },
  run: (_, state) => always(state),
};
