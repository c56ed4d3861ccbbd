import { does, unclear } from '../program-facts.js';
import { mayBeOption, type ShellWord } from '../words/shell-word.js';
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

export const TEST: Builtin = {
  facts: (words) => (mayTestVariable(words) ? unclear('a test of a variable by its name') : does()),
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
