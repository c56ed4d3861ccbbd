import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { detectEncoding, guessLegacy } from './detect-encoding.js';
import { readLines, type LineWindow } from './line-reader.js';
import type { IndexKey, LineIndexes } from './line-index.js';
import { decodeBytes } from './text-codec.js';

export interface TextWindowRequest {
  readonly file: FileHandle;
  readonly size: number;
  /** The first bytes of the file, as `readHead` gives them. */
  readonly head: Uint8Array;
  /** Used in messages. */
  readonly name: string;
  readonly offset: number;
  readonly column: number;
  readonly limit: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Where to look up, and leave, what is known of the lines of a large file. */
  readonly index?: { readonly indexes: LineIndexes; readonly key: IndexKey };
}

export interface TextWindow extends Omit<LineWindow, 'lines'> {
  /** Without their line feeds; a carriage return before one is kept. */
  readonly lines: readonly string[];
  readonly encoding: string;
}

/** A file up to this size has its encoding judged on all of its bytes, a larger one on its head. */
const WHOLE_SAMPLE_BYTES = 1024 * 1024;
const HEAD_SAMPLE_BYTES = 64 * 1024;

/** The bytes that decide what a file is. */
export async function readHead(file: FileHandle, size: number): Promise<Buffer> {
  const wanted = size <= WHOLE_SAMPLE_BYTES ? size + 1 : HEAD_SAMPLE_BYTES;
  const buffer = Buffer.allocUnsafe(wanted);
  let filled = 0;
  while (filled < wanted) {
    const { bytesRead } = await file.read(buffer, filled, wanted - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * A window of lines as text, whatever the encoding (S69, S73).
 * @throws Failure `binary_file`
 */
export async function readTextWindow(request: TextWindowRequest): Promise<TextWindow> {
  const { head, size, name } = request;
  const { encoding, bomLength } = await detectEncoding(head, head.length >= size, name);
  const window = await readLines({ ...request, encoding, bomLength });
  const bytes = joined(window);
  if (encoding !== 'utf-8' || isUtf8(bytes)) return asText(window, encoding);
  // The head was plain ASCII and the truth comes later: read the same lines again in what they look like.
  const legacy = await guessLegacy(bytes);
  if (legacy === 'utf-8') return asText(window, encoding);
  return asText(await readLines({ ...request, encoding: legacy, bomLength }), legacy);
}

function joined(window: LineWindow): Buffer {
  const lineFeed = Buffer.from('\n');
  return Buffer.concat(window.lines.flatMap((line) => [line, lineFeed]));
}

async function asText(window: LineWindow, encoding: string): Promise<TextWindow> {
  const text = await decodeBytes(joined(window), 'utf-8');
  return { ...window, lines: text.split('\n').slice(0, -1), encoding };
}
