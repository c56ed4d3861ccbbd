import { decodeEscaped } from '../../../files/escaped-bytes.js';
import { shownText } from '../../../util/shown-text.js';
import { PageLines, type PageLimits } from './page-lines.js';
import { toShownLine, type FileLines, type ShownLine } from '../../report/shown-line.js';

const LINE_FEED = 10;

export interface LinesLimits extends PageLimits {
  /** Matches of each file; a record beyond them is a line like any other. */
  readonly maxMatches: number;
  /** A match is an occurrence, not a line. */
  readonly multiline: boolean;
  /** For tests. */
  readonly maxRecordBytes?: number | undefined;
}

/** Bytes of a text from the first to behind the last. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/** Lines that match, and are too long to be held. */
export interface FarMatch {
  /** Where they begin, in bytes of the file. */
  readonly offset: number;
  /** In bytes behind that; where none is told, their beginning. */
  readonly occurrences: readonly Occurrence[];
}

/** One or more whole lines. */
export interface WholeLines {
  readonly bytes: Buffer;
  /** Number of the first. */
  readonly line: number;
  /** Of the first, in bytes of the file. */
  readonly offset: number;
  /** Only when they match. */
  readonly occurrences?: readonly Occurrence[] | undefined;
}

/** The lines of one file, as far as they are kept. */
export class KeptLines {
  readonly #limits: LinesLimits;
  readonly #lines: PageLines;
  readonly #places: Occurrence[] = [];
  #isWhole = true;
  /** The last line of the last match. */
  #lastMatch = 0;
  #lastLine = 0;
  #isComplete = false;

  constructor(limits: LinesLimits) {
    this.#limits = limits;
    this.#lines = new PageLines(limits);
  }

  /** No line that comes now would be kept. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Undefined when some were too long to be held; then they are to be read where the matches are. */
  finish(): FileLines | undefined {
    return this.#isWhole ? this.#lines.finish(this.#places.length) : undefined;
  }

  /** The matches, in bytes of the file. */
  get places(): readonly Occurrence[] {
    return this.#places;
  }

  get wanted(): number {
    return this.#limits.maxMatches - this.#places.length;
  }

  add({ bytes, line: firstLine, offset, occurrences }: WholeLines): void {
    const taken = occurrences === undefined ? [] : this.#take(occurrences, offset, bytes);
    const known = this.#places.length - taken.length;
    let [next, begun] = [0, 0];
    let line = firstLine;
    for (let start = 0; start < bytes.length || line === firstLine; line++) {
      const newline = bytes.indexOf(LINE_FEED, start);
      const end = newline === -1 ? bytes.length : newline + 1;
      let first = taken[next];
      while (first !== undefined && isOver(first, start)) first = taken[++next];
      for (let other = taken[begun]; other && beginsBefore(end, other, bytes.length);) other = taken[++begun];
      const here = first !== undefined && beginsBefore(end, first, bytes.length) ? first : undefined;
      if (here !== undefined) this.#lastMatch = line;
      else if (first === undefined && this.#isPast(line)) return;
      if (this.#lines.isFull) {
        this.#isComplete = true;
        return;
      }
      const ofPage = taken[Math.max(next, this.#limits.skip - known)];
      const place = here && ofPage !== undefined && beginsBefore(end, ofPage, bytes.length) ? ofPage : here;
      const make = (): ShownLine =>
        shownLine(bytes.subarray(start, end), line, place && Math.max(0, place.start - start));
      this.#keep(line, make, known + begun);
      start = end;
    }
  }

  /** Lines that are too long to be held. */
  addFar(match: FarMatch | undefined): void {
    this.#isWhole = false;
    if (match !== undefined) this.#addPlaces(match.offset, match.occurrences);
    if (this.wanted <= 0) this.#isComplete = true;
  }

  /** The occurrences that are still wanted. */
  #take(occurrences: readonly Occurrence[], offset: number, bytes: Buffer): readonly Occurrence[] {
    if (occurrences.length > 0) return this.#addPlaces(offset, occurrences);
    // The record names no place of an empty match at the end of a text, nor of a carriage return that ends a line.
    const place = bytes.at(-1) === LINE_FEED ? 0 : bytes.length;
    return this.#addPlaces(offset, [{ start: place, end: place }]);
  }

  #addPlaces(offset: number, occurrences: readonly Occurrence[]): readonly Occurrence[] {
    if (this.wanted <= 0) return [];
    const taken = occurrences.slice(0, this.#limits.multiline ? this.wanted : 1);
    for (const { start, end } of taken) this.#places.push({ start: offset + start, end: offset + end });
    return taken;
  }

  /** All matches are there, and what belongs to the last one too. */
  #isPast(line: number): boolean {
    const isPast = this.wanted <= 0 && line > this.#lastMatch + this.#limits.after;
    if (isPast) this.#isComplete = true;
    return isPast;
  }

  #keep(line: number, make: () => ShownLine, begun: number): void {
    if (line <= this.#lastLine) return;
    this.#lastLine = line;
    this.#lines.add(make(), begun);
  }
}

/** Whether an occurrence ends before the line begins; an empty one in its first place does not. */
export function isOver({ start, end }: Occurrence, lineStart: number): boolean {
  return end <= lineStart && start < lineStart;
}

/** An empty one may stand behind the last character, where no other line begins. */
export function beginsBefore(lineEnd: number, { start, end }: Occurrence, size: number): boolean {
  return start < lineEnd || (start === end && lineEnd === size);
}

/** `matchAt`: bytes before the occurrence that is shown. */
export function shownLine(bytes: Buffer, line: number, matchAt: number | undefined): ShownLine {
  const text = shownText(decodeEscaped(bytes)).replace(/\r?\n$|\r$/, '');
  const whole = { line, text, start: 0, length: text.length };
  if (matchAt === undefined) return detached(toShownLine(whole));
  const place = Math.min(text.length, decodeEscaped(bytes.subarray(0, matchAt)).length);
  return detached(toShownLine({ ...whole, column: place + 1 }));
}

/** A part of a text keeps the whole of it in memory; a copy does not. */
function detached(shown: ShownLine): ShownLine {
  if (shown.cutBefore === 0 && shown.cutAfter === 0) return shown;
  return { ...shown, text: Buffer.from(shown.text, 'utf16le').toString('utf16le') };
}
