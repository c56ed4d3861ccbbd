import type { Assignment, Command, CommandArgument, Redirection } from 'unbash';
import { unclear, type ProgramCall, type ProgramFacts, type StartedCommand } from '../program-facts.js';
import { expandValue, expandWord } from '../words/expand-word.js';
import { withNames } from '../words/match-names.js';
import { anythingAfter, eitherVariables, inFolders, withVariable, type ShellState } from '../words/shell-state.js';
import { constantWord, exactText, openWord, shownText, type ShellWord } from '../words/shell-word.js';
import { beginningOf, beginOf, listCommands } from './list-commands.js';
import { always, eitherOutcome, eitherWay, type Outcome } from './outcome.js';
import { reachFrom } from './reach.js';
import { runRedirections } from './redirections.js';
import { BUILTINS } from './shell-builtins.js';
import { doubtsOfScript } from './shell-dialects.js';
import { keepsRules, reasonOfVariable } from './variables.js';
import type { CommandPlace, ReadyCommand, Walk } from './walk-types.js';

/** Commands that start each other, one within the other. */
const MOST_STARTS = 16;

/** Ways that variables with several possible values may go together. */
const MOST_WAYS = 16;

export function runSimpleCommand(command: Command, state: ShellState, place: CommandPlace): Outcome {
  const ways = waysOf(command, state);
  let result: Outcome | undefined;
  for (const way of ways) {
    // The first was counted already.
    if (result !== undefined && !place.walk.take('commands')) break;
    const { ok, failed } = runOneWay(command, way, place);
    result = { ok: eitherWay(result?.ok, ok), failed: eitherWay(result?.failed, failed) };
  }
  return result ?? always(state);
}

/** One state for each choice of values of the variables that the command names. */
function waysOf(command: Command, state: ShellState): readonly ShellState[] {
  const text = textOf(command);
  let ways: ShellState[] = [state];
  for (const [name, values] of state.variables) {
    if (values === undefined || values.length < 2 || !text.includes(`$`) || !text.includes(name)) continue;
    const more = ways.flatMap((way) => values.map((value) => withVariable(way, name, [value])));
    ways = more.length <= MOST_WAYS ? more : ways.map((way) => withVariable(way, name, undefined));
  }
  return ways;
}

function runOneWay(command: Command, state: ShellState, place: CommandPlace): Outcome {
  const { walk, at } = place;
  const assignments = command.prefix.filter((each) => each.type === 'Assignment');
  const isWritten = walk.take('words', 1 + command.prefix.length + command.args.length + command.redirects.length);
  const expanded = wordsOf(isWritten ? command : beginOf(command), state, place);
  if (!isWritten || !walk.take('words', Math.max(0, expanded.length - command.args.length - 1))) {
    const facts = unclear('more words than can be followed');
    if (expanded.length > 0) write({ text: textOf(command), words: beginningOf(expanded) }, state, { walk, facts });
    listCommands([...command.prefix, ...command.args, ...command.redirects], walk.record);
    return always(anythingAfter(state));
  }
  const words = withoutOptions(expanded, state, place);
  const input = runRedirections(command.redirects, state, { walk, at });
  const opens = command.redirects.some(({ type }) => type === 'Redirect');
  const after = (outcome: Outcome): Outcome =>
    // Where a file cannot be opened, nothing runs.
    opens ? { ok: outcome.ok, failed: eitherWay(outcome.failed, state) } : outcome;
  if (words.length === 0) {
    if (assignments.length === 0 && command.redirects.length === 0) walk.record.doubt('a line without a program');
    return after(always(assignments.reduce((now, each) => assign(each, now, place), state)));
  }
  const given = assignments.reduce((now, each) => giveToProgram(each, words, now, place), state);
  const keeps = assignments.length > 0 && assignments.every((each) => keepsRulesFor(each, given));
  const ready = { text: textOf(command), words, input: input ?? at.input, ...(keeps && { keepsRules: true }) };
  const { ok, failed } = runWords(ready, given, place);
  if (given === state) return after({ ok, failed });
  // Afterwards they hold what they held before, unless the command changed them for good.
  const restored = (then: ShellState | undefined): ShellState | undefined =>
    then && { ...then, variables: eitherVariables(state, then) };
  return after({ ok: restored(ok), failed: restored(failed) });
}

function keepsRulesFor({ name, append, index }: Assignment, { variables }: ShellState): boolean {
  const [value, ...others] = variables.get(name) ?? [];
  const isWhole = append !== true && index === undefined && value !== undefined && others.length === 0;
  return isWhole && keepsRules(name, exactText(value));
}

/** `A=b command`: the shell while the command runs. */
function giveToProgram(
  each: Assignment,
  words: readonly ShellWord[],
  state: ShellState,
  place: CommandPlace,
): ShellState {
  // It parts the line that is read, and that is not certain anyway.
  if (each.name === 'IFS' && words[0]?.text === 'read' && each.value.type === 'Word') {
    expandValue(each.value, place.walk.place(state, place.at));
    return state;
  }
  const given = assign(each, state, place);
  const reason = reasonOfVariable(each.name, 'program');
  if (reason !== undefined) place.walk.record.doubt(reason);
  return given;
}

function wordsOf({ name, args }: Command, state: ShellState, { walk, at }: CommandPlace): ShellWord[] {
  const place = walk.place(state, at);
  const words: CommandArgument[] = name === undefined ? [] : [name, ...args];
  return words.flatMap((word) => {
    if (word.type === 'Word') return expandWord(word, place);
    if (word.index !== undefined) expandValue(word.index, place);
    if (word.value.type === 'ArrayValue') {
      for (const element of word.value.elements) expandWord(element, place);
      return [openWord(word.text)];
    }
    // `export A=b`: one word, whatever it holds.
    const value = expandValue(word.value, place);
    const front = word.text.slice(0, word.text.indexOf('=') + 1);
    if (value.text === undefined) return [openWord(word.text, { start: front + value.start })];
    return [constantWord(front + value.text, word.text)];
  });
}

/** Programs that start others by an option: no name that comes up between the decision and the run may be one. */
const STARTS_BY_OPTION: ReadonlySet<string> = new Set(
  'tar gtar bsdtar zip sort gsort rg ag find fd git rsync man less more split csplit sed awk'.split(' '),
);

/** Wildcards of which the names that are there make no options. */
function withoutOptions(words: readonly ShellWord[], state: ShellState, { walk }: CommandPlace): readonly ShellWord[] {
  const [program, ...others] = words;
  const name = program === undefined ? undefined : exactText(program);
  // What another program starts may be one of them.
  const isKept = words.some((word) => STARTS_BY_OPTION.has((exactText(word) ?? '').split('/').at(-1) ?? ''));
  if (program === undefined || name === undefined || isKept) return words;
  return [program, ...others.map((word) => withNames(word, state.folders, walk.options.list))];
}

/** The shell after an assignment. */
export function assign(
  { name, value, append, index }: Pick<Assignment, 'name' | 'value' | 'append' | 'index'>,
  state: ShellState,
  { walk, at }: CommandPlace,
): ShellState {
  const place = walk.place(state, at);
  const reason = reasonOfVariable(name, 'shell');
  if (reason !== undefined) walk.record.doubt(reason);
  if (index !== undefined && !/^\d+$/.test(index.text)) {
    walk.record.doubt(`the subscript of \`${name}\``);
    expandValue(index, place);
  }
  if (value.type === 'ArrayValue') {
    for (const element of value.elements) walk.record.wildcards(expandWord(element, place), state.folders);
    // A subscript there is arithmetic as well.
    if (value.elements.some(({ text }) => /^\[[^\]]*[^\]\d]/.test(text)))
      walk.record.doubt(`the subscripts of \`${name}\``);
    return withVariable(state, name, undefined);
  }
  const word = expandValue(value, place);
  const isPlain = append !== true && index === undefined && (word.text !== undefined || word.isNumber === true);
  return withVariable(state, name, isPlain ? [word] : undefined);
}

/** Runs words as a command: a function, a builtin that changes the shell, or a program. */
function runWords(command: ReadyCommand, state: ShellState, place: CommandPlace): Outcome {
  const { walk, at } = place;
  const [program, ...words] = command.words;
  const name = program === undefined ? undefined : exactText(program);
  if (program === undefined) return always(state);
  if (name === undefined || (program.splits && program.text === undefined)) {
    write(command, state, { walk, facts: unclear('a program whose name is not certain') });
    return always(state);
  }
  const called = walk.callFunction(name, { args: words, input: command.input }, { state, at });
  if (called === undefined) return runBuiltin(command, state, place);
  walk.record.wildcards(words, state.folders);
  return called.isCertain ? called.outcome : eitherOutcome(called.outcome, runBuiltin(command, state, place));
}

/** The same without functions. */
function runBuiltin(command: ReadyCommand, state: ShellState, place: CommandPlace): Outcome {
  const [program, ...words] = command.words;
  const name = program === undefined ? undefined : exactText(program);
  const builtin = name === undefined ? undefined : BUILTINS.get(name);
  if (builtin === undefined) return runProgram(command, state, place);
  write(command, state, { walk: place.walk, facts: builtin.facts(words, state) });
  return builtin.run({ ...command, words }, state, place);
}

/** A program of the system: neither function nor builtin. It changes nothing in the shell. */
export function runProgram(command: ReadyCommand, state: ShellState, place: CommandPlace): Outcome {
  const { walk } = place;
  const [program, ...words] = command.words;
  const name = program === undefined ? undefined : exactText(program);
  if (name === undefined) {
    write(command, state, { walk, facts: unclear('a program whose name is not certain') });
    return always(state);
  }
  const { input } = command;
  const call: ProgramCall = { name, words, input, folders: state.folders };
  const facts = walk.options.judge(call);
  write(command, state, { walk, facts });
  for (const started of facts.starts) runStarted(started, { command, name, state, place });
  return always(state);
}

function write(
  { text, words, keepsRules: keeps }: Omit<ReadyCommand, 'input'>,
  { folders }: ShellState,
  { walk, facts }: { walk: Walk; facts: ProgramFacts },
): void {
  walk.record.command({ text, words, folders, facts, ...(keeps === true && { keepsRules: keeps }) });
}

/** One deeper, for a command that another one starts; undefined where that is not followed any more. */
function startedIn({ walk, at }: CommandPlace): CommandPlace | undefined {
  if (at.calls < MOST_STARTS) return { walk, at: { ...at, calls: at.calls + 1 } };
  walk.record.doubt('commands that start each other');
  return undefined;
}

/** A builtin or a program that another command starts. */
export function runDeeper(command: ReadyCommand, state: ShellState, place: CommandPlace): Outcome {
  const deeper = startedIn(place);
  return deeper === undefined ? always(anythingAfter(state)) : runBuiltin(command, state, deeper);
}

interface Starter {
  readonly command: ReadyCommand;
  readonly name: string;
  readonly state: ShellState;
  readonly place: CommandPlace;
}

/** What a program starts runs beside the shell, and changes nothing in it: it knows no functions and no builtins. */
function runStarted(started: StartedCommand, { command, name, state, place }: Starter): void {
  const { walk, at } = place;
  if ('script' in started) {
    const isInput = typeof command.input === 'object' && command.input.text === started.script;
    for (const doubt of doubtsOfScript(started.script, { shell: name, isInput })) walk.record.doubt(doubt);
    walk.text(started.script, state, { ...at, input: isInput ? 'open' : command.input });
  } else if (started.words.length > 0 && walk.take('commands')) {
    const { folder, words, input = command.input } = started;
    const there =
      folder === undefined
        ? state
        : inFolders(state, folder === 'anywhere' ? undefined : reachFrom(state.folders, folder));
    const deeper = startedIn(place);
    if (deeper === undefined) return;
    runProgram({ text: words.map(shownText).join(' '), words, input }, there, deeper);
  }
}

/** As it was written, white space folded. */
function textOf({ prefix, name, suffix }: Command): string {
  const pieces: (CommandArgument | Redirection)[] = [...prefix, ...(name === undefined ? [] : [name]), ...suffix];
  return pieces.map(textOfPiece).join(' ');
}

function textOfPiece(piece: CommandArgument | Redirection): string {
  if (piece.type === 'Word' || piece.type === 'Assignment') return piece.text;
  const { descriptor } = piece;
  const left =
    descriptor === undefined
      ? ''
      : descriptor.type === 'FileDescriptor'
        ? String(descriptor.value)
        : `{${descriptor.name}}`;
  const right = piece.type === 'HereDoc' ? piece.delimiter?.text : piece.target?.text;
  return `${left}${piece.operator}${right ?? ''}`;
}
