import type { RunEffect } from '../effects/effect.js';
import { matchesPieces, VARIABLE, type CommandPattern, type PatternWord } from './command-pattern.js';
import { mayCarryCommand, programName, startsNoArgument } from './programs.js';
import { meansOption } from './same-options.js';
import { readingsOf, sameProgramsAs } from './unread-text.js';

/** The most words after a wrapper that are checked one by one: more of them count as a match. */
const MOST_WORDS = 2000;
const ANY: PatternWord = ['', ''];

/**
 * Compiles a pattern for deny and ask rules: `yes` if the command may be what the rule means, with any further words. The program counts by
 * its base name in any case. Wrappers, interpreters' arguments and git's global options are looked through. Options count in any place and
 * cluster; a `*` matches anything. A rule whose program has a `*` also matches the command as one text. A command that states all it starts
 * matches by its own words alone. `part`: the rule's program is among the words of a program whose use of them is unknown, because any
 * program may start another. A text without analysis matches if one of its readings has the command at any place, by any of its names; else
 * it is `part`.
 */
export function compileStrictCommand(pattern: CommandPattern): (run: RunEffect) => 'no' | 'part' | 'yes' {
  const readings = strictReadings(pattern);
  const matchers = readings.map(strictMatcher);
  const meets: Matcher = (line, at) => matchers.some((matches) => matches(line, at));
  const [program = ANY] = pattern.words;
  const wholes = program.length > 1 ? textsOf(pattern.words) : [];
  const names = readings.flatMap(([first = ANY]) =>
    first.every((piece) => piece === '') ? [] : [programMatcher(first)],
  );
  const isProgram = (word: string): boolean => names.some((isNamed) => isNamed(word));
  const meetsUnread = compileUnread(readings, meets);
  const judge = (run: RunEffect): 'no' | 'part' | 'yes' => {
    const { argv, command, isStated, readOnly, unread } = run;
    if (wholes.some((whole) => beginsWith(whole, fold(command)))) return 'yes';
    if (unread !== undefined) return meetsUnread(command) ? 'yes' : 'part';
    // Programs that it starts are effects of their own, without its variables, so its words are only arguments.
    if ((isStated === true || readOnly) && pattern.variables.length === 0)
      return meets(new Line(argv), 0) ? 'yes' : 'no';
    const lines = linesWithin(argv);
    if (lines === undefined) return 'yes';
    // The command itself; behind a wrapper, every word may start another command.
    if (lines.some((line) => line.words.some((_, at) => (at === 0 || lines.length > 1) && meets(line, at))))
      return 'yes';
    return !startsNoArgument(argv) && namesProgram(argv.slice(1), isProgram) ? 'part' : 'no';
  };
  if (pattern.variables.length === 0) return judge;
  return (run) => (pattern.variables.every((variable) => mayHaveVariable(variable, run)) ? judge(run) : 'no');
}

/** Returns all readings of a rule's words, the program first in each. */
function strictReadings({ words, literalColon }: CommandPattern): readonly (readonly PatternWord[])[] {
  const [first = ANY, ...rest] = words;
  const written = [first, ...rest];
  const last = written.at(-1) ?? ANY;
  const readings: (readonly PatternWord[])[] = [written];
  // `npm run test:*` also means the names that start with `test:`.
  if (literalColon) readings.push([...written.slice(0, -1), [...last.slice(0, -1), `${last.at(-1) ?? ''}:`, '']]);
  // `rm -rf*` and `*rm -rf` also mean the words without the star.
  const closed = [...written.slice(0, -1), withoutStar(last, -1)];
  const [start = ANY, ...others] = closed;
  const bare = withoutStar(start, 0);
  const opened = isOption(bare) ? [ANY, bare, ...others] : [bare, ...others];
  if (closed.some((word, at) => word !== written[at]) || bare !== start) readings.push(opened);
  // `"rm -rf"`: the quotes hold several words.
  const [text = ''] = first;
  if (first.length === 1 && /\s/.test(text)) {
    const inner = text
      .trim()
      .split(/\s+/)
      .map((word) => [word]);
    readings.push([...inner, ...rest]);
  }
  return readings;
}

/** Returns the word without its star at that end, if anything remains of it. */
function withoutStar(word: PatternWord, end: 0 | -1): PatternWord {
  if (word.length < 2 || word.at(end) !== '' || word.every((piece) => piece === '')) return word;
  return end === 0 ? word.slice(1) : word.slice(0, -1);
}

/** Returns true if the command has the variable, or may have it: in front of it, or among its words (`env A=b x`). */
function mayHaveVariable(variable: PatternWord, { command, argv, unread }: RunEffect): boolean {
  if (unread !== undefined) return command.includes(variable[0] ?? '');
  const [name = ''] = VARIABLE.exec(variable[0] ?? '') ?? [];
  const [front = ''] = IN_FRONT.exec(command) ?? [];
  const inFront = Array.from(front.matchAll(ONE_IN_FRONT), ([word]) => word.trim().replaceAll(/["'\\]/g, ''));
  const isMeant = (word: string): boolean =>
    matchesPieces(variable, word) || (word.startsWith(name) && /[$`]/.test(word));
  return [...inFront, ...argv].some(isMeant);
}

const ONE_IN_FRONT = /[A-Za-z_]\w*\+?=(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])*\s+/g;
const IN_FRONT = new RegExp(`^\\s*(?:${ONE_IN_FRONT.source})*`);

/** Matches the program under all its names in shells that are not analysed. */
function compileUnread(readings: readonly (readonly PatternWord[])[], meets: Matcher): (command: string) => boolean {
  const aliases = readings.flatMap(([program = ANY, ...rest]) =>
    sameProgramsAs(programMatcher(program)).map((name) => strictMatcher([[name], ...rest])),
  );
  const isMet: Matcher = (line, at) => meets(line, at) || aliases.some((matches) => matches(line, at));
  return (command) =>
    readingsOf(command)?.some((words) => {
      const line = new Line(words);
      return words.some((_, at) => isMet(line, at));
    }) ?? true;
}

/**
 * Returns true if a word is the program or a text that contains it. A word also counts if it ends in the program after `=` or an option's
 * letter.
 */
function namesProgram(words: readonly string[], isProgram: (word: string) => boolean): boolean {
  return words.some((word) => {
    const pieces = word.split(/[\s;&|()<>{}`"'$=,:!]+/);
    const attached = /^-[A-Za-z]./.test(word) ? [word.slice(2), pieces[0]?.slice(2) ?? ''] : [];
    return [word, ...pieces, ...attached].some((piece) => piece !== '' && isProgram(piece));
  });
}

/** Returns the command; behind a wrapper also the words of its arguments that hold a command line. Undefined if too long. */
function linesWithin(argv: readonly string[]): readonly Line[] | undefined {
  if (!mayCarryCommand(argv)) return [new Line(argv)];
  const inner = argv.slice(1).filter((word) => /[\s;&|(]/.test(word));
  const lines = inner.map((text) => text.split(/[\s;&|()<>{}`"']+/).filter((word) => word !== ''));
  const count = lines.reduce((sum, words) => sum + words.length, argv.length);
  return count > MOST_WORDS ? undefined : [argv, [], ...lines].map((words) => new Line(words));
}

function programMatcher(program: PatternWord): (word: string) => boolean {
  const folded = program.map((piece) => piece.toLowerCase());
  const base = program.length === 1 ? programName(program[0] ?? '') : '';
  return (word) => {
    const name = programName(word);
    return (base !== '' && name === base) || matchesPieces(folded, name) || matchesPieces(folded, word.toLowerCase());
  };
}

/** Returns true if the rule means the command that begins at a word of the line; any further words may follow. */
type Matcher = (line: Line, at: number) => boolean;

/** The words, and their text from each of them on. Joined once, because a long line is searched from every word. */
class Line {
  readonly words: readonly string[];
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(words: readonly string[]) {
    this.words = words;
    const folded = words.map((word) => (/\s/.test(word) ? fold(word) : word));
    let next = 0;
    this.#starts = folded.map((word) => (next += word.length + 1) - word.length - 1);
    this.#text = folded.join(' ');
  }

  from(at: number): string {
    return this.#text.slice(this.#starts[at] ?? this.#text.length);
  }
}

function strictMatcher([program = ANY, ...rest]: readonly PatternWord[]): Matcher {
  const isProgram = programMatcher(program);
  const wholes = program.length > 1 ? textsOf([program, ...rest]) : [];
  const text = joinWords(rest);
  const options = rest.filter((word) => isOption(word));
  const operands = rest.filter((word) => !isOption(word));
  const startsOpen = program[0] === '';
  return (line, at) => {
    // A star at the start stands for all words before it.
    if (at > 0 && startsOpen && operands.length === 0) return false;
    const written = line.words[at] ?? '';
    const name = programName(written);
    const beginnings = at > 0 && startsOpen ? [] : name === written ? [''] : ['', name];
    const isWhole = wholes.some((whole) =>
      beginnings.some((named) => {
        const [first = ''] = whole;
        if (named === '') return beginsWith(whole, line.from(at));
        return (
          `${named} `.startsWith(first.slice(0, named.length + 1)) && beginsWith(whole, `${named} ${line.from(at + 1)}`)
        );
      }),
    );
    if (isWhole) return true;
    if (!isProgram(written)) return false;
    if (rest.length === 0 || beginsWith(text, line.from(at + 1))) return true;
    const front = name === 'git' ? gitOptionsIn(line.words, at + 1) : 0;
    const starts = front === 0 ? [at + 1] : [at + 1, at + 1 + front];
    return starts.some((start) => {
      if (start > at + 1 && beginsWith(text, line.from(start))) return true;
      if (!hasOperands(line.words, start, operands)) return false;
      const given = options.length === 0 ? [] : line.words.slice(start);
      return options.every((option) => hasOption(name, given, option));
    });
  };
}

/** Returns true if the operands come in their order, before all others except possible values of options. */
function hasOperands(words: readonly string[], start: number, operands: readonly PatternWord[]): boolean {
  let next = 0;
  let isBehindOption = false;
  for (let at = start; at < words.length; at += 1) {
    const [word = '', operand] = [words[at], operands[next]];
    if (operand === undefined) return true;
    if (word.startsWith('-')) isBehindOption = true;
    else if (matchesPieces(operand, word)) next += 1;
    else if (isBehindOption) isBehindOption = false;
    else return false;
  }
  return next === operands.length;
}

/** Returns true if the pieces match the whole text, or its beginning up to a further word. */
function beginsWith(pieces: PatternWord, text: string): boolean {
  if (!text.startsWith(pieces[0] ?? '')) return false;
  return matchesPieces(pieces, text.trimEnd()) || matchesPieces(joinPieces(pieces, [' ', '']), text);
}

function fold(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** Returns the words as one text, also with the program in lower case. */
function textsOf([program = ANY, ...rest]: readonly PatternWord[]): readonly PatternWord[] {
  return [program, program.map((piece) => piece.toLowerCase())].map((first) => joinWords([first, ...rest]));
}

function joinWords(words: readonly PatternWord[]): PatternWord {
  return words.flatMap((word, index) => (index === 0 ? [word] : [[' '], word])).reduce(joinPieces, ['']);
}

function joinPieces(left: PatternWord, right: PatternWord): string[] {
  return [...left.slice(0, -1), (left.at(-1) ?? '') + (right[0] ?? ''), ...right.slice(1)];
}

function isOption(word: PatternWord): boolean {
  return word[0]?.startsWith('-') === true;
}

/** Returns true if an option is given: `-rf` needs `r` and `f`, in any clusters and under any names. */
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

/** Counts the words from there on that are options of git itself. */
function gitOptionsIn(words: readonly string[], start: number): number {
  let at = start;
  for (let word = words[at]; word?.startsWith('-') === true; word = words[at]) {
    at += GIT_OPTIONS_WITH_VALUE.has(word) ? 2 : 1;
  }
  return at - start;
}
