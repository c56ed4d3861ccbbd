/** A line longer than this is cut around its first match. */
export const MAX_LINE_LENGTH = 500;
/** Characters kept before the match when a line is cut. */
const LEAD = 150;

/** One line that matches. A line is one match, however often the pattern occurs in it. */
export interface TextMatch {
  /** From 1. */
  readonly line: number;
  /** Where the first occurrence begins: UTF-16 code units from 1, as editors count. */
  readonly column: number;
  /** The line without its end; at most `MAX_LINE_LENGTH` code units of it. */
  readonly text: string;
  /** Code units that were cut off before and after `text`. */
  readonly cutBefore: number;
  readonly cutAfter: number;
}

/** The matches of one file. */
export interface FileMatches {
  /** Relative to the searched folder, with `/`. */
  readonly relativePath: string;
  /** In the order of the file; the first of them when there are very many. */
  readonly matches: readonly TextMatch[];
  /** All of them. */
  readonly total: number;
}

/** A line, or the part of a very long one that surrounds its first match. */
export interface LinePart {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Where `text` begins in the line, and how long the whole line is, in code units. */
  readonly start: number;
  readonly length: number;
}

export function toTextMatch(line: number, column: number, fullText: string): TextMatch {
  return cutTextMatch({ line, column, text: fullText, start: 0, length: fullText.length });
}

/** Cuts a long line around its first match, never within a character. */
export function cutTextMatch({ line, column, text, start, length }: LinePart): TextMatch {
  if (length <= MAX_LINE_LENGTH) return { line, column, text, cutBefore: 0, cutAfter: 0 };
  let from = Math.max(0, Math.min(column - 1 - LEAD, length - MAX_LINE_LENGTH)) - start;
  let to = from + MAX_LINE_LENGTH;
  if (isLowSurrogate(text, from)) from++;
  if (isLowSurrogate(text, to)) to--;
  return { line, column, text: text.slice(from, to), cutBefore: start + from, cutAfter: length - start - to };
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
