import { does, unclear } from '../program-facts.js';
import { anythingAfter, inFolders, withVariable, type ShellState } from '../words/shell-state.js';
import { constantWord, exactText, mayBeOption, shownText, type ShellWord } from '../words/shell-word.js';
import { DECLARES, LEAVES_OPEN, LOCAL, UNSETS } from './builtins-of-variables.js';
import { SET, SHIFT, SHOPT } from './builtins-of-options.js';
import { PRINTF, TEST } from './builtins-that-test.js';
import { always, NEVER, type Outcome } from './outcome.js';
import { reachFrom } from './reach.js';
import type { Builtin, CommandPlace, ReadyCommand } from './walk-types.js';

const stays = (_: ReadyCommand, state: ShellState): Outcome => always(state);

function plain(): Builtin {
  return { facts: () => does(), run: stays };
}

/** Known to do nothing more while no word may be such an option. */
function unlessOption(dangerous: RegExp, reason: string): Builtin {
  const isDangerous = (word: ShellWord): boolean =>
    word.text === undefined ? mayBeOption(word) : dangerous.test(word.text);
  return { facts: (words) => (words.some(isDangerous) ? unclear(reason) : does()), run: stays };
}

function changer(name: string): Builtin {
  return { facts: () => unclear(`\`${name}\` can change what the shell does next`), run: anything };
}

/** Whatever is known of the shell does not hold any more. */
function anything(_: ReadyCommand, state: ShellState, { walk }: CommandPlace): Outcome {
  walk.move();
  return always(anythingAfter(state));
}

/** `-`: where the shell was before. */
function goesTo(command: ReadyCommand, state: ShellState, { walk }: CommandPlace): Outcome {
  walk.move();
  const words = command.words.filter(({ text }, at) => text !== '-L' && !(text === '--' && at === 0));
  const [to, ...more] = words;
  const { home } = walk.options;
  const target = to ?? (home === undefined ? undefined : constantWord(home));
  const before = withVariable(
    state,
    'OLDPWD',
    state.folders?.map((folder) => constantWord(folder)),
  );
  if (target?.text === '-' && more.length === 0) {
    const old = state.variables.get('OLDPWD')?.map(exactText);
    return {
      ok: inFolders(before, old?.every((folder) => folder !== undefined) === true ? old : undefined),
      failed: state,
    };
  }
  const isPlain = target !== undefined && more.length === 0 && !mayBeOption(target) && !target.splits;
  return { ok: inFolders(before, isPlain ? reachFrom(state.folders, target) : undefined), failed: state };
}

const cd: Builtin = { facts: () => does(), run: goesTo };

const pushd: Builtin = {
  facts: () => does(),
  run: (command, state, place) =>
    command.words.length === 1 && !/^[-+]/.test(shownText(command.words[0] ?? constantWord('')))
      ? goesTo(command, state, place)
      : goesAnywhere(command, state, place),
};

function goesAnywhere(_: ReadyCommand, state: ShellState, { walk }: CommandPlace): Outcome {
  walk.move();
  return { ok: inFolders(withVariable(state, 'OLDPWD', undefined), undefined), failed: state };
}

const popd: Builtin = { facts: () => does(), run: goesAnywhere };

const evaluates: Builtin = {
  facts: (words) =>
    words.every((word) => exactText(word) !== undefined) ? does() : unclear('`eval` of a text that is not certain'),
  run: (command, state, place) => {
    const texts = command.words.map(exactText);
    if (texts.includes(undefined)) return anything(command, state, place);
    const text = (texts[0] === '--' ? texts.slice(1) : texts).join(' ');
    const { at, walk } = place;
    return text.trim() === '' ? always(state) : walk.evaluate(text, state, { ...at, input: command.input });
  },
};

/** `exec program`: there is no way back. */
const execs: Builtin = {
  facts: ([first]) => (first !== undefined && mayBeOption(first) ? unclear('`exec` with options') : does()),
  run: (command, state, place) => {
    if (command.words.length === 0) {
      if (command.input !== place.at.input) place.walk.record.doubt('`exec` with an input for all that follows');
      return always(state);
    }
    place.walk.runProgram({ ...command, text: command.words.map(shownText).join(' ') }, state, place.at);
    return NEVER;
  },
};

/** `command`, `builtin`: the same command, but for functions of its name. */
const commands: Builtin = {
  facts: (words) => {
    const [first, second] = words;
    if (first === undefined || isAsking(first)) return does();
    if (mayBeOption(first) && first.text !== '--') return unclear('`command` with options');
    const name = first.text === '--' ? second?.text : first.text;
    // Their words are parted in some versions and not in others.
    return /^(?:export|declare|typeset|local|readonly)$/.test(name ?? '')
      ? unclear('`command` before the setting of variables')
      : does();
  },
  run: (command, state, place) => {
    const words = command.words[0]?.text === '--' ? command.words.slice(1) : command.words;
    const [first] = words;
    if (first === undefined || isAsking(first)) return always(state);
    return place.walk.runStarted({ ...command, words, text: words.map(shownText).join(' ') }, state, place.at);
  },
};

function isAsking({ text }: ShellWord): boolean {
  return text !== undefined && /^-[vV]+$/.test(text);
}

const traps: Builtin = {
  facts: ([first, ...signals]) => {
    if (first === undefined || first.text === '-' || first.text === '-l' || first.text === '-p') return does();
    if (exactText(first) === undefined) return unclear('`trap` with a text that is not certain');
    if (first.text === '') return does();
    // It may come between any two commands.
    return signals.every(({ text }) => text === 'EXIT' || text === '0') && !first.start.startsWith('-')
      ? does()
      : unclear('a `trap` that may run between commands');
  },
  run: (command, state, { walk, at }) => {
    const [first, ...signals] = command.words;
    const text = first === undefined ? '' : (exactText(first) ?? '');
    if (signals.length > 0 && text !== '-' && text !== '') walk.atEnd(text, at);
    return always(state);
  },
};

/** `break`, `continue`, `return`: what holds there holds behind the loop, before its next turn, behind the function. */
const breaks = (kind: 'breaks' | 'continues'): Builtin => ({
  facts: () => does(),
  run: ({ words }, state, { at }) => {
    const [word] = words;
    const count = word === undefined ? 1 : Number(/^\d{1,3}$/.exec(word.text ?? '')?.[0] ?? Number.NaN);
    // In old versions a function leaves the loop that it is called in.
    for (const loop of at.outerLoops) loop[kind].push(state);
    const index = Math.max(0, at.loops.length - count);
    const left = Number.isNaN(count) || count < 1 ? at.loops : at.loops.slice(index, index + 1);
    for (const loop of left) loop[kind].push(state);
    return at.loops.length > 0 && count >= 1 ? NEVER : always(state);
  },
});

const returns: Builtin = {
  facts: () => does(),
  run: (_, state, { at }) => {
    at.returns?.push(state);
    return at.returns === undefined ? always(state) : NEVER;
  },
};

const TABLE: readonly (readonly [names: string, builtin: Builtin])[] = [
  [': echo pwd dirs times type umask ulimit bg fg disown logout', plain()],
  ['jobs', unlessOption(/^-\w*x/, '`jobs` can start a program')],
  ['wait', unlessOption(/^-\w*p/, '`wait` sets a variable')],
  ['true', { facts: () => does(), run: (_, state) => ({ ok: state, failed: undefined }) }],
  ['false', { facts: () => does(), run: (_, state) => ({ ok: undefined, failed: state }) }],
  ['exit', { facts: () => does(), run: () => NEVER }],
  ['break', breaks('breaks')],
  ['continue', breaks('continues')],
  ['return', returns],
  ['shift', SHIFT],
  ['test [', TEST],
  ['printf', PRINTF],
  ['hash', unlessOption(/^-/, '`hash` can change what the shell does next')],
  ['cd', cd],
  ['pushd', pushd],
  ['popd', popd],
  ['export declare typeset', DECLARES],
  ['local', LOCAL],
  ['unset', UNSETS],
  ['read', LEAVES_OPEN.read],
  ['mapfile readarray', LEAVES_OPEN.mapfile],
  ['set', SET],
  ['shopt', SHOPT],
  ['eval', evaluates],
  ['exec', execs],
  ['command builtin', commands],
  ['trap', traps],
  ...'. source alias unalias enable let getopts bind complete compgen compopt fc history caller readonly suspend'
    .split(' ')
    .map((name): readonly [string, Builtin] => [name, changer(name)]),
];

export const BUILTINS: ReadonlyMap<string, Builtin> = new Map(
  TABLE.flatMap(([names, builtin]) => names.split(' ').map((name): [string, Builtin] => [name, builtin])),
);
