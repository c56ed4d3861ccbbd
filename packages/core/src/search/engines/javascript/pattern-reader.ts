import { TOO_DEEP, WITHOUT_RIPGREP } from '../pattern-problem.js';
import { characters, inSequence, NOTHING, type Extent } from './extent.js';

/** Why a pattern cannot be used, and at which code unit of it. */
export class PatternProblem extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** The pattern may well be right, but there is no way to match the same without ripgrep. */
export class Unsupported extends PatternProblem {
  constructor(what: string, offset: number) {
    super(`${what}${WITHOUT_RIPGREP}`, offset);
  }
}

/** JavaScript's expressions cannot say it, but our own matcher can. */
export class LeftToMatcher extends Error {}

/** To be called where only that matcher knows what follows. @throws LeftToMatcher unless the pattern is read for it */
export function leaveToMatcher({ dialect }: PatternReader): void {
  if (!dialect.own) throw new LeftToMatcher('not for an expression of JavaScript');
}

/** ripgrep's default engine leaves it to PCRE2, so what that says of the pattern is what counts. */
export class LeftToPcre2 extends PatternProblem {}

/** What holds at a place of the pattern: flags as `(?i)` sets them, for the group in which they stand. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
  readonly verbose: boolean;
  readonly unicode: boolean;
  /** The default engine's: a carriage return before a line feed belongs to the line's end. */
  readonly crlf: boolean;
  /** PCRE2's: brackets without a name are no group to refer to. */
  readonly namedOnly: boolean;
  /** PCRE2's: several groups may have one name. */
  readonly sameNames: boolean;
  /** PCRE2's: what means ASCII alone. `D`: `\d`, `S`: `\s`, `W`: words, `P`: classes of POSIX, `T`: those of digits. */
  readonly ascii: string;
  /** PCRE2's: no letter of ASCII has another case beyond it. */
  readonly restrictCase: boolean;
}

/** How the pattern will be used; see `JavaScriptPattern`. */
export interface Dialect {
  /** Whose syntax it is: PCRE2 gets what ripgrep's default engine refuses. */
  readonly engine: 'default' | 'pcre2';
  readonly unit: 'text' | 'line' | 'span';
  /** Only for ASCII without carriage returns. */
  readonly plain: boolean;
  /** Lines end in a line feed alone, and a carriage return is a character like any other. */
  readonly fed: boolean;
  /** PCRE2's and the default engine's: what stands before the text cannot be seen, but it does not begin there. */
  readonly cut: boolean;
  /** Case is ignored in parts of the pattern only: JavaScript has no flag for that, so sets spell it out. */
  readonly spellCase: boolean;
  /** There are back-references, so that groups are named, `g1` and so on. */
  readonly named: boolean;
  /** For our own matcher, which knows more than JavaScript's expressions; see `notation`. Case is spelled out. */
  readonly own: boolean;
  /** Read only to know the groups of the pattern, of which not all is known yet. */
  readonly isDraft: boolean;
}

/** The groups of a pattern, known once it was read. */
export interface PatternGroups {
  groups: number;
  /** Some may have the same number. */
  sharesNumbers: boolean;
  /** The numbers of those that have the name. */
  readonly names: Map<string, number[]>;
  readonly extents: Map<number, Extent>;
  /** Those that are referred to or called within one. */
  readonly reaches: Map<number, Set<number>>;
}

/** A pattern while it is read, and what was met in it. */
export interface PatternReader {
  readonly pattern: string;
  readonly dialect: Dialect;
  at: number;
  flags: Flags;
  /** Groups so far. */
  readonly found: PatternGroups;
  /** All groups of the pattern, where it was read before. */
  readonly known: PatternGroups | undefined;
  /** Groups and sets that are open. */
  depth: number;
  /** What was read last: how much in it stands within each other, as ripgrep's default engine counts it. */
  height: number;
  /** Groups so far that give nothing back. */
  atoms: number;
  /** Closed groups that took part in every match that comes to this place. */
  certain: ReadonlySet<number>;
  /** Of what was read of the present branch, or of the element at its end. */
  extent: Extent;
  /** Of the alternatives that were read last: how many, and whether one of them may be shorter or longer. */
  branches: number;
  varies: boolean;
  /** Something was read that matches bytes which are no whole characters. */
  isOfBytes: boolean;
  /** PCRE2's: something was read that its compiler leaves to its interpreter. */
  isInterpreted: boolean;
  /** Within a look around that gives back. */
  givesBack: boolean;
  isBehind: boolean;
  /** PCRE2's: something was read that may be of any length, be it repeated never. */
  isUnlimited: boolean;
  /** Within what is not counted of a look-behind. */
  isLeftOut: boolean;
  /** PCRE2's: what follows in the branch is not counted in its length. */
  isCounted: boolean;
  /** Groups that are open. */
  readonly open: Set<number>;
  looksAround: boolean;
  /** Within what looks ahead or behind. */
  isAround: boolean;
  /** Places so far (`\K`) from which a match is told, if it passes them. */
  starts: number;
  needsGroups: boolean;
  /** Something was read that may match a line feed, or the place at either end of a text. */
  reachesFeeds: boolean;
  /** Something was read that may match a carriage return, for the default engine. */
  reachesReturns: boolean;
  /** Something was read that matches places, or looks around. */
  hasPlaces: boolean;
  /** PCRE2's: a line break was read that was named. */
  namesBreaks: boolean;
  /** Something was read for which case counts, or does not. */
  casedSensitively: boolean;
  casedInsensitively: boolean;
}

export function newReader(
  pattern: string,
  ignoreCase: boolean,
  dialect: Dialect,
  known?: PatternGroups,
): PatternReader {
  return {
    pattern,
    dialect,
    at: 0,
    flags: {
      ignoreCase,
      multiLine: true,
      dotAll: dialect.unit === 'span',
      swapGreed: false,
      verbose: false,
      unicode: true,
      crlf: true,
      namedOnly: false,
      sameNames: false,
      ascii: '',
      restrictCase: false,
    },
    found: { groups: 0, sharesNumbers: false, names: new Map(), extents: new Map(), reaches: new Map() },
    known,
    depth: 0,
    height: 0,
    atoms: 0,
    certain: new Set(),
    extent: NOTHING,
    branches: 0,
    varies: false,
    isOfBytes: false,
    isInterpreted: false,
    givesBack: false,
    isBehind: false,
    isUnlimited: false,
    isCounted: true,
    isLeftOut: false,
    open: new Set(),
    looksAround: false,
    isAround: false,
    starts: 0,
    needsGroups: false,
    reachesFeeds: false,
    reachesReturns: false,
    hasPlaces: false,
    namesBreaks: false,
    casedSensitively: false,
    casedInsensitively: false,
  };
}

/** The match of a sticky expression at the reader's place, which is taken. */
export function take(reader: PatternReader, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reader.at;
  const match = expression.exec(reader.pattern) ?? undefined;
  if (match !== undefined) reader.at += match[0].length;
  return match;
}

export function takeText(reader: PatternReader, text: string): boolean {
  if (!reader.pattern.startsWith(text, reader.at)) return false;
  reader.at += text.length;
  return true;
}

/** The next whole character, which is taken; empty at the end. */
export function takeCharacter(reader: PatternReader): string {
  const code = reader.pattern.codePointAt(reader.at);
  if (code === undefined) return '';
  const character = String.fromCodePoint(code);
  reader.at += character.length;
  return character;
}

/** White space and comments, where the flag `x` lets them mean nothing. */
export function skipBlank(reader: PatternReader): void {
  if (isPcre2(reader)) skipPcre2Blank(reader);
  else if (reader.flags.verbose) take(reader, /(?:[\s\u0085\u200e\u200f]|#[^\n]*)*/y);
}

/** Comments in brackets mean nothing to PCRE2 at all. */
function skipPcre2Blank(reader: PatternReader): void {
  const { verbose } = reader.flags;
  take(reader, verbose ? /(?:[\t-\r \u0085\u200e\u200f\u2028\u2029]|#[^\r\n]*|\(\?#[^)]*\))*/y : /(?:\(\?#[^)]*\))*/y);
}

/** The same pattern for PCRE2 with each quotation (`\Q…\E`) escaped character by character. */
export function withoutQuotations(pattern: string): string {
  return pattern.replace(/\\(?:Q((?:(?!\\E)[^])*)(?:\\E|$)|E|[^])/g, (whole, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted.replace(/[^0-9A-Za-z\u00a0-\ufff0]|[\u200e\u200f\u2028\u2029]/g, '\\$&');
    return whole === '\\E' ? '' : whole;
  });
}

export function isPcre2({ dialect }: PatternReader): boolean {
  return dialect.engine === 'pcre2';
}

/** What ripgrep's engines take, beneath the group in which ripgrep puts a pattern. */
const MAX_NESTED = 249;

/** Begins a group or a set, which `leave` ends. @throws PatternProblem */
export function enter(reader: PatternReader): void {
  if (++reader.depth > MAX_NESTED) throw new PatternProblem(TOO_DEEP, reader.at);
}

export function leave(reader: PatternReader): void {
  reader.depth--;
  setHeight(reader, reader.height + 1);
}

/** Of what was just read. PCRE2 counts groups alone. @throws PatternProblem */
export function setHeight(reader: PatternReader, height: number): void {
  reader.height = height;
  if (height > MAX_NESTED && !isPcre2(reader)) throw new PatternProblem(TOO_DEEP, reader.at);
}

/** Of several beside each other, the highest of which has that height. */
export function heightOf(parts: number, height: number): number {
  return height + (parts > 1 ? 1 : 0);
}

/** Notes that so many characters more are matched, or that their number is not known. */
export function widen(reader: PatternReader, least: number, most = least): void {
  reader.extent = inSequence(reader.extent, characters(least, most));
}

/**
 * All characters that are not in a set (given with its brackets). Not written as `[^…]`: with the flag `v`, V8 turns such a
 * set into its opposite where it is compiled twice, as in `(?:a[^b])+`.
 */
export function complement(set: string): string {
  return `[\\p{Any}--${set}]`;
}

/** Notes that case counts here, or does not; true where a set must spell out both cases. */
export function spellsCase(reader: PatternReader): boolean {
  const { ignoreCase } = reader.flags;
  if (ignoreCase) reader.casedInsensitively = true;
  else reader.casedSensitively = true;
  return ignoreCase && reader.dialect.spellCase;
}

/** A character by its number, so that it means nothing but itself, in a set or outside of one. */
export function member(code: number): string {
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
