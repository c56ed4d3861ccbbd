import type { RunEffect } from '../effects/effect.js';
import { hasSubcommands } from './programs.js';
import { allowsWholeText } from './unread-text.js';

/** One word of a rule's command: its literal pieces, with a wildcard between each two of them. */
export type PatternWord = readonly string[];

/**
 * A command specifier, in words. In an allow rule `git status` is exactly those words; `git *` and `git:*` are `git` with any further words
 * or none. Any other `*` stands for characters within one word. Deny and ask rules match more widely: see `strict-command.ts`.
 */
export interface CommandPattern {
  /** `NAME=value` words in front of the program. */
  readonly variables: readonly PatternWord[];
  /** Empty if only variables are named. */
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
  const program = fixed.findIndex(([first = '']) => !VARIABLE.test(first));
  const start = program === -1 ? fixed.length : program;
  return {
    variables: fixed.slice(0, start),
    words: fixed.slice(start),
    anyRest,
    literalColon: colon,
    text: text.trim(),
  };
}

export const VARIABLE = /^[A-Za-z_]\w*\+?=/;

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
 * Compiles a pattern for allow rules: it matches only if every word of the command was named. A word is compared whole, so white space or
 * `;` inside one argument never ends a word. A `*` within a word matches plain characters only. It matches no option at the start of the
 * word, and no `/` in the program's name. Variables in front of the command change what runs. They must be known to keep rules, or stand in
 * the rule as written. A text without analysis matches as a whole or not at all.
 */
export function compileAllowCommand(pattern: CommandPattern): (run: RunEffect) => boolean {
  const { variables, words } = pattern;
  const anyRest = pattern.anyRest || isOpenSubcommand(pattern);
  const inFront = variables.map((word) => `${word.join('*')} `).join('');
  const isNamed = words.length > 0 && variables.every((word) => PLAIN_VARIABLE.test(word.join('*')));
  const all = { ...pattern, words: [...variables, ...words] };
  return ({ argv, command, unread, keepsRules }) => {
    if (unread !== undefined) return allowsWholeText(all, command);
    const text = command.trimStart();
    if (!isNamed || !text.startsWith(inFront)) return false;
    if (keepsRules !== true && ASSIGNMENT.test(text.slice(inFront.length))) return false;
    if (argv.length < words.length || (!anyRest && argv.length > words.length)) return false;
    return words.every((word, index) => allowsWord(word, argv[index] ?? '', index === 0));
  };
}

/** Matches a variable that shells take literally. */
const PLAIN_VARIABLE = /^[\w@%+=:,./-]+$/;

/** Returns true for `npm run*`: the star follows the subcommand, so further words are meant as well. */
function isOpenSubcommand({ words: [program = [''], subcommand = [], ...more] }: CommandPattern): boolean {
  const [name = '', rest] = subcommand;
  if (more.length > 0 || program.length > 1 || subcommand.length !== 2 || rest !== '') return false;
  return /^[A-Za-z](?:[\w-]*[A-Za-z0-9])?$/.test(name) && hasSubcommands(program[0] ?? '');
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
export function matchesPieces(pieces: PatternWord, text: string): boolean {
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
