/** A line longer than this is cut around its first match. */
export const MAX_LINE_LENGTH = 500;
/** Lines of a file that are kept for one page: twice as many as the longest answer holds, of which each has four bytes at least. */
export const MOST_LINES = 12_000;
/** Characters kept before the match when a line is cut. */
const LEAD = 150;

/** One line of a file: one that matches, or one that stands around it. */
export interface ShownLine {
  /** From 1. */
  readonly line: number;
  /** Set for a line that matches: where the first occurrence in it that is not skipped begins (or goes on, with `multiline`), in UTF-16 code units from 1. */
  readonly column?: number;
  /** The line without its end; at most `MAX_LINE_LENGTH` code units of it. */
  readonly text: string;
  /** Code units that were cut off before and after `text`. */
  readonly cutBefore: number;
  readonly cutAfter: number;
}

/** What is shown of one file: lines in their order, each once; a gap in their numbers is a gap in the file. */
export interface FileLines {
  readonly lines: readonly ShownLine[];
  /** Matches among `lines`, with those that were asked to be skipped. */
  readonly matches: number;
}

/** A line, or the part of a very long one that surrounds the place of interest. */
export interface LinePart {
  readonly line: number;
  readonly column?: number;
  readonly text: string;
  /** Where `text` begins in the line, and how long the whole line is, in code units. */
  readonly start: number;
  readonly length: number;
}

/** Cuts a long line around its first match (at its end where it has none), never within a character. */
export function toShownLine({ line, column, text, start, length }: LinePart): ShownLine {
  const place = column === undefined ? { line } : { line, column };
  if (length <= MAX_LINE_LENGTH) return { ...place, text, cutBefore: 0, cutAfter: 0 };
  let from = Math.max(0, Math.min((column ?? 1) - 1 - LEAD, length - MAX_LINE_LENGTH)) - start;
  let to = from + MAX_LINE_LENGTH;
  if (isLowSurrogate(text, from)) from++;
  if (isLowSurrogate(text, to)) to--;
  return { ...place, text: text.slice(from, to), cutBefore: start + from, cutAfter: length - start - to };
}

/** Whether a cut before that place would be within a character. */
export function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
