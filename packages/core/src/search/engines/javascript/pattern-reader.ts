/** Why a pattern cannot be used, and at which code unit of it. */
export class PatternProblem extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** What holds at a place of the pattern: flags as `(?i)` sets them, for the group in which they stand. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
  readonly verbose: boolean;
}

/** How the pattern will be used; see `JavaScriptPattern`. */
export interface Dialect {
  readonly unit: 'text' | 'line' | 'span';
  /** Only for ASCII without carriage returns. */
  readonly plain: boolean;
  /** Case is ignored in parts of the pattern only: JavaScript has no flag for that, so sets spell it out. */
  readonly spellCase: boolean;
  /** There are back-references, so groups are numbered. */
  readonly numbered: boolean;
}

/** A pattern while it is read, and what was met in it. */
export interface PatternReader {
  readonly pattern: string;
  readonly dialect: Dialect;
  at: number;
  flags: Flags;
  /** Groups so far, and the numbers of those with names. */
  groups: number;
  readonly names: Map<string, number>;
  looksAround: boolean;
  refersBack: boolean;
  /** Something was read for which case counts, or does not. */
  casedSensitively: boolean;
  casedInsensitively: boolean;
}

export function newReader(pattern: string, ignoreCase: boolean, dialect: Dialect): PatternReader {
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
    },
    groups: 0,
    names: new Map(),
    looksAround: false,
    refersBack: false,
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
  if (reader.flags.verbose) take(reader, /(?:[\s\u0085\u200e\u200f]|#[^\n]*)*/y);
}

/**
 * All characters that are not in a set (given with its brackets). Not written as `[^…]`: with the flag `v`, V8 turns such a
 * set into its opposite where it is compiled twice, as in `(?:a[^b])+`.
 */
export function complement(set: string): string {
  return `[\\p{Any}--${set}]`;
}
