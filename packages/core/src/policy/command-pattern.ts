import type { RunEffect } from '../effects/effect.js';
import { mayCarryCommand, programName, startsNoArgument } from './programs.js';
import { meansOption } from './same-options.js';
import { allowsWholeText, readingsOf, sameProgramsAs } from './unread-text.js';

/** One word of a rule's command: its literal pieces, with a wildcard between each two of them. */
type PatternWord = readonly string[];

/**
 * A command specifier, in words. `git status` is exactly those words; `git *` and `git:*` are `git` with
 * any further words or none; any other `*` stands for characters within one word.
 */
export interface CommandPattern {
  readonly words: readonly PatternWord[];
  readonly anyRest: boolean;
  /** Written with `:*`: deny and ask rules also read `npm run test:*` as the names that start with `test:`. */
  readonly literalColon: boolean;
  /** As it was written. */
  readonly text: string;
}

/** Reads the words of a specifier; quotes and backslashes make characters literal, as they do in a shell. */
export function parseCommandPattern(text: string): CommandPattern | { readonly problem: string } {
  const colon = text.endsWith(':*') && !text.endsWith('\\:*');
  const words = splitWords(colon ? `${text.slice(0, -2)} *` : text);
  if ('problem' in words) return words;
  const anyRest = words.length > 0 && isStar(words.at(-1) ?? []);
  const fixed = anyRest ? words.slice(0, -1) : words;
  if (fixed.length === 0) return { problem: 'names no program' };
  return { words: fixed, anyRest, literalColon: colon, text: text.trim() };
}

function isStar(word: PatternWord): boolean {
  return word.length > 1 && word.every((piece) => piece === '');
}

function splitWords(text: string): PatternWord[] | { readonly problem: string } {
  const words: PatternWord[] = [];
  // No pieces: between two words.
  let word: string[] = [];
  let quote = '';
  const add = (literal: string): void => {
    word = [...word.slice(0, -1), (word.at(-1) ?? '') + literal];
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\' && quote !== "'" && at + 1 < text.length) add(text.charAt((at += 1)));
    else if (quote !== '' && char !== quote) add(char);
    else if (quote !== '') quote = '';
    else if (char === '"' || char === "'") {
      quote = char;
      add('');
    } else if (char === ' ' || char === '\t') {
      if (word.length > 0) words.push(word);
      word = [];
    } else if (';&|<>`'.includes(char) || text.startsWith('$(', at)) {
      return { problem: `has "${char}" outside quotes, but a rule names one simple command; write one rule for each` };
    } else if (char === '*') word = [...(word.length > 0 ? word : ['']), ''];
    else add(char);
  }
  if (quote !== '') return { problem: `has a ${quote} that is never closed` };
  if (word.length > 0) words.push(word);
  return words;
}

/** Blank, hidden, or shell syntax: what a `*` inside a word of an allow rule never stands for. */
const NOT_PLAIN = /[\s\p{C};&|<>$`"'\\(){}[\]!#*?]/u;
const ASSIGNMENT = /^\s*[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/**
 * For allow rules: true only when every word of the command was named. A word is compared whole, so white
 * space or `;` inside one argument never ends a word. A `*` within a word matches plain characters only,
 * never an option where it opens the word, and no `/` in the program's name. Variables set in front of
 * the command change what runs, so a command that has any matches no allow rule unless they are known to keep rules.
 * A text that is not analysed matches as a whole or not at all.
 */
export function compileAllowCommand(pattern: CommandPattern): (run: RunEffect) => boolean {
  return ({ argv, command, unread, keepsRules }) => {
    if (unread !== undefined) return allowsWholeText(pattern, command);
    if (keepsRules !== true && ASSIGNMENT.test(command)) return false;
    if (argv.length < pattern.words.length || (!pattern.anyRest && argv.length > pattern.words.length)) return false;
    return pattern.words.every((word, index) => allowsWord(word, argv[index] ?? '', index === 0));
  };
}

export function allowsWord(word: PatternWord, text: string, isProgram: boolean): boolean {
  const [first = '', ...more] = word;
  if (more.length === 0) return text === first;
  if (!matchesPieces(word, text) || (first === '' && text.startsWith('-'))) return false;
  const literal = word.join('');
  // `*` stands for names below, never for the way up.
  if (/(?:^|\/)\.\.(?:\/|$)/.test(text) && !literal.includes('..')) return false;
  if (isProgram && text.includes('/') && !literal.includes('/')) return false;
  return Array.from(text).every((char) => !NOT_PLAIN.test(char) || literal.includes(char));
}

/** Whether the pieces follow each other in the text with anything between. Linear, so that no argument can stall it. */
function matchesPieces(pieces: PatternWord, text: string): boolean {
  const first = pieces[0] ?? '';
  if (pieces.length < 2) return text === first;
  const last = pieces.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = text.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return from <= text.length - last.length;
}

/** More words than this behind a wrapper are not looked through one by one: they count as met. */
const MOST_WORDS = 2000;

/**
 * For deny and ask rules: `yes` when the command may be what the rule means. The program counts by its
 * base name in any case; wrappers, interpreters' arguments and git's global options are looked through;
 * options count in any place and cluster; a `*` matches anything. A command that tells all it starts is met by its
 * own words alone. `part` when the rule's program stands among
 * the words of a program of which it is not known what it does with them: any program may start another. A text that is
 * not analysed is met when one of its readings has the command at any place, by any of its names; else it is `part`.
 */
export function compileStrictCommand(pattern: CommandPattern): (run: RunEffect) => 'no' | 'part' | 'yes' {
  const matchers = [strictMatcher(pattern)];
  if (pattern.literalColon) {
    const last = pattern.words.at(-1) ?? [''];
    const open = [...last.slice(0, -1), `${last.at(-1) ?? ''}:`, ''];
    const { text } = pattern;
    const words = [...pattern.words.slice(0, -1), open];
    matchers.push(strictMatcher({ words, anyRest: true, literalColon: false, text }));
  }
  const isProgram = programMatcher(pattern);
  const meetsUnread = compileUnread(pattern, matchers);
  return ({ argv, command, isStated, readOnly, unread }) => {
    if (unread !== undefined) return meetsUnread(command) ? 'yes' : 'part';
    // Whatever it starts is an effect of its own: its words are what it is given, and no more.
    if (isStated === true || readOnly) return matchers.some((matches) => matches(argv, 0)) ? 'yes' : 'no';
    const lines = linesWithin(argv);
    if (lines === undefined) return 'yes';
    const meets = lines.some((words) =>
      // The command itself, and behind a wrapper whatever may be the start of another.
      words.some((_, at) => (at === 0 || lines.length > 1) && matchers.some((matches) => matches(words, at))),
    );
    if (meets) return 'yes';
    return !startsNoArgument(argv) && namesProgram(argv.slice(1), isProgram) ? 'part' : 'no';
  };
}

/** The program counts under every name that it has in the shells that are not analysed. */
function compileUnread(
  pattern: CommandPattern,
  matchers: readonly ReturnType<typeof strictMatcher>[],
): (command: string) => boolean {
  const [, ...rest] = pattern.words;
  const aliases = sameProgramsAs(programMatcher(pattern)).map((name) =>
    strictMatcher({ ...pattern, words: [[name], ...rest] }),
  );
  const all = [...matchers, ...aliases];
  return (command) =>
    readingsOf(command)?.some((words) => words.some((_, at) => all.some((matches) => matches(words, at)))) ?? true;
}

/** Whether a word is the program, ends in it behind `=` or an option's letter, or is a text that has it among its words. */
function namesProgram(words: readonly string[], isProgram: (word: string) => boolean): boolean {
  return words.some((word) => {
    const pieces = word.split(/[\s;&|()<>{}`"'$=,:!]+/);
    const attached = /^-[A-Za-z]./.test(word) ? [word.slice(2), pieces[0]?.slice(2) ?? ''] : [];
    return [word, ...pieces, ...attached].some((piece) => piece !== '' && isProgram(piece));
  });
}

/** The command; behind a wrapper also the words of its arguments that hold a command line. Undefined when too long. */
function linesWithin(argv: readonly string[]): (readonly string[])[] | undefined {
  if (!mayCarryCommand(argv)) return [argv];
  const inner = argv.slice(1).filter((word) => /[\s;&|(]/.test(word));
  const lines = inner.map((text) => text.split(/[\s;&|()<>{}`"']+/).filter((word) => word !== ''));
  const count = lines.reduce((sum, words) => sum + words.length, argv.length);
  return count > MOST_WORDS ? undefined : [argv, [], ...lines];
}

function programMatcher({ words: [program = ['']] }: CommandPattern): (word: string) => boolean {
  const folded = program.map((piece) => piece.toLowerCase());
  const base = program.length === 1 ? programName(program[0] ?? '') : undefined;
  return (word) => {
    const name = programName(word);
    return name === base || matchesPieces(folded, name) || matchesPieces(folded, word.toLowerCase());
  };
}

function strictMatcher(pattern: CommandPattern): (words: readonly string[], at: number) => boolean {
  const rest = pattern.words.slice(1);
  const isProgram = programMatcher(pattern);
  const text = rest.flatMap((word, index) => (index === 0 ? [word] : [[' '], word])).reduce(joinPieces, ['']);
  const options = rest.filter((word) => isOption(word));
  const operands = rest.filter((word) => !isOption(word));
  return (words, at) => {
    if (!isProgram(words[at] ?? '')) return false;
    const all = words.slice(at + 1);
    const name = programName(words[at] ?? '');
    const readings = name === 'git' ? [all, withoutGitOptions(all)] : [all];
    return readings.some((given) => {
      const joined = given.join(' ').replaceAll(/\s+/g, ' ');
      if (matchesPieces(text, joined)) return true;
      if (pattern.anyRest && (rest.length === 0 || matchesPieces(joinPieces(text, [' ', '']), joined))) return true;
      if (!options.every((option) => hasOption(name, given, option))) return false;
      const others = given.filter((word) => !word.startsWith('-'));
      if (others.length < operands.length || (!pattern.anyRest && others.length > operands.length)) return false;
      if (options.length === 0 && !pattern.anyRest && given.length > others.length) return false;
      return operands.every((operand, index) => matchesPieces(operand, others[index] ?? ''));
    });
  };
}

function joinPieces(left: PatternWord, right: PatternWord): string[] {
  return [...left.slice(0, -1), (left.at(-1) ?? '') + (right[0] ?? ''), ...right.slice(1)];
}

function isOption(word: PatternWord): boolean {
  return word[0]?.startsWith('-') === true;
}

/** `-rf` is there when `r` and `f` are, in whatever clusters and under whatever names. */
function hasOption(program: string, given: readonly string[], option: PatternWord): boolean {
  if (given.some((word) => matchesPieces(option, word))) return true;
  const text = option.length === 1 ? (option[0] ?? '') : '';
  if (meansOption(program, given, text) === true) return true;
  if (!/^-[A-Za-z]{1,3}$/.test(text)) return false;
  const letters = given.filter((word) => /^-[A-Za-z]{1,6}$/.test(word)).join('');
  return text
    .slice(1)
    .split('')
    .every((letter) => letters.includes(letter));
}

const GIT_OPTIONS_WITH_VALUE = new Set(
  '-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source'.split(' '),
);

function withoutGitOptions(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let word = words[at]; word?.startsWith('-') === true; word = words[at]) {
    at += GIT_OPTIONS_WITH_VALUE.has(word) ? 2 : 1;
  }
  return words.slice(at);
}
