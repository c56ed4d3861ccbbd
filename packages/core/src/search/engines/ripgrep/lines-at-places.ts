import { closeSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { HeldFolder } from '../../held-folder.js';
import type { FileLines, ShownLine } from '../../report/shown-line.js';
import { openInPlace } from '../open-in-place.js';
import { beginsBefore, isOver, shownLine, type Occurrence } from './kept-lines.js';
import { cutAtLineFeeds } from './line-pieces.js';
import { LineInPieces } from './line-in-pieces.js';
import { PageLines, type PageLimits } from './page-lines.js';

const PIECE_BYTES = 256 * 1024;
const readAt = promisify(read);

export interface PlacesRequest extends PageLimits {
  /** Matches in their order, in bytes of the text as UTF-8 without a mark. */
  readonly places: readonly Occurrence[];
}

/**
 * The lines of a file at places that are known, whatever their length.
 * @throws Failure, or a system error, when the file cannot be read or is not where it was; the signal's reason
 */
export async function linesAtPlaces(
  file: { readonly folder: HeldFolder; readonly path: string },
  request: PlacesRequest,
  signal: AbortSignal,
): Promise<FileLines> {
  const { fd } = openInPlace(file.folder, file.path);
  try {
    const lines = new PlacedLines(request);
    for await (const piece of textOf(fd)) {
      signal.throwIfAborted();
      lines.push(piece);
      if (lines.isComplete) break;
    }
    return lines.finish();
  } finally {
    closeSync(fd);
  }
}

/** The same of a text at hand, in UTF-8. */
export function linesAtPlacesOf(text: Buffer, request: PlacesRequest): FileLines {
  const lines = new PlacedLines(request);
  for (let at = 0; at < text.length && !lines.isComplete; at += PIECE_BYTES)
    lines.push(text.subarray(at, at + PIECE_BYTES));
  return lines.finish();
}

/** A file as ripgrep reads it: UTF-16 with a mark as UTF-8, all else as it is; each piece is good until the next one. */
async function* textOf(fd: number): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  const next = async (): Promise<Buffer> =>
    buffer.subarray(0, (await readAt(fd, buffer, 0, PIECE_BYTES, null)).bytesRead);
  let piece = await next();
  const wide = wideEncoding(piece);
  const decoder = wide === undefined ? undefined : new TextDecoder(wide);
  if (piece.subarray(0, 3).equals(UTF8_MARK)) piece = piece.subarray(3);
  for (; piece.length > 0; piece = await next())
    yield decoder === undefined ? piece : Buffer.from(decoder.decode(piece, { stream: true }));
  if (decoder !== undefined) yield Buffer.from(decoder.decode());
}

const UTF8_MARK = Buffer.from('\ufeff');

export function wideEncoding([first, second]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** A whole line that passes, or one of which pieces passed before. */
interface Line {
  readonly line: number;
  readonly bytes: Buffer | LineInPieces;
}

/** Takes the lines around places of a text that comes in pieces, wherever it is cut. */
export class PlacedLines {
  readonly #request: PlacesRequest;
  readonly #lines: PageLines;
  /** What may stand before a match. */
  #before: (Line | ShownLine)[] = [];
  #afterLeft = 0;
  #line = 1;
  /** Of the line that passes. */
  #start = 0;
  #length = 0;
  #piece: Buffer = Buffer.alloc(0);
  #pieces: LineInPieces | undefined;
  /** The first that is not over. */
  #place = 0;
  #begun = 0;

  constructor(request: PlacesRequest) {
    this.#request = request;
    this.#lines = new PageLines(request);
  }

  push(piece: Buffer): void {
    cutAtLineFeeds(piece, { add: (part) => this.#add(part), endLine: () => this.#endLine(1) });
    if (this.#piece.length > 0) this.#pieces = this.#joined();
    this.#piece = Buffer.alloc(0);
    this.#before = this.#before.map(shown);
  }

  /** No line that comes now would be shown. */
  get isComplete(): boolean {
    return this.#lines.isFull || (this.#place === this.#request.places.length && this.#afterLeft === 0);
  }

  finish(): FileLines {
    if (this.#length > 0) this.#endLine(0);
    return this.#lines.finish(this.#request.places.filter(({ start }) => start <= this.#start).length);
  }

  #add(part: Buffer): void {
    this.#piece = part;
    this.#length += part.length;
  }

  /** `feed`: bytes of the line feed that ends it; 0 at the end of the text. */
  #endLine(feed: 0 | 1): void {
    const { before, after } = this.#request;
    const end = this.#start + this.#length + feed;
    const place = this.#placeAt(this.#start);
    const size = feed === 0 ? end : Infinity;
    const isMatch = place !== undefined && beginsBefore(end, place, size);
    const { places } = this.#request;
    for (let next = places[this.#begun]; next && beginsBefore(end, next, size);) next = places[++this.#begun];
    const line = { line: this.#line, bytes: this.#pieces === undefined ? this.#piece : this.#joined() };
    if (isMatch) {
      for (const earlier of this.#before.splice(0)) this.#show(shown(earlier));
      const ofPage = this.#placeOfPage();
      const shownPlace = ofPage !== undefined && beginsBefore(end, ofPage, size) ? ofPage : place;
      this.#show(shownAt(line, this.#placeInLine(shownPlace)));
    } else if (this.#afterLeft > 0) this.#show(shown(line));
    else if (this.#before.push(line) > before) this.#before.shift();
    this.#afterLeft = isMatch ? after : Math.max(0, this.#afterLeft - 1);
    this.#line++;
    this.#start = end;
    this.#length = 0;
    this.#piece = Buffer.alloc(0);
    this.#pieces = undefined;
    this.#placeAt(end);
  }

  #show(line: ShownLine): void {
    this.#lines.add(line, this.#begun);
  }

  /** The first place that is not over where a line begins. */
  #placeAt(start: number): Occurrence | undefined {
    const { places } = this.#request;
    let place = places[this.#place];
    while (place !== undefined && isOver(place, start)) place = places[++this.#place];
    return place;
  }

  /** The first of those that are wanted, where that is not over. */
  #placeOfPage(): Occurrence | undefined {
    const { places, skip } = this.#request;
    return places[Math.max(this.#place, skip)];
  }

  #placeInLine({ start }: Occurrence): number {
    return Math.max(0, start - this.#start);
  }

  /** The line with its last piece, which is copied. */
  #joined(): LineInPieces {
    const place = this.#placeOfPage() ?? this.#placeAt(this.#start);
    const pieces = this.#pieces ?? new LineInPieces(place && this.#placeInLine(place));
    pieces.add(this.#piece);
    return pieces;
  }
}

function shown(line: Line | ShownLine): ShownLine {
  return 'bytes' in line ? shownAt(line, undefined) : line;
}

function shownAt({ line, bytes }: Line, matchAt: number | undefined): ShownLine {
  return bytes instanceof LineInPieces ? bytes.shown(line, matchAt) : shownLine(bytes, line, matchAt);
}
