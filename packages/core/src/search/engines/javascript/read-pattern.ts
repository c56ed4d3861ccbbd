import { LINE_BREAK_REFUSED } from '../pattern-problem.js';
import { foldSet } from './fold-case.js';
import { takeCharacterEscape, takeClassEscape, wordSet } from './pattern-classes.js';
import {
  complement,
  PatternProblem,
  skipBlank,
  take,
  takeCharacter,
  takeText,
  type Flags,
  type PatternReader,
} from './pattern-reader.js';
import { member, readSet } from './read-set.js';

const LINE_ENDS = '[\\r\\n]';
const NO_LINE_END = complement(LINE_ENDS);
/** Not between the two halves of a line's end. */
const WHOLE_END = '(?<!\\r(?=\\n))';
const UNSUPPORTED = 'is not supported without ripgrep';

/** The whole pattern in JavaScript's notation, for the flags `gmv`. @throws PatternProblem */
export function readPattern(reader: PatternReader): string {
  const source = readAlternatives(reader);
  if (reader.at < reader.pattern.length) throw new PatternProblem('unopened group', reader.at);
  return source;
}

/** Up to the end of the group; flags that are set in it end with it. */
function readAlternatives(reader: PatternReader): string {
  const { flags } = reader;
  let source = '';
  for (;;) {
    skipBlank(reader);
    const next = reader.pattern[reader.at];
    if (next === undefined || next === ')') break;
    source += takeText(reader, '|') ? '|' : readRepeated(reader);
  }
  reader.flags = flags;
  return source;
}

function readRepeated(reader: PatternReader): string {
  const start = reader.at;
  const atom = readAtom(reader);
  if (atom === undefined) return '';
  let source = atom;
  for (let times = 0; ; times++) {
    skipBlank(reader);
    const quantifier = takeQuantifier(reader);
    if (quantifier === undefined) return source;
    if (times > 0 && quantifier === '+' && reader.looksAround)
      throw new PatternProblem(`a possessive quantifier ${UNSUPPORTED}`, start);
    source = `(?:${source})${quantifier}`;
  }
}

function takeQuantifier(reader: PatternReader): string | undefined {
  const start = reader.at;
  const match = take(reader, /([*+?]|\{\s*(\d*)\s*(?:(,)\s*(\d*)\s*)?\})/y);
  if (match === undefined) return undefined;
  const [, simple = '', least = '', comma, most = ''] = match;
  // A brace that opens no count stands for itself.
  if (simple.startsWith('{') && least === '' && most === '') {
    reader.at = start;
    return undefined;
  }
  if (most !== '' && Number(most) < Number(least))
    throw new PatternProblem('invalid repetition count range, the start must be <= the end', start);
  const isCounted = simple.startsWith('{');
  if (isCounted) skipBlank(reader);
  const count = isCounted ? `{${least === '' ? '0' : least}${comma ?? ''}${most}}` : simple;
  return takeText(reader, '?') === reader.flags.swapGreed ? count : `${count}?`;
}

/** One element; undefined for what only sets flags. */
function readAtom(reader: PatternReader): string | undefined {
  const start = reader.at;
  if (takeText(reader, '(')) return readGroup(reader);
  if (takeText(reader, '[')) return setHere(reader, readSet(reader));
  if (takeText(reader, '.')) return dot(reader);
  if (takeText(reader, '^')) return reader.flags.multiLine ? lineStart(reader) : textStart(reader);
  if (takeText(reader, '$')) return reader.flags.multiLine ? lineEnd(reader) : textEnd(reader);
  if (reader.pattern[start] === '\\') return readEscape(reader);
  if (/[*+?]/.test(reader.pattern.charAt(start)))
    throw new PatternProblem('repetition operator missing expression', start);
  return literal(reader, takeCharacter(reader).codePointAt(0) ?? 0, start);
}

function readGroup(reader: PatternReader): string | undefined {
  const open = reader.at - 1;
  const around = take(reader, /\?<?[=!]/y)?.[0];
  if (around !== undefined) {
    reader.looksAround = true;
    return `(${around}${readRest(reader, open)})`;
  }
  const named = take(reader, /\?P?<([^>]*)>/y)?.[1];
  if (named !== undefined) return readNamed(reader, named, open);
  const flags = take(reader, /\?([A-Za-z]*)(-[A-Za-z]*)?([:)])/y);
  if (flags !== undefined) return readFlagged(reader, flags, open);
  if (reader.pattern[reader.at] === '?') throw new PatternProblem(`this kind of group ${UNSUPPORTED}`, open);
  reader.groups++;
  return readCapture(reader, open);
}

function readCapture(reader: PatternReader, open: number): string {
  return `${reader.dialect.numbered ? '(' : '(?:'}${readRest(reader, open)})`;
}

function readNamed(reader: PatternReader, name: string, open: number): string {
  if (!/^[\p{Alphabetic}_][\p{Alphabetic}\p{N}_.[\]]*$/u.test(name))
    throw new PatternProblem('invalid capture group name', open);
  if (reader.names.has(name)) throw new PatternProblem('duplicate capture group name', open);
  reader.names.set(name, ++reader.groups);
  return readCapture(reader, open);
}

function readFlagged(reader: PatternReader, match: RegExpExecArray, open: number): string | undefined {
  const [, on = '', off = '', end] = match;
  const outer = reader.flags;
  if (on === '' && off === '' && end === ')')
    throw new PatternProblem('repetition operator missing expression', open + 1);
  let flags = outer;
  for (const letter of on) flags = setFlag({ flags, letter, value: true, offset: open });
  for (const letter of off.slice(1)) flags = setFlag({ flags, letter, value: false, offset: open });
  reader.flags = flags;
  if (end === ')') return undefined;
  const source = `(?:${readRest(reader, open)})`;
  reader.flags = outer;
  return source;
}

interface FlagChange {
  readonly flags: Flags;
  readonly letter: string;
  readonly value: boolean;
  readonly offset: number;
}

const FLAGS: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoreCase',
  m: 'multiLine',
  s: 'dotAll',
  U: 'swapGreed',
  x: 'verbose',
};

function setFlag({ flags, letter, value, offset }: FlagChange): Flags {
  const name = FLAGS[letter];
  if (name !== undefined) return { ...flags, [name]: value };
  const isKnown = letter === 'u' || letter === 'R';
  if (isKnown && value) return flags;
  throw new PatternProblem(isKnown ? `(?-${letter}) ${UNSUPPORTED}` : `unrecognized flag: ${letter}`, offset);
}

function readRest(reader: PatternReader, open: number): string {
  const source = readAlternatives(reader);
  if (!takeText(reader, ')')) throw new PatternProblem('unclosed group', open);
  return source;
}

function readEscape(reader: PatternReader): string {
  const start = reader.at;
  const set = takeClassEscape(reader);
  if (set !== undefined) return setHere(reader, set);
  const code = takeCharacterEscape(reader);
  if (code !== undefined) return literal(reader, code, start);
  const border = take(reader, /\\(b\{(?:start|end)(?:-half)?\}|[bBAzZ<>])/y)?.[1];
  if (border !== undefined) return assertion(reader, border);
  const back = take(reader, /\\(?:([1-9]\d*)|k[<{']([^>}']+)[>}'])/y);
  if (back !== undefined) return backReference(reader, back, start);
  const next = reader.pattern.slice(start, start + 2);
  if (next === '\\') throw new PatternProblem('incomplete escape sequence', start);
  if (/[CEGKNQRXcgkloVv]/.test(next)) throw new PatternProblem(`${next} ${UNSUPPORTED}`, start);
  throw new PatternProblem('unrecognized escape sequence', start);
}

function assertion(reader: PatternReader, name: string): string {
  const word = `[${wordSet(reader.dialect)}]`;
  switch (name) {
    case 'b':
      return reader.dialect.plain ? '\\b' : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case 'B':
      return reader.dialect.plain ? '\\B' : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
    case '<':
    case 'b{start}':
      return `(?:(?<!${word})(?=${word}))`;
    case '>':
    case 'b{end}':
      return `(?:(?<=${word})(?!${word}))`;
    case 'b{start-half}':
      return `(?<!${word})`;
    case 'b{end-half}':
      return `(?!${word})`;
    case 'A':
      return textStart(reader);
    case 'Z':
      needLines(reader);
      return '(?=\\r?\\n?(?!\\p{Any}))';
    default:
      return textEnd(reader);
  }
}

function backReference(reader: PatternReader, match: RegExpExecArray, start: number): string {
  const [, digits, name = ''] = match;
  const number = digits === undefined ? reader.names.get(name) : Number(digits);
  if (number === undefined || number > reader.groups)
    throw new PatternProblem('reference to a group that does not exist before it', start);
  reader.refersBack = true;
  return `(?:\\${number})`;
}

function dot({ flags, dialect }: PatternReader): string {
  return flags.dotAll && dialect.unit !== 'text' ? '\\p{Any}' : NO_LINE_END;
}

function lineStart({ dialect }: PatternReader): string {
  return dialect.plain ? '^' : `(?:(?<!${NO_LINE_END})${WHOLE_END})`;
}

function lineEnd({ dialect }: PatternReader): string {
  return dialect.plain ? '$' : `(?:(?!${NO_LINE_END})${WHOLE_END})`;
}

/** Where lines are searched by themselves, a text is a line. */
function textStart(reader: PatternReader): string {
  needLines(reader);
  return '(?<!\\p{Any})';
}

function textEnd(reader: PatternReader): string {
  needLines(reader);
  return '(?!\\p{Any})';
}

function literal(reader: PatternReader, code: number, start: number): string {
  if (reader.dialect.unit !== 'span' && code === 10) throw new PatternProblem(LINE_BREAK_REFUSED, start);
  // A carriage return may stand within a line, but as a part of its end it is none of it.
  if (code === 13) needLines(reader);
  const source = escaped(code);
  const hasCase = /\p{Changes_When_Casemapped}/u.test(String.fromCodePoint(code));
  return hasCase && spellsCase(reader) ? foldSet(`[${source}]`) : source;
}

/** What is read here depends on where a line ends, so a text cannot be searched as a whole. */
function needLines(reader: PatternReader): void {
  if (reader.dialect.unit === 'text') reader.looksAround = true;
}

/** A set with the case that counts here. */
function setHere(reader: PatternReader, set: string): string {
  const whole = withoutLineEnds(reader, set);
  return spellsCase(reader) ? foldSet(whole) : whole;
}

/** Notes that case counts here, or does not; true where a set must spell out both cases. */
function spellsCase(reader: PatternReader): boolean {
  const { ignoreCase } = reader.flags;
  if (ignoreCase) reader.casedInsensitively = true;
  else reader.casedSensitively = true;
  return ignoreCase && reader.dialect.spellCase;
}

function escaped(code: number): string {
  const character = String.fromCodePoint(code);
  return /[\p{L}\p{N} _]/u.test(character) ? character : member(code);
}

/** In a text of many lines no set may match their ends. */
function withoutLineEnds({ dialect }: PatternReader, set: string): string {
  if (dialect.unit !== 'text') return set;
  let ends: RegExp;
  try {
    ends = new RegExp(`^${set}$`, 'v');
  } catch {
    return set;
  }
  return ends.test('\n') || ends.test('\r') ? `[${set}--${LINE_ENDS}]` : set;
}
