import { does, NOTHING_KNOWN, unclear } from '../program-facts.js';
import type { ShellState } from '../words/shell-state.js';
import type { ShellWord } from '../words/shell-word.js';
import { always } from './outcome.js';
import type { Builtin } from './walk-types.js';

const LETTERS = /^[-+][euxvCbm]*o?$/;
const NAMES = /^(?:errexit|nounset|xtrace|verbose|pipefail|noclobber)$/;

interface SetWords {
  /** Options that only make the shell stop earlier or tell more. */
  readonly areHarmless: boolean;
  /** The new positional parameters; undefined: they stay. */
  readonly args: readonly ShellWord[] | undefined;
}

function readSet(words: readonly ShellWord[]): SetWords {
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text;
    if (text === undefined) return { areHarmless: false, args: undefined };
    if (text === '--') return { areHarmless: true, args: words.slice(at + 1) };
    if (!/^[-+]/.test(text)) return { areHarmless: true, args: words.slice(at) };
    if (text === '-' || text === '+' || !LETTERS.test(text)) return { areHarmless: false, args: undefined };
    if (!text.endsWith('o')) continue;
    at += 1;
    const name = words[at];
    if (name !== undefined && !NAMES.test(name.text ?? '')) return { areHarmless: false, args: undefined };
  }
  return { areHarmless: true, args: undefined };
}

function withArgs(state: ShellState, args: readonly ShellWord[] | undefined): ShellState {
  return { ...state, args };
}

/** `set` without words prints all variables, so it asks like `env`. */
export const SET: Builtin = {
  facts: (words) => {
    if (words.length === 0) return NOTHING_KNOWN;
    return readSet(words).areHarmless ? does() : unclear('`set` with options that change what is read');
  },
  run: ({ words }, state) => {
    const { areHarmless, args } = readSet(words);
    if (!areHarmless) return always(withArgs(state, undefined));
    return always(args === undefined ? state : withArgs(state, args));
  },
};

export const SHIFT: Builtin = {
  facts: () => does(),
  run: ({ words }, state) => {
    const [word, ...more] = words;
    const count = word === undefined ? 1 : Number(/^\d{1,3}$/.exec(word.text ?? '')?.[0] ?? Number.NaN);
    const { args } = state;
    const areOneEach = args?.every(({ splits, wildcardAt }) => !splits && wildcardAt === undefined) === true;
    if (args === undefined || !areOneEach || Number.isNaN(count) || more.length > 0)
      return always(withArgs(state, undefined));
    // With fewer there, none goes.
    return always(args.length < count ? state : withArgs(state, args.slice(count)));
  },
};

/** Without a match they leave out the word, or the command: nothing else is run then. */
const HARMLESS_SHOPT = /^(?:-[squp]+|nullglob|failglob)$/;

export const SHOPT: Builtin = {
  facts: (words) =>
    words.every(({ text }) => text !== undefined && HARMLESS_SHOPT.test(text)) &&
    !(words.length > 1 && words.some(({ text }) => text === 'failglob'))
      ? does()
      : unclear('`shopt` can change what the shell does next'),
  run: (_, state) => always(state),
};
