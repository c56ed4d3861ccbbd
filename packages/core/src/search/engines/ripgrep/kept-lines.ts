import { decodeEscaped } from '../../../files/escaped-bytes.js';
import { shownText } from '../../../util/shown-text.js';
import { toShownLine, type FileLines, type ShownLine } from '../../report/shown-line.js';

const LINE_FEED = 10;

/** Lines kept of one file besides one for each match, however many a match spans. */
const MAX_FILE_LINES = 2_000;

export interface LinesLimits {
  /** Matches of each file; a record beyond them is a line like any other. */
  readonly maxMatches: number;
  /** Lines kept after the last of these. */
  readonly after: number;
  /** A match is an occurrence, not a line. */
  readonly multiline: boolean;
}

/** Bytes of a text from the first to behind the last. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/** The lines of one file, as far as they are kept. */
export class KeptLines {
  readonly #limits: LinesLimits;
  #lines: ShownLine[] = [];
  #matches = 0;
  /** The last line of the last match. */
  #lastMatch = 0;
  #lastLine = 0;
  #isComplete = false;

  constructor(limits: LinesLimits) {
    this.#limits = limits;
  }

  /** No line that comes now would be kept. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  finish(): FileLines {
    return { lines: this.#lines, matches: this.#matches };
  }

  /** One or more whole lines; `occurrences` only when they match. */
  add(bytes: Buffer, firstLine: number, occurrences: readonly Occurrence[] | undefined): void {
    const taken = occurrences === undefined ? [] : this.#take(occurrences, bytes);
    let next = 0;
    let line = firstLine;
    for (let start = 0; start < bytes.length || line === firstLine; line++) {
      const newline = bytes.indexOf(LINE_FEED, start);
      const end = newline === -1 ? bytes.length : newline + 1;
      let first = taken[next];
      while (first !== undefined && isOver(first, start)) first = taken[++next];
      const here = first !== undefined && beginsBefore(end, first, bytes.length) ? first : undefined;
      if (here !== undefined) this.#lastMatch = line;
      else if (this.#isPast(line)) return;
      this.#keep(line, () => shownLine(bytes.subarray(start, end), line, here && Math.max(0, here.start - start)));
      start = end;
    }
  }

  addLong(shown: ShownLine, isMatch: boolean): void {
    const { column, ...plain } = shown;
    const isTaken = isMatch && this.#matches < this.#limits.maxMatches;
    if (isTaken) {
      this.#matches++;
      this.#lastMatch = shown.line;
    } else if (this.#isPast(shown.line)) return;
    this.#keep(shown.line, () => (isTaken && column !== undefined ? { ...plain, column } : plain));
  }

  /** The occurrences that are still wanted. */
  #take(occurrences: readonly Occurrence[], bytes: Buffer): readonly Occurrence[] {
    const wanted = this.#limits.maxMatches - this.#matches;
    if (wanted <= 0) return [];
    // The record names no place of an empty match at the end of a text, nor of a carriage return that ends a line.
    const place = bytes.at(-1) === LINE_FEED ? 0 : bytes.length;
    const all = occurrences.length > 0 ? occurrences : [{ start: place, end: place }];
    const taken = all.slice(0, this.#limits.multiline ? wanted : 1);
    this.#matches += taken.length;
    return taken;
  }

  /** All matches are there, and what belongs to the last one too. */
  #isPast(line: number): boolean {
    const isPast = this.#matches >= this.#limits.maxMatches && line > this.#lastMatch + this.#limits.after;
    if (isPast) this.#isComplete = true;
    return isPast;
  }

  #keep(line: number, make: () => ShownLine): void {
    if (line <= this.#lastLine) return;
    if (this.#lines.length >= MAX_FILE_LINES + this.#limits.maxMatches) {
      this.#isComplete = true;
      return;
    }
    this.#lastLine = line;
    this.#lines.push(make());
  }
}

/** Whether an occurrence ends before the line begins; an empty one in its first place does not. */
function isOver({ start, end }: Occurrence, lineStart: number): boolean {
  return end <= lineStart && start < lineStart;
}

/** An empty one may stand behind the last character, where no other line begins. */
function beginsBefore(lineEnd: number, { start, end }: Occurrence, size: number): boolean {
  return start < lineEnd || (start === end && lineEnd === size);
}

/** `matchAt`: bytes before the first occurrence. */
function shownLine(bytes: Buffer, line: number, matchAt: number | undefined): ShownLine {
  const text = shownText(decodeEscaped(bytes)).replace(/\r?\n$|\r$/, '');
  const whole = { line, text, start: 0, length: text.length };
  if (matchAt === undefined) return detached(toShownLine(whole));
  return detached(toShownLine({ ...whole, column: decodeEscaped(bytes.subarray(0, matchAt)).length + 1 }));
}

/** A part of a text keeps the whole of it in memory; a copy does not. */
function detached(shown: ShownLine): ShownLine {
  if (shown.cutBefore === 0 && shown.cutAfter === 0) return shown;
  return { ...shown, text: Buffer.from(shown.text, 'utf16le').toString('utf16le') };
}
