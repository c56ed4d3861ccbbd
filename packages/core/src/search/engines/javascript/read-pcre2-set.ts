import { takeCharacterEscape } from './character-escapes.js';
import { POSIX as ASCII, BLANK, PCRE2_WORD, takeClassEscape } from './pattern-classes.js';
import {
  complement,
  member,
  PatternProblem,
  take,
  takeCharacter,
  takeText,
  type PatternReader,
} from './pattern-reader.js';

const GRAPH = '[[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}]--[\\u061c\\u180e\\u2066-\\u2069]]';
/** With Unicode's properties. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{N}',
  alpha: '\\p{L}',
  ascii: '\\0-\\x7f',
  blank: BLANK,
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: GRAPH,
  lower: '\\p{Ll}',
  print: `${GRAPH}\\p{Zs}\\u180e`,
  punct: '\\p{P}$+<=>^`\\|~',
  space: '\\t-\\r\\x85\\p{Z}\\u180e',
  upper: '\\p{Lu}',
  word: PCRE2_WORD,
  xdigit: '0-9A-Fa-f\\uff10-\\uff19\\uff21-\\uff26\\uff41-\\uff46',
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
  const [, , caret, name = ''] = match;
  const isAscii = reader.flags.ascii.includes(name.endsWith('digit') ? 'T' : 'P');
  const set = (isAscii ? ASCII : POSIX)[name];
  if (set === undefined) throw new PatternProblem('unknown POSIX class name', start);
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
