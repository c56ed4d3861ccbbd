import { isAscii } from 'node:buffer';
import { withoutCutCharacter } from '../../../files/detect-encoding.js';
import { decodeEscaped } from '../../../files/escaped-bytes.js';
import { shownText } from '../../../util/shown-text.js';
import { MAX_LINE_LENGTH, toShownLine, type ShownLine } from '../../report/shown-line.js';

/** Bytes before and behind a place of which something may be shown: a code unit of UTF-16 has at most three. */
const AROUND = 4 * MAX_LINE_LENGTH;
const CARRIAGE_RETURN = 13;

/** A line of any length that comes in pieces: what may be shown of it is kept, the rest only measured. */
export class LineInPieces {
  readonly #head = new LinePart(0);
  readonly #aroundMatch: LinePart | undefined;
  readonly #units = new UnitCounter();
  #size = 0;
  #last: number | undefined;

  /** `place`: bytes before the first match, should it be in this line. */
  constructor(place: number | undefined) {
    this.#aroundMatch = place === undefined ? undefined : new LinePart(place);
  }

  /** The bytes are copied where they are kept. */
  add(piece: Buffer): void {
    const untilPart = Math.max(0, (this.#aroundMatch?.from ?? 0) - this.#size);
    this.#take(piece.subarray(0, untilPart));
    this.#take(piece.subarray(untilPart));
  }

  /** `matchAt`: the place, if it is in this line. */
  shown(line: number, matchAt: number | undefined): ShownLine {
    const length = this.#units.finish() - (this.#last === CARRIAGE_RETURN ? 1 : 0);
    const part = matchAt === undefined ? this.#head : (this.#aroundMatch ?? this.#head);
    const { unitsBefore: start } = part;
    const text = shownText(part.text()).slice(0, length - start);
    const whole = { line, text, start, length };
    if (matchAt === undefined) return toShownLine(whole);
    return toShownLine({ ...whole, column: Math.min(length, start + part.text(matchAt).length) + 1 });
  }

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    for (const part of [this.#head, this.#aroundMatch]) part?.add(piece, this.#size, this.#units);
    this.#units.add(piece);
    this.#size += piece.length;
    this.#last = piece.at(-1);
  }
}

/** Some bytes of a line. */
class LinePart {
  readonly from: number;
  readonly #to: number;
  #pieces: Buffer[] = [];
  /** Code units of the line before its text. */
  unitsBefore = 0;
  /** Bytes before `from` that belong to its first character. */
  #lead = 0;

  constructor(place: number) {
    this.from = Math.max(0, place - AROUND);
    this.#to = place + AROUND;
  }

  /** No piece may go over its beginning. `at`, `units`: of the line before the piece. */
  add(piece: Buffer, at: number, units: UnitCounter): void {
    if (at < this.from || at >= this.#to) return;
    if (this.#pieces.length === 0) {
      this.unitsBefore = units.count;
      this.#lead = units.cut.length;
      this.#pieces.push(units.cut);
    }
    this.#pieces.push(Buffer.from(piece.subarray(0, this.#to - at)));
  }

  /** Up to a place in the line, in bytes. */
  text(end = Infinity): string {
    return decodeEscaped(Buffer.concat(this.#pieces).subarray(0, end - this.from + this.#lead));
  }
}

/** Counts the code units of UTF-8 that comes in pieces. */
class UnitCounter {
  /** Of all characters that are complete. */
  count = 0;
  /** The bytes of the last one that is not. */
  cut: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    const bytes = this.cut.length === 0 ? piece : Buffer.concat([this.cut, piece]);
    const whole = withoutCutCharacter(bytes);
    this.count += isAscii(whole) ? whole.length : decodeEscaped(whole).length;
    this.cut = Buffer.from(bytes.subarray(whole.length));
  }

  finish(): number {
    return this.count + decodeEscaped(this.cut).length;
  }
}
