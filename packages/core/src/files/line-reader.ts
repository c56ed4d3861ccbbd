import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import { ISO_2022_JP, withoutCutCharacter } from './detect-encoding.js';
import { characterLength } from './escaped-bytes.js';
import type { LineIndex } from './line-index.js';
import { LineScan } from './line-scan.js';

/** Which lines of an open file are wanted. */
export interface LineRequest {
  readonly source: ByteSource;
  /** Of the file when it was opened; only used to judge whether counting to the end is worth it. */
  readonly size: number;
  readonly encoding: string;
  /** What is known of the lines of this very file in this encoding; more is known afterwards. */
  readonly index: LineIndex;
  /** 0-based number of the first line wanted. */
  readonly offset: number;
  /** Bytes (of UTF-8) to skip in that line: where an earlier cut left off. */
  readonly column: number;
  readonly limit: number;
  /** Never more than this many bytes of lines, however long they are. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface LineWindow {
  /** Without their line feeds, otherwise byte for byte. UTF-8, unless the file lies about its encoding. */
  readonly lines: readonly Buffer[];
  /** Where in its line the first piece begins; 0 for whole lines. */
  readonly startColumn: number;
  /** Set when the first line alone is over the limit: where in it to go on. No other line is ever cut. */
  readonly cutColumn: number | undefined;
  /** The line after the last one given, 0-based; undefined at the end of the file. */
  readonly nextOffset: number | undefined;
  readonly totalLines: number;
  /** False: there are at least that many. */
  readonly totalIsExact: boolean;
  /** False when the last line of the file was given and has no line feed. */
  readonly endsWithBreak: boolean;
}

/** Enough for most windows at once. */
const FIRST_CHUNK_BYTES = 64 * 1024;
const CHUNK_BYTES = 512 * 1024;
/** Lines after the window are counted when no more than this is left. */
const COUNT_LIMIT_BYTES = 64 * 1024 * 1024;
/** What a line costs beside its bytes: its number and its end. */
const LINE_OVERHEAD_BYTES = 8;
const LINE_FEED = 0x0a;
/** In UTF-8. */
const LONGEST_CHARACTER = 4;

/**
 * Reads a window of lines with memory that depends on the window, not on the file or its longest line.
 * Wide and legacy encodings are turned into UTF-8 on the way.
 */
export async function readLines(request: LineRequest): Promise<LineWindow> {
  const { index, offset, column } = request;
  const scan = new LineScan(request.source, index, request.signal);
  const start = await scan.lineStart(offset);
  const found = start === undefined ? nothingAt(column) : await collectFrom(scan, start, request);
  const given = offset + found.lines.length;
  await countOn(scan, found.isCut ? offset : given, request);
  const { furthest, ended } = index;
  const unfinished = furthest.position > furthest.lineStart;
  const totalLines = furthest.lines + (!ended || unfinished ? 1 : 0);
  return {
    lines: found.lines,
    startColumn: found.startColumn,
    cutColumn: found.isCut ? found.startColumn + (found.lines[0]?.length ?? 0) : undefined,
    nextOffset: given < totalLines && found.lines.length > 0 ? given : undefined,
    totalLines,
    totalIsExact: ended,
    endsWithBreak: !(ended && unfinished && given >= totalLines),
  };
}

interface Collected {
  readonly lines: readonly Buffer[];
  readonly startColumn: number;
  readonly isCut: boolean;
}

function nothingAt(column: number): Collected {
  return { lines: [], startColumn: column, isCut: false };
}

async function collectFrom(scan: LineScan, start: number, request: LineRequest): Promise<Collected> {
  const { encoding, offset, column } = request;
  if (encoding !== 'utf-8' || column === 0) return collect(start, { skipped: 0, toSkip: column }, request);
  // The bytes of the file are those of the window, so that no more of the line need be read.
  const { position, skipped } = await scan.column(offset, start, column);
  // With what stands before, to know whether the column is inside a character.
  const before = Math.min(LONGEST_CHARACTER - 1, skipped);
  return collect(position - before, { skipped: skipped - before, toSkip: column - skipped + before }, request);
}

/** Counts as far as the lines given, and to the end of the file if that is near. */
async function countOn(scan: LineScan, lines: number, { index, size }: LineRequest): Promise<void> {
  await scan.advance(() => index.furthest.lines >= lines);
  const { position } = index.furthest;
  if (size - position > COUNT_LIMIT_BYTES) return;
  // A file that grows as fast as it is read does not hold this up for ever.
  await scan.advance(() => index.furthest.position - position > COUNT_LIMIT_BYTES);
}

type Transcoder = (chunk: Uint8Array | undefined) => Uint8Array;

/** Turns chunks into UTF-8, characters that chunks split included; `undefined` asks for what is left. */
async function createTranscoder(encoding: string): Promise<Transcoder> {
  if (encoding === 'utf-8') return (chunk) => chunk ?? new Uint8Array();
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    return (chunk) => Buffer.from(chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }));
  }
  const decoder = await createDecoder(encoding);
  return (chunk) => Buffer.from((chunk === undefined ? decoder.end() : decoder.write(Buffer.from(chunk))) ?? '');
}

/** For encodings that `TextDecoder` does not know, or not well. */
async function createDecoder(
  encoding: string,
): Promise<{ write: (bytes: Buffer) => string; end: () => string | undefined }> {
  if (encoding === ISO_2022_JP) return new (await import('./iso-2022-jp.js')).JisDecoder();
  const { default: iconv } = await import('iconv-lite');
  return iconv.getDecoder(encoding, { stripBOM: false });
}

interface Columns {
  /** Of the first line: passed over already, and still to be passed over. */
  readonly skipped: number;
  readonly toSkip: number;
}

async function collect(from: number, columns: Columns, request: LineRequest): Promise<Collected> {
  const transcode = await createTranscoder(request.encoding);
  const lines = new LineCollector(request, columns);
  let buffer: Buffer | undefined;
  for (let [at, wanted] = [from, FIRST_CHUNK_BYTES]; ; wanted = CHUNK_BYTES) {
    request.signal.throwIfAborted();
    const take = (): Buffer => (buffer = buffer?.length === wanted ? buffer : Buffer.allocUnsafe(wanted));
    const { bytes, ended } = await readBytes(request.source, at, take);
    at += bytes.length;
    const isUsedAgain = bytes.buffer === buffer?.buffer && wanted === CHUNK_BYTES;
    lines.feed(transcode(bytes), isUsedAgain);
    if (ended) lines.feed(transcode(undefined), false);
    if (ended || lines.isFull) return lines.finish();
  }
}

/** Takes whole lines while they fit. */
class LineCollector {
  readonly #limit: number;
  readonly #lines: Buffer[] = [];
  /** What the window may still take. */
  #room: number;
  /** Pieces of the line at hand, which chunks split. */
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #toSkip: number;
  #startColumn: number;
  /** The last bytes that were passed over. */
  #passed: Uint8Array = new Uint8Array();
  /** Something of the line at hand was met, be it only bytes that were passed over. */
  #isInLine: boolean;
  #isCut = false;
  #isFull = false;

  constructor({ limit, maxBytes }: LineRequest, { skipped, toSkip }: Columns) {
    this.#limit = limit;
    this.#room = maxBytes;
    this.#toSkip = toSkip;
    this.#startColumn = skipped + toSkip;
    this.#isInLine = skipped > 0;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** `isUsedAgain`: the memory of the chunk will hold another one. */
  feed(chunk: Uint8Array, isUsedAgain: boolean): void {
    let at = 0;
    while (at < chunk.length && !this.#isFull) {
      const feed = chunk.indexOf(LINE_FEED, at);
      const end = feed === -1 ? chunk.length : feed;
      const skipped = Math.min(this.#toSkip, end - at);
      this.#toSkip -= skipped;
      if (skipped > 0) this.#pass(chunk.subarray(at, at + skipped));
      this.#isInLine = true;
      this.#take(chunk.subarray(at + skipped, end), isUsedAgain);
      if (feed !== -1 && !this.#isFull) this.#finishLine();
      at = end + 1;
    }
  }

  finish(): Collected {
    // The last line of a file needs no line feed to be one.
    if (this.#isInLine && !this.#isFull) this.#finishLine();
    this.#alignFirstLine();
    return { lines: this.#lines, startColumn: this.#startColumn, isCut: this.#isCut };
  }

  #take(piece: Uint8Array, isUsedAgain: boolean): void {
    const room = this.#room - this.#pieceBytes;
    const fits = piece.length <= room;
    if (fits || this.#lines.length === 0) {
      const part = fits ? piece : piece.subarray(0, room);
      this.#pieces.push(isUsedAgain ? Buffer.from(part) : Buffer.from(part.buffer, part.byteOffset, part.length));
      this.#pieceBytes += Math.min(piece.length, room);
    }
    if (fits) return;
    if (this.#lines.length === 0) this.#cutLine();
    this.#isFull = true;
  }

  #finishLine(): void {
    // A line shorter than the column has nothing there; the next one is given from its start.
    this.#startColumn -= this.#toSkip;
    this.#toSkip = 0;
    this.#lines.push(this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces));
    this.#room -= this.#pieceBytes + LINE_OVERHEAD_BYTES;
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#isInLine = false;
    this.#isFull = this.#lines.length >= this.#limit;
  }

  #cutLine(): void {
    this.#finishLine();
    this.#isCut = true;
    const [line] = this.#lines;
    if (line !== undefined) this.#lines[0] = Buffer.from(withoutCutCharacter(line));
  }

  #pass(bytes: Uint8Array): void {
    const last = Buffer.concat([this.#passed, bytes.subarray(Math.max(0, bytes.length - LONGEST_CHARACTER + 1))]);
    this.#passed = last.subarray(Math.max(0, last.length - LONGEST_CHARACTER + 1));
  }

  /**
   * A column inside a character means the next character. Bytes that look like the rest of one, where none begins
   * before them, are damage: they are given as they are.
   */
  #alignFirstLine(): void {
    const [line] = this.#lines;
    if (this.#startColumn === 0 || line === undefined) return;
    const inside = bytesInside(this.#passed, line);
    this.#lines[0] = line.subarray(inside);
    this.#startColumn += inside;
  }
}

/** How many bytes at the start of `line` belong to a character that begins in the bytes before it. */
function bytesInside(before: Uint8Array, line: Uint8Array): number {
  for (let at = before.length - 1; at >= 0; at -= 1) {
    if (((before[at] ?? 0) & 0xc0) === 0x80) continue;
    const length = characterLength(Buffer.concat([before.subarray(at), line.subarray(0, LONGEST_CHARACTER)]), 0);
    return Math.max(0, length - (before.length - at));
  }
  return 0;
}
