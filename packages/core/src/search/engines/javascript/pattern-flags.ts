import { isPcre2, leaveToMatcher, PatternProblem, takeText, type Flags, type PatternReader } from './pattern-reader.js';

const FLAGS: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoreCase',
  m: 'multiLine',
  s: 'dotAll',
  u: 'unicode',
  U: 'swapGreed',
  x: 'verbose',
  R: 'crlf',
  J: 'sameNames',
  n: 'namedOnly',
  r: 'restrictCase',
};

/** Reads `i-s:` or `i-s)` behind a question mark. `isGroup`: what they hold for follows, up to the end of the group. */
export function setFlags(reader: PatternReader, question: number): { flags: Flags; isGroup: boolean } {
  const { pattern } = reader;
  const [seen, start] = [new Set<string>(), reader.at];
  let { flags } = reader;
  if (isPcre2(reader) && takeText(reader, '^'))
    flags = { ...flags, ignoreCase: false, multiLine: false, dotAll: false, verbose: false, namedOnly: false };
  for (; !/[:)]/.test(pattern.charAt(reader.at)); reader.at++) {
    const letter = pattern.charAt(reader.at);
    // ripgrep itself ends the pattern with a bracket.
    if (letter === '') throw new PatternProblem('unclosed group', question - 1);
    if (seen.has(letter) && !isPcre2(reader))
      throw new PatternProblem(letter === '-' ? 'flag negation operator repeated' : 'duplicate flag', reader.at);
    if (letter === '-' && seen.has('-')) throw new PatternProblem('invalid hyphen in option setting', reader.at);
    if (letter === 'a' && isPcre2(reader)) flags = { ...flags, ascii: asciiFlags(reader, flags, !seen.has('-')) };
    else if (letter !== '-') flags = setFlag({ ...reader, flags }, letter, !seen.has('-'));
    seen.add(letter);
  }
  if (!isPcre2(reader) && pattern[reader.at - 1] === '-' && reader.at > start)
    throw new PatternProblem('dangling flag negation operator', reader.at - 1);
  const isGroup = takeText(reader, ':');
  if (!isGroup) reader.at++;
  if (!isGroup && seen.size === 0 && !isPcre2(reader))
    throw new PatternProblem('repetition operator missing expression', question);
  return { flags, isGroup };
}

/** The reader at `a`, which it leaves behind it but for one letter; see `Flags.ascii`. */
function asciiFlags(reader: PatternReader, { ascii }: Flags, value: boolean): string {
  const letter = /[DSWPT]/.exec(reader.pattern.charAt(reader.at + 1))?.[0];
  if (letter !== undefined) reader.at++;
  const named = letter === 'P' ? 'PT' : (letter ?? 'DSWPT');
  const others = ascii.replace(new RegExp(`[${named}]`, 'g'), '');
  return value ? others + named : others;
}

function setFlag(reader: PatternReader, letter: string, value: boolean): Flags {
  const { flags, at } = reader;
  const name = FLAGS[letter];
  const isOther = isPcre2(reader) ? /[uR]/.test(letter) : /[Jnr]/.test(letter);
  if (name === undefined || isOther)
    throw new PatternProblem(isPcre2(reader) ? 'unrecognized character after (? or (?-' : 'unrecognized flag', at);
  if (name === 'restrictCase') leaveToMatcher(reader);
  return { ...flags, [name]: value };
}
