import { does, NOTHING_KNOWN, unclear } from '../program-facts.js';
import { withVariable, type ShellState } from '../words/shell-state.js';
import { constantWord, type ShellWord } from '../words/shell-word.js';
import { always } from './outcome.js';
import type { Builtin } from './walk-types.js';
import { reasonOfVariable } from './variables.js';

const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/** `export`, `local` and the like. With `-p` or without a name they print variables, so they ask like `printenv`. */
export const DECLARES: Builtin = {
  facts: (words) => {
    for (const { text, start } of words) {
      const isOption = /^[-+]/.test(start);
      if (isOption && (text === undefined || !/^[-+][xp]+$/.test(text))) return unclear('a variable with properties');
      const name = start.split('=', 1)[0] ?? '';
      if (!isOption && (!PLAIN_NAME.test(name) || (text === undefined && !start.includes('='))))
        return unclear('a variable whose name is not certain');
      const reason = isOption ? undefined : reasonOfVariable(name, 'program');
      if (reason !== undefined) return unclear(reason);
    }
    const prints = words.every(({ start }) => /^[-+]/.test(start)) || words.some(({ start }) => /^-\w*p/.test(start));
    return prints ? NOTHING_KNOWN : does();
  },
  run: ({ words }, state) => always(words.reduce(declared, state)),
};

/** Outside of functions it sets nothing. */
export const LOCAL: Builtin = {
  facts: DECLARES.facts,
  run: (command, state, place) => {
    if (place.at.returns !== undefined) return DECLARES.run(command, state, place);
    const names = command.words
      .map(({ start }) => start.split('=', 1)[0] ?? '')
      .filter((name) => PLAIN_NAME.test(name));
    return always(names.reduce((now, name) => withVariable(now, name, undefined), state));
  },
};

function declared(state: ShellState, { text, start }: ShellWord): ShellState {
  const at = start.indexOf('=');
  if (start.startsWith('-') || start.startsWith('+')) return state;
  // A local one without a value hides the one outside.
  if (at === -1) return PLAIN_NAME.test(start) ? withVariable(state, start, undefined) : state;
  const value = text === undefined ? undefined : [constantWord(text.slice(at + 1))];
  return withVariable(state, start.slice(0, at), value);
}

/** `unset`, `read`: what the names hold then is not known. */
function leavesOpen(harmless: RegExp, sets: readonly string[]): Builtin {
  return {
    facts: (words) => {
      for (const { text } of words) {
        if (text === undefined) return unclear('a variable whose name is not certain');
        if (text.startsWith('-') ? !harmless.test(text) : /[[\]*?`$]/.test(text))
          return unclear('a variable with properties');
        const reason = PLAIN_NAME.test(text) ? reasonOfVariable(text, 'shell') : undefined;
        if (reason !== undefined) return unclear(reason);
      }
      return does();
    },
    run: ({ words }, state) => {
      const names = words.flatMap(({ text }) => (text !== undefined && PLAIN_NAME.test(text) ? [text] : []));
      return always([...names, ...sets].reduce((now, name) => withVariable(now, name, undefined), state));
    },
  };
}

export const LEAVES_OPEN = {
  read: leavesOpen(/^-(?:[rse]+|[rs]*[pdntNu].*|[rs]*a)$/, ['REPLY']),
  mapfile: leavesOpen(/^-(?:t|[dnOsu].*)$/, ['MAPFILE']),
} as const satisfies Record<string, Builtin>;

const forgets = leavesOpen(/^-v$/, []);

/** Without such a variable it is the function that goes. */
export const UNSETS: Builtin = {
  facts: forgets.facts,
  run: (command, state, place) => {
    for (const { text } of command.words) if (text !== undefined) place.walk.functions.forget(text);
    return forgets.run(command, state, place);
  },
};
