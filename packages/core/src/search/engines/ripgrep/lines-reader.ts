import { decodeEscaped } from '../../../files/escaped-bytes.js';
import { shownText } from '../../../util/shown-text.js';
import { toShownLine, type FileLines, type ShownLine } from '../../report/shown-line.js';
import { LongRecord, MAX_RECORD_BYTES } from './long-record.js';
import { fromArgument } from './ripgrep-arguments.js';

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

const LINE_FEED = 10;

/** In a record that ends a file; quotes within texts are escaped. */
const END = '{"type":"end"';

/** Text as ripgrep writes it: `bytes` is base64, for what is not UTF-8. */
interface RipgrepText {
  readonly text?: string;
  readonly bytes?: string;
}

interface Occurrence {
  readonly start: number;
  readonly end: number;
}

interface RipgrepRecord {
  readonly type: string;
  readonly data: {
    readonly path?: RipgrepText;
    readonly lines?: RipgrepText;
    readonly line_number?: number;
    readonly submatches?: readonly Occurrence[];
  };
}

/** Reads ripgrep's `--json` stream; memory is bounded whatever the length of a line. */
export class LinesReader {
  readonly #limits: LinesLimits;
  readonly #found: (relativePath: string, lines: FileLines) => void;
  #pieces: Buffer[] = [];
  #size = 0;
  #long: LongRecord | undefined;
  #file: KeptLines | undefined;
  #path = '';

  constructor(limits: LinesLimits, found: (relativePath: string, lines: FileLines) => void) {
    this.#limits = limits;
    this.#found = found;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#add(chunk.subarray(start, end));
      this.#endRecord();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  /** All that is wanted of the present file is there. */
  get isComplete(): boolean {
    return this.#file?.isComplete ?? false;
  }

  /** Tells the present file, of which no more will come. */
  finish(): void {
    const lines = this.#file?.finish();
    this.#file = undefined;
    if (lines !== undefined && lines.matches > 0) this.#found(this.#path, lines);
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#long !== undefined) return this.#long.add(piece);
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size <= MAX_RECORD_BYTES) return;
    this.#long = new LongRecord();
    for (const kept of this.#pieces) this.#long.add(kept);
    this.#pieces = [];
  }

  #endRecord(): void {
    const [long, pieces] = [this.#long, this.#pieces];
    this.#pieces = [];
    this.#size = 0;
    this.#long = undefined;
    if (long !== undefined) {
      const { isMatch, line } = long.finish();
      this.#file?.addLong(line, isMatch);
    } else if (pieces.length > 0 && (!this.isComplete || pieces[0]?.includes(END) === true)) {
      this.#read(JSON.parse(Buffer.concat(pieces).toString('utf8')) as RipgrepRecord);
    }
  }

  #read({ type, data }: RipgrepRecord): void {
    if (type === 'begin') {
      this.#file = new KeptLines(this.#limits);
      this.#path = fromArgument(decodeEscaped(bytesOf(data.path)));
    } else if (type === 'match' || type === 'context') {
      this.#file?.add(
        bytesOf(data.lines),
        data.line_number ?? 0,
        type === 'match' ? (data.submatches ?? []) : undefined,
      );
    } else if (type === 'end') {
      this.finish();
    }
  }
}

function bytesOf(value: RipgrepText | undefined): Buffer {
  if (value?.bytes !== undefined) return Buffer.from(value.bytes, 'base64');
  return Buffer.from(value?.text ?? '', 'utf8');
}

/** The lines of one file, as far as they are kept. */
class KeptLines {
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
      const newline = bytes.indexOf(10, start);
      const end = newline === -1 ? bytes.length : newline + 1;
      while (next < taken.length && !reaches(taken[next], start, end, bytes.length)) next++;
      const first = taken[next];
      const touching = first !== undefined && touches(first, start, end, bytes.length) ? first : undefined;
      if (touching !== undefined) this.#lastMatch = line;
      else if (this.#isPast(line)) return;
      this.#keep(line, () =>
        shownLine(bytes.subarray(start, end), line, touching && Math.max(0, touching.start - start)),
      );
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
    if (!this.#limits.multiline) {
      this.#matches++;
      // The record names no place of an empty match at the end of a text.
      const place = bytes.at(-1) === LINE_FEED ? 0 : bytes.length;
      return [occurrences[0] ?? { start: place, end: place }];
    }
    const taken = occurrences.slice(0, wanted);
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

/** Whether an occurrence is not over before the line begins. */
function reaches(occurrence: Occurrence | undefined, start: number, end: number, size: number): boolean {
  if (occurrence === undefined) return false;
  return occurrence.end > start || touches(occurrence, start, end, size) || occurrence.start >= end;
}

function touches(occurrence: Occurrence, start: number, end: number, size: number): boolean {
  if (occurrence.end > occurrence.start) return occurrence.start < end && occurrence.end > start;
  return occurrence.start >= start && (occurrence.start < end || end === size);
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
