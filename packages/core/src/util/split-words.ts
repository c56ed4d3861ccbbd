import { Failure } from './failure.js';

export interface SplitOptions {
  /** A backslash is a character like any other, as the paths of Windows need it. */
  readonly keepsBackslashes?: boolean;
}

/** What a shell would interpret outside of quotes, or might. */
const INTERPRETED = /[|&;<>()$`*?[{#~\n\r]/;
const INTERPRETED_IN_QUOTES = /[$`]/;
/** What a backslash inside double quotes takes its meaning from; before others it is itself. */
const ESCAPED_IN_QUOTES = '$`"\\';
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/**
 * The words of a command as a POSIX shell would split them (XCU 2.2, 2.6.5): blanks, quotes and backslashes. Nothing is
 * expanded or run; what a shell would do more with is refused, not guessed. Pure.
 * @throws Failure `invalid_command` that says what stands in the way and what to do
 */
export function splitWords(text: string, { keepsBackslashes = false }: SplitOptions = {}): [string, ...string[]] {
  if (text.includes('\0')) throw refused(text, 'it holds a NUL character');
  const words: string[] = [];
  let at = skipBlanks(text, 0, keepsBackslashes);
  let isFirstPlain = true;
  while (at < text.length) {
    const begin = at;
    const word = readWord(text, at, keepsBackslashes);
    if (words.length === 0) isFirstPlain = ASSIGNMENT.test(text.slice(begin));
    words.push(word.text);
    at = skipBlanks(text, word.end, keepsBackslashes);
  }
  const [program, ...args] = words;
  if (program === undefined || program === '') throw refused(text, 'it names no program');
  if (isFirstPlain) throw refused(text, 'it begins with a variable', 'Write `env NAME=value program`');
  return [program, ...args];
}

/** Words as a text that `splitWords` reads back as they were, with either option; as a shell does. */
export function joinWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** A word without its quotes, and where it ends. */
function readWord(
  text: string,
  from: number,
  keepsBackslashes: boolean,
): { readonly text: string; readonly end: number } {
  let word = '';
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === ' ' || character === '\t') break;
    if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) throw refused(text, 'a single quote is not closed');
      word += text.slice(at + 1, end);
      at = end + 1;
    } else if (character === '"') {
      const quoted = readQuoted(text, at + 1, keepsBackslashes);
      word += quoted.text;
      at = quoted.end;
    } else if (character === '\\' && !keepsBackslashes) {
      if (at + 1 === text.length) throw refused(text, 'it ends with a backslash');
      // Before a line end it joins two lines.
      if (text[at + 1] !== '\n') word += text[at + 1];
      at += 2;
    } else {
      if (INTERPRETED.test(character)) throw refused(text, `a shell would interpret ${nameOf(character)}`);
      word += character;
      at += 1;
    }
  }
  return { text: word, end: at };
}

/** What stands between double quotes, and where it goes on behind them. */
function readQuoted(
  text: string,
  from: number,
  keepsBackslashes: boolean,
): { readonly text: string; readonly end: number } {
  let quoted = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === '"') return { text: quoted, end: at + 1 };
    if (INTERPRETED_IN_QUOTES.test(character)) {
      throw refused(text, `a shell would interpret ${nameOf(character)} in double quotes`, 'Use single quotes');
    }
    const isEscape = character === '\\' && !keepsBackslashes && next !== '';
    if (isEscape && (next === '\n' || ESCAPED_IN_QUOTES.includes(next))) {
      if (next !== '\n') quoted += next;
      at += 1;
    } else quoted += character;
  }
  throw refused(text, 'a double quote is not closed');
}

/** Joined lines are no word of their own. */
function skipBlanks(text: string, from: number, keepsBackslashes: boolean): number {
  const blanks = keepsBackslashes ? /[ \t]*/y : /(?:[ \t]|\\\n)*/y;
  blanks.lastIndex = from;
  return from + (blanks.exec(text)?.[0].length ?? 0);
}

function nameOf(character: string): string {
  return character === '\n' || character === '\r' ? 'the line end' : `\`${character}\``;
}

const SHOWN = 200;

function refused(text: string, reason: string, advice = 'Put quotes around what is meant as it is'): Failure {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new Failure(
    'invalid_command',
    `The command is started without a shell, and ${reason}: ${shown}\n${advice}, or put it into a script and name the script.`,
  );
}
