import type { FileHandle } from 'node:fs/promises';
import { withoutCutCharacter } from './detect-encoding.js';

/** Which lines of an open file are wanted. */
export interface LineRequest {
  readonly file: FileHandle;
  /** As it was when the file was opened; only used to judge whether counting to the end is worth it. */
  readonly size: number;
  /** The first bytes of the file, read already, so that a small file is read once. */
  readonly head: Uint8Array;
  readonly bomLength: number;
  readonly encoding: string;
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

const CHUNK_BYTES = 512 * 1024;
/** Lines after the window are counted when no more than this is left. */
const COUNT_LIMIT_BYTES = 64 * 1024 * 1024;
/** What a line costs beside its bytes: its number and its end. */
const LINE_OVERHEAD_BYTES = 8;
const LINE_FEED = 0x0a;

/**
 * Reads a window of lines with memory that depends on the window, not on the file or its longest line.
 * Wide and legacy encodings are turned into UTF-8 on the way.
 */
export async function readLines(request: LineRequest): Promise<LineWindow> {
  const { file, size, head, bomLength, signal } = request;
  const transcode = await createTranscoder(request.encoding);
  const scan = new LineScan(request);
  scan.feed(transcode(head.subarray(bomLength)));
  const buffer = Buffer.allocUnsafe(Math.max(4096, Math.min(CHUNK_BYTES, size - head.length + 1)));
  let position = head.length;
  let ended = false;
  while (!ended && scan.wants(size - position)) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    position += bytesRead;
    ended = bytesRead === 0;
    scan.feed(transcode(ended ? undefined : buffer.subarray(0, bytesRead)));
  }
  return scan.finish(ended);
}

type Transcoder = (chunk: Uint8Array | undefined) => Uint8Array;

/** Turns chunks into UTF-8, characters that chunks split included; `undefined` asks for what is left. */
async function createTranscoder(encoding: string): Promise<Transcoder> {
  if (encoding === 'utf-8') return (chunk) => chunk ?? new Uint8Array();
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    return (chunk) => Buffer.from(chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }));
  }
  const { default: iconv } = await import('iconv-lite');
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  return (chunk) => Buffer.from((chunk === undefined ? decoder.end() : decoder.write(Buffer.from(chunk))) ?? '');
}

/** The state of one pass: skip lines, collect lines, count lines. */
class LineScan {
  readonly #request: LineRequest;
  #phase: 'skip' | 'collect' | 'count' = 'skip';
  /** Line feeds met so far: the number of the line at hand. */
  #breaks = 0;
  #counted = 0;
  #lastByte = LINE_FEED;
  readonly #lines: Buffer[] = [];
  #used = 0;
  /** Pieces of the line at hand, which chunks split. */
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #columnLeft: number;
  #startColumn: number;
  #cut = false;

  constructor(request: LineRequest) {
    this.#request = request;
    this.#columnLeft = request.column;
    this.#startColumn = request.column;
    if (request.offset === 0) this.#phase = 'collect';
  }

  /** Whether there is a reason to read on. */
  wants(bytesLeft: number): boolean {
    return this.#phase !== 'count' || (bytesLeft <= COUNT_LIMIT_BYTES && this.#counted <= COUNT_LIMIT_BYTES);
  }

  feed(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#lastByte = chunk[chunk.length - 1] ?? LINE_FEED;
    let at = 0;
    if (this.#phase === 'skip') at = this.#skip(chunk);
    if (this.#phase === 'collect') at = this.#collect(chunk, at);
    if (this.#phase === 'count') {
      this.#counted += chunk.length - at;
      this.#breaks += countLineFeeds(chunk, at);
    }
  }

  finish(ended: boolean): LineWindow {
    const unfinished = this.#lastByte !== LINE_FEED;
    const inWindow = this.#phase === 'collect';
    // The last line of a file needs no line feed to be one.
    if (inWindow && unfinished) this.#finishLine();
    const totalLines = this.#breaks + (!ended || unfinished ? 1 : 0);
    this.#alignFirstLine();
    const given = this.#request.offset + this.#lines.length;
    const cutColumn = this.#cut ? this.#startColumn + (this.#lines[0]?.length ?? 0) : undefined;
    const more = given < totalLines && this.#lines.length > 0;
    return {
      lines: this.#lines,
      startColumn: this.#startColumn,
      cutColumn,
      nextOffset: more ? given : undefined,
      totalLines,
      totalIsExact: ended,
      endsWithBreak: !(ended && unfinished && given >= totalLines),
    };
  }

  /** Returns where the first wanted line begins, or the end of the chunk. */
  #skip(chunk: Uint8Array): number {
    const inChunk = countLineFeeds(chunk, 0);
    if (this.#breaks + inChunk < this.#request.offset) {
      this.#breaks += inChunk;
      return chunk.length;
    }
    let at = 0;
    for (; this.#breaks < this.#request.offset; this.#breaks += 1) at = chunk.indexOf(LINE_FEED, at) + 1;
    this.#phase = 'collect';
    return at;
  }

  /** Takes whole lines while they fit; returns where counting goes on. */
  #collect(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const feed = chunk.indexOf(LINE_FEED, at);
      const end = feed === -1 ? chunk.length : feed;
      const skipped = Math.min(this.#columnLeft, end - at);
      this.#columnLeft -= skipped;
      const room = this.#request.maxBytes - this.#used - this.#pieceBytes;
      if (end - at - skipped > room) {
        this.#phase = 'count';
        if (this.#lines.length > 0) this.#dropPieces();
        else this.#cutLine(chunk.subarray(at + skipped, at + skipped + room));
        return at;
      }
      this.#addPiece(chunk.subarray(at + skipped, end));
      if (feed === -1) return chunk.length;
      this.#finishLine();
      this.#breaks += 1;
      at = feed + 1;
      if (this.#lines.length >= this.#request.limit) {
        this.#phase = 'count';
        return at;
      }
    }
    return at;
  }

  #addPiece(piece: Uint8Array): void {
    // A copy: the chunk's memory is used again.
    this.#pieces.push(Buffer.from(piece));
    this.#pieceBytes += piece.length;
  }

  #finishLine(): void {
    // A line shorter than the column has nothing there; the next one is given from its start.
    this.#startColumn -= this.#columnLeft;
    this.#columnLeft = 0;
    this.#lines.push(this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces));
    this.#used += this.#pieceBytes + LINE_OVERHEAD_BYTES;
    this.#dropPieces();
  }

  #dropPieces(): void {
    this.#pieces = [];
    this.#pieceBytes = 0;
  }

  #cutLine(rest: Uint8Array): void {
    this.#addPiece(rest);
    this.#finishLine();
    this.#cut = true;
    const [line] = this.#lines;
    if (line !== undefined) this.#lines[0] = Buffer.from(withoutCutCharacter(line));
  }

  /** A column inside a character means the next character. */
  #alignFirstLine(): void {
    const [line] = this.#lines;
    if (this.#startColumn === 0 || line === undefined) return;
    let inside = 0;
    while (inside < 3 && ((line[inside] ?? 0) & 0xc0) === 0x80) inside += 1;
    this.#lines[0] = line.subarray(inside);
    this.#startColumn += inside;
  }
}

/** Four bytes at a time: most of the work of reading far into a large file is done here. */
function countLineFeeds(chunk: Uint8Array, from: number): number {
  let count = 0;
  let at = from;
  while (at < chunk.length && (chunk.byteOffset + at) % 4 !== 0) if (chunk[at++] === LINE_FEED) count += 1;
  if (at === chunk.length) return count;
  const words = new Uint32Array(chunk.buffer, chunk.byteOffset + at, (chunk.length - at) >> 2);
  for (let index = 0; index < words.length; index += 1) {
    // A line feed becomes a zero byte, and each zero byte one bit; the multiplication adds the bits up.
    const bytes = (words[index] ?? 0) ^ 0x0a0a0a0a;
    const bits = ~(((bytes & 0x7f7f7f7f) + 0x7f7f7f7f) | bytes | 0x7f7f7f7f);
    count += Math.imul(bits >>> 7, 0x01010101) >>> 24;
  }
  for (at += words.length * 4; at < chunk.length; at += 1) if (chunk[at] === LINE_FEED) count += 1;
  return count;
}
