import { LINE_BREAK_REFUSED } from '../pattern-problem.js';
import { notation } from './backtracking/notation.js';
import { isByteEscape, takeCharacterEscape } from './character-escapes.js';
import { inSequence, NOTHING, places } from './extent.js';
import { foldAscii, foldSet, foldWithin } from './fold-case.js';
import { GRAPHEME_CLUSTER } from './grapheme-cluster.js';
import { takeClassEscape, wordSet } from './pattern-classes.js';
import {
  complement,
  isPcre2,
  leaveToMatcher,
  LeftToPcre2,
  member,
  PatternProblem,
  spellsCase,
  take,
  takeText,
  widen,
  type PatternReader,
} from './pattern-reader.js';
import { callGroup, groupNumber, namedGroup, takeReference } from './read-reference.js';

const LINE_FEED = '[\\n]';
const LINE_ENDS = '[\\r\\n]';
const ANY = '\\p{Any}';
const ANY_BYTE = '[\\0-\\xff]';
/** Not between the two halves of a line's end. */
const WHOLE_END = '(?<!\\r(?=\\n))';
const NEVER = '(?!)';
// Not `[^]`; see `complement`.
const TEXT_START = `(?<!${ANY})`;
const TEXT_END = `(?!${ANY})`;
const PCRE2_BREAK = '(?:\\r\\n|(?!\\r\\n)[\\n\\v\\f\\r\\x85\\u2028\\u2029])';

/** What a backslash begins. */
export function readEscape(reader: PatternReader): string {
  const start = reader.at;
  const set = takeClassEscape(reader);
  if (set !== undefined) return setHere(reader, set, start);
  const special = isPcre2(reader) ? readPcre2Escape(reader, start) : undefined;
  if (special !== undefined) return special;
  const code = takeCharacterEscape(reader);
  if (code !== undefined) return isByteEscape(reader, start, code) ? byte(reader, code) : literal(reader, code, start);
  const border = isPcre2(reader) ? take(reader, /\\([bBAzZ])/y)?.[1] : takeBorder(reader);
  if (border !== undefined) return assertion(reader, border);
  if (!isPcre2(reader) && take(reader, /\\[0-9]/y) !== undefined)
    throw new LeftToPcre2('backreferences are not supported', start);
  const next = reader.pattern.slice(start, start + 2);
  if (next === '\\') throw new PatternProblem('incomplete escape sequence', start);
  throw new PatternProblem(
    isPcre2(reader) ? 'unrecognized character follows \\' : 'unrecognized escape sequence',
    start,
  );
}

function takeBorder(reader: PatternReader): string | undefined {
  const start = reader.at;
  const border = take(reader, /\\([bBAz<>])/y)?.[1];
  if (border !== 'b' || reader.pattern[reader.at] !== '{') return border;
  const word = take(reader, /\{([A-Za-z-]*)\}/y)?.[1];
  if (word !== undefined && word !== '') {
    if (/^(?:start|end)(?:-half)?$/.test(word)) return `b{${word}}`;
    const choices = 'valid choices are: start, end, start-half or end-half';
    throw new PatternProblem(`unrecognized special word boundary assertion, ${choices}`, start + 3);
  }
  if (/^\{\s*\d/.test(reader.pattern.slice(reader.at))) return border;
  const reason = 'special word boundary assertion is either unclosed or contains an invalid character';
  throw new PatternProblem(reason, start + 2);
}

function readPcre2Escape(reader: PatternReader, start: number): string | undefined {
  if (takeText(reader, '\\X')) return graphemeCluster(reader);
  if (takeText(reader, '\\K')) return matchStart(reader, start);
  if (takeText(reader, '\\G')) return searchStart(reader);
  if (takeText(reader, '\\C')) return anyByte(reader);
  const [, name, number] = take(reader, /\\g(?:<|')(?:([A-Za-z_]\w*)|([+-]?\d+))[>']/y) ?? [];
  if (name !== undefined || number !== undefined) {
    leaveToMatcher(reader);
    const group = number === undefined ? namedGroup(reader, name) : groupNumber(reader, number);
    return callGroup(reader, group, start);
  }
  if (take(reader, /\\R/y) !== undefined) {
    widen(reader, 1, 2);
    reader.looksAround = true;
    if (reader.isBehind) leaveToMatcher(reader);
    return PCRE2_BREAK;
  }
  if (take(reader, /\\N(?!\{(?!\s*,?\s*\d))/y) !== undefined) {
    widen(reader, 1);
    return noLineEnd(reader);
  }
  return takeReference(reader, (digits) => takeOctal(reader, digits, start));
}

function graphemeCluster(reader: PatternReader): string {
  widen(reader, 1, Infinity);
  // Behind, where nothing without a greatest length may stand, it is refused as that.
  if (reader.dialect.plain || reader.isBehind) return ANY;
  return atomic(reader, GRAPHEME_CLUSTER);
}

/** Once matched it gives nothing back, as no look-ahead does. */
export function atomic(reader: PatternReader, source: string): string {
  if (reader.dialect.own) return notation.atomic(source);
  if (reader.isBehind) leaveToMatcher(reader);
  const name = `a${++reader.atoms}`;
  return `(?:(?=(?<${name}>${source}))\\k<${name}>)`;
}

/** A group with nothing in it, whose place is that of the match; see `JavaScriptPattern.flags`. */
function matchStart(reader: PatternReader, start: number): string {
  if (reader.isAround)
    throw new PatternProblem('\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)', start);
  reader.hasPlaces = true;
  reader.extent = inSequence(reader.extent, { ...NOTHING });
  reader.starts++;
  return reader.dialect.own ? notation.place('keep') : `(?<s${reader.starts}>)`;
}

/** Where the search began: of a line that is searched by itself its start. */
function searchStart(reader: PatternReader): string {
  leaveToMatcher(reader);
  passPlace(reader, 'start');
  reader.reachesFeeds = true;
  return notation.place('from');
}

/** In UTF-8; it may be a part of a character. */
function anyByte(reader: PatternReader): string {
  leaveToMatcher(reader);
  widen(reader, 1);
  [reader.isOfBytes, reader.isInterpreted, reader.reachesFeeds] = [true, true, true];
  return notation.place('byte');
}

/** More digits than one are an octal number where there are not so many groups in all. */
function takeOctal(reader: PatternReader, digits: string, start: number): string | undefined {
  const { found, known, pattern } = reader;
  const number = Number(digits);
  if (number <= (known ?? found).groups || number <= 9) return undefined;
  const isSure = known !== undefined || number > pattern.split('(').length;
  if (!isSure) leaveToMatcher(reader);
  reader.at = start;
  const octal = take(reader, /\\([1-7][0-7]{1,2})/y)?.[1];
  if (octal !== undefined) return literal(reader, Number.parseInt(octal, 8), start);
  reader.at = start + 1 + digits.length;
  return undefined;
}

function assertion(reader: PatternReader, name: string): string {
  const { dialect, flags } = reader;
  const word = `[${wordSet(reader)}]`;
  const isPlain = dialect.plain;
  if (/[bB<>]/.test(name)) passPlace(reader, name === 'b{start-half}' ? 'start' : 'other');
  // The flag `i` of JavaScript would make words of the Kelvin sign and the long s.
  if (!flags.unicode) reader.casedSensitively = true;
  // Between the bytes of a character, these match too.
  if (!flags.unicode && /B|half/.test(name)) {
    leaveToMatcher(reader);
    reader.isOfBytes = true;
  }
  const whole = /B|half/.test(name) ? wholePlace(reader, name) : '';
  switch (name) {
    case 'b':
      return isPlain ? '\\b' : `(?:${whole}(?:(?<=${word})(?!${word})|(?<!${word})(?=${word})))`;
    case 'B':
      return isPlain ? '\\B' : `(?:${whole}(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})))`;
    case '<':
    case 'b{start}':
      return `(?:(?<!${word})(?=${word}))`;
    case '>':
    case 'b{end}':
      return `(?:(?<=${word})(?!${word}))`;
    case 'b{start-half}':
      return `(?:${whole}(?<!${word}))`;
    case 'b{end-half}':
      return `(?:${whole}(?!${word}))`;
    case 'A':
      return textStart(reader);
    case 'Z':
      if (dialect.fed) return textEnd(reader);
      passPlace(reader, 'other');
      needLines(reader);
      return `(?=(?:\\r\\n?|\\n)?${endOf(reader)})`;
    default:
      return textEnd(reader);
  }
}

/** Beside a part of a character none of these is found, if Unicode's words are meant. */
function wholePlace({ dialect, flags }: PatternReader, name: string): string {
  if (!dialect.own) return dialect.cut && dialect.engine === 'default' && name !== 'b{end-half}' ? `(?<=${ANY})` : '';
  if (!flags.unicode) return '';
  if (dialect.engine === 'pcre2') return notation.place('whole');
  const before = `(?:${notation.place('start')}|(?<=${ANY}))`;
  const behind = `(?:${notation.place('end')}|(?=${ANY}))`;
  return (name === 'b{end-half}' ? '' : before) + (name === 'b{start-half}' ? '' : behind);
}

function byte(reader: PatternReader, code: number): string {
  widen(reader, 1);
  reader.isOfBytes = true;
  return notation.bytes + member(code);
}

export function dot(reader: PatternReader): string {
  widen(reader, 1);
  const { flags, dialect } = reader;
  if (!flags.unicode) return byteDot(reader);
  const isAny = flags.dotAll && (dialect.unit === 'span' || isPcre2(reader));
  if (isAny) reader.reachesFeeds = true;
  return isAny ? ANY : noLineEnd(reader);
}

function byteDot(reader: PatternReader): string {
  const { flags, dialect } = reader;
  leaveToMatcher(reader);
  reader.isOfBytes = true;
  const isAny = flags.dotAll && dialect.unit === 'span';
  if (isAny) [reader.reachesFeeds, reader.reachesReturns] = [true, true];
  const ends = isFedWithin(reader) ? LINE_FEED : LINE_ENDS;
  return notation.bytes + (isAny ? ANY_BYTE : `[${ANY_BYTE}--${ends}]`);
}

/** Whether lines end in a line feed alone here. */
function isFed({ dialect, flags }: PatternReader): boolean {
  return dialect.fed || !flags.crlf;
}

/** The same, for what `.` is: of a line that is searched by itself its end is no part. */
function isFedWithin(reader: PatternReader): boolean {
  return reader.dialect.unit === 'span' ? isFed(reader) : reader.dialect.fed;
}

/** What `.` is. */
function noLineEnd(reader: PatternReader, fed = isFedWithin(reader)): string {
  return complement(fed ? LINE_FEED : LINE_ENDS);
}

export function lineStart(reader: PatternReader): string {
  const { plain, cut, own } = reader.dialect;
  const fed = isFed(reader);
  if (!reader.flags.multiLine) return textStart(reader);
  passPlace(reader, 'line');
  reader.reachesFeeds = true;
  const start = cut ? NEVER : startOf(reader);
  const ends = fed ? LINE_FEED : LINE_ENDS;
  // Behind a line feed that ends all, no line begins.
  if (isPcre2(reader)) return `(?:${start}|${plain ? '^' : `(?<=${ends})`}(?=${ANY}))`;
  if (own) return `(?:${start}|(?<=${ends})${fed ? '' : WHOLE_END})`;
  if (cut) return `(?:(?<=${LINE_ENDS})${WHOLE_END})`;
  return plain ? '^' : `(?:(?<!${noLineEnd(reader, fed)})${fed ? '' : WHOLE_END})`;
}

export function lineEnd(reader: PatternReader): string {
  const { plain, own } = reader.dialect;
  const fed = isFed(reader);
  if (!reader.flags.multiLine) return isPcre2(reader) ? assertion(reader, 'Z') : textEnd(reader);
  passPlace(reader, 'other');
  reader.reachesFeeds = true;
  if (own) return `(?:${endOf(reader)}|(?=${fed ? LINE_FEED : LINE_ENDS})${fed || isPcre2(reader) ? '' : WHOLE_END})`;
  if (isPcre2(reader)) return `(?!${noLineEnd(reader)})`;
  return plain ? '$' : `(?:(?!${noLineEnd(reader, fed)})${fed ? '' : WHOLE_END})`;
}

/** Where lines are searched by themselves, a text is a line. */
function textStart(reader: PatternReader): string {
  passPlace(reader, 'start');
  needLines(reader);
  return reader.dialect.cut ? NEVER : startOf(reader);
}

function startOf({ dialect }: PatternReader): string {
  return dialect.own ? notation.place('start') : TEXT_START;
}

function endOf({ dialect }: PatternReader): string {
  return dialect.own ? notation.place('end') : TEXT_END;
}

function textEnd(reader: PatternReader): string {
  passPlace(reader, 'other');
  needLines(reader);
  return endOf(reader);
}

function passPlace(reader: PatternReader, kind: 'start' | 'line' | 'other'): void {
  reader.hasPlaces = true;
  reader.extent = inSequence(reader.extent, places(kind));
}

/** One character that stands for itself. */
export function literal(reader: PatternReader, code: number, start: number): string {
  widen(reader, 1);
  if (reader.dialect.unit !== 'span' && !isPcre2(reader) && (code === 10 || (code === 13 && !reader.dialect.fed)))
    throw new PatternProblem(LINE_BREAK_REFUSED, start);
  if (code === 10) reader.reachesFeeds = true;
  if (code === 13) reader.reachesReturns = true;
  if (code === 10 || code === 13) reader.namesBreaks = true;
  const source = escaped(code);
  const character = String.fromCodePoint(code);
  if (!/\p{Changes_When_Casemapped}/u.test(character)) return source;
  if (!reader.flags.unicode && reader.flags.ignoreCase)
    return code > 0x7f ? cased(reader, source) : cased(reader, foldAscii(`[${source}]`));
  return spellsCase(reader) ? foldHere(reader, `[${source}]`) : source;
}

/** What is read here depends on where a line ends, so a text cannot be searched as a whole. */
function needLines(reader: PatternReader): void {
  reader.reachesFeeds = true;
  if (reader.dialect.unit === 'text') reader.looksAround = true;
}

/** A set with the case that counts here. */
export function setHere(reader: PatternReader, set: string, start: number): string {
  widen(reader, 1);
  const whole = withoutLineEnds(reader, set, start);
  const bytes = reader.dialect.own && !reader.flags.unicode ? notation.bytes : '';
  if (!reader.flags.unicode && reader.flags.ignoreCase) return cased(reader, bytes + foldAscii(whole));
  if (bytes !== '') return bytes + whole;
  return spellsCase(reader) ? foldHere(reader, whole) : whole;
}

function foldHere({ flags }: PatternReader, set: string): string {
  return flags.restrictCase ? foldWithin(set) : foldSet(set);
}

/** What spells its cases itself. */
function cased(reader: PatternReader, source: string): string {
  reader.casedSensitively = true;
  return source;
}

function escaped(code: number): string {
  const character = String.fromCodePoint(code);
  return /[\p{L}\p{N} _]/u.test(character) ? character : member(code);
}

/** Where lines are searched, no set of the default engine may match their ends. */
function withoutLineEnds(reader: PatternReader, set: string, start: number): string {
  if (isPcre2(reader)) return set;
  let ends: RegExp;
  try {
    ends = new RegExp(`^${set}$`, 'v');
  } catch {
    return set;
  }
  if (ends.test('\n')) reader.reachesFeeds = true;
  if (ends.test('\r')) reader.reachesReturns = true;
  if (reader.dialect.unit === 'span') return set;
  if (reader.dialect.fed) return ends.test('\n') ? `[${set}--${LINE_FEED}]` : set;
  if (/^\[(?:\\x0[ad])+\]$/.test(set)) throw new PatternProblem(LINE_BREAK_REFUSED, start);
  return ends.test('\n') || ends.test('\r') ? `[${set}--${LINE_ENDS}]` : set;
}
