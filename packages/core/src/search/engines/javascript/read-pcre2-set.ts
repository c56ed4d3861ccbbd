import { takeCharacterEscape } from './character-escapes.js';
import { BLANK, PCRE2_WORD, takeClassEscape } from './pattern-classes.js';
import {
  complement,
  member,
  PatternProblem,
  take,
  takeCharacter,
  takeText,
  Unsupported,
  type PatternReader,
} from './pattern-reader.js';

/** With Unicode's properties; of the others PCRE2 has its own. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{N}',
  alpha: '\\p{L}',
  ascii: '\\0-\\x7f',
  blank: BLANK,
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  lower: '\\p{Ll}',
  space: '\\t-\\r\\x85\\p{Z}\\u180e',
  upper: '\\p{Lu}',
  word: PCRE2_WORD,
};

/** A set of PCRE2, which has no sets within sets; the opening bracket stands just before the reader's place. */
export function readPcre2Set(reader: PatternReader): string {
  const start = reader.at - 1;
  const isNegated = takeText(reader, '^');
  const { namesBreaks } = reader;
  let items = '';
  for (let isFirst = true; ; isFirst = false) {
    if (reader.at >= reader.pattern.length)
      throw new PatternProblem('missing terminating ] for character class', start);
    if (!isFirst && takeText(reader, ']')) break;
    items += readItem(reader);
  }
  // PCRE2 takes all but one character for no set.
  if (isNegated && /^\\(?:x..|u\{\w+\})$/.test(items)) reader.namesBreaks = namesBreaks;
  const set = `[${items}]`;
  return isNegated ? complement(set) : set;
}

function readItem(reader: PatternReader): string {
  const whole = takePosix(reader) ?? takeClassEscape(reader);
  if (whole !== undefined) return whole;
  const start = reader.at;
  const from = readMember(reader);
  if (!/^-[^\]]/.test(reader.pattern.slice(reader.at, reader.at + 2))) return member(from);
  reader.at++;
  const to = readMember(reader);
  if (to < from) throw new PatternProblem('range out of order in character class', start);
  return `${member(from)}-${member(to)}`;
}

function takePosix(reader: PatternReader): string | undefined {
  const start = reader.at;
  const match = take(reader, /\[([:.=])(\^?)([^\]\\]*?)\1\]/y);
  if (match === undefined) return undefined;
  const [whole, , caret, name = ''] = match;
  const set = POSIX[name];
  if (set === undefined && !/^(?:graph|print|punct|xdigit)$/.test(name))
    throw new PatternProblem('unknown POSIX class name', start);
  if (set === undefined) throw new Unsupported(whole, start);
  return caret === '^' ? complement(`[${set}]`) : `[${set}]`;
}

function readMember(reader: PatternReader): number {
  const code = readCode(reader);
  if (code === 10 || code === 13) reader.namesBreaks = true;
  return code;
}

function readCode(reader: PatternReader): number {
  const start = reader.at;
  if (takeText(reader, '\\b')) return 8;
  const code = takeCharacterEscape(reader);
  if (code !== undefined) return code;
  const octal = take(reader, /\\([1-7][0-7]{0,2})/y)?.[1];
  if (octal !== undefined) return Number.parseInt(octal, 8);
  if (reader.pattern[start] === '\\') throw new PatternProblem('escape sequence is invalid in character class', start);
  return takeCharacter(reader).codePointAt(0) ?? 0;
}
