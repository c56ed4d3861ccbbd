import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { ByteSource, ReadableFile } from './byte-source.js';
import { detectEncoding, type EncodingsBeside } from './detect-encoding.js';
import { decodeEscaped, encodeEscaped } from './escaped-bytes.js';
import { shownText } from '../util/shown-text.js';
import { encodingOfAll, isProvisional, sampleSize } from './encoding-sample.js';
import { stampOf } from './file-versions.js';
import { lineFeedOf } from './line-feeds.js';
import { LineIndex, type IndexKey, type LineIndexes } from './line-index.js';
import { readLines, type LineWindow } from './line-reader.js';
import { refusePseudoFile } from './pseudo-file.js';

export interface TextWindowRequest {
  readonly file: ReadableFile;
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
  /** As in `detectEncoding`. */
  readonly beside?: EncodingsBeside;
}

export interface TextWindow extends Omit<LineWindow, 'lines'> {
  /** Without their line feeds; a carriage return before one is kept. */
  readonly lines: readonly string[];
  readonly encoding: string;
  /** As in `Detection`. */
  readonly isGuess?: boolean;
  /** For damaged UTF-8: bytes of its line that the first so many UTF-16 units of the first line given stand for. */
  readonly bytesOfStart?: (units: number) => number;
}

/** Times of files are this coarse: an index of a file that changed more recently is not kept. */
const CLOCK_GRAIN_MS = 100;

/**
 * The bytes that decide what a file is.
 * @throws Failure `not_a_regular_file` for a file that the kernel makes up as it is read; `name` says which
 */
export async function readHead(file: FileHandle, size: number, name = 'The file'): Promise<Buffer> {
  if (size === 0) await refusePseudoFile(file, name);
  const wanted = headSize(size);
  const buffer = Buffer.allocUnsafe(wanted);
  let filled = 0;
  while (filled < wanted) {
    const { bytesRead } = await file.read(buffer, filled, wanted - filled, filled);
    filled += bytesRead;
    // As large as it was said to be, and nothing came of the one byte more that was asked for: no need to ask again.
    if (bytesRead === 0 || filled === size) break;
  }
  if (sampleSize(size) === size && filled !== size) await refusePseudoFile(file, name);
  return buffer.subarray(0, filled);
}

/** One more than a small file has, so that its end is met. */
function headSize(size: number): number {
  const sample = sampleSize(size);
  return sample === size ? size + 1 : sample;
}

/**
 * A window of lines as text, whatever the encoding (S69, S73). What is no character in it is shown as U+FFFD.
 * @throws Failure `binary_file`
 */
export async function readTextWindow(request: TextWindowRequest): Promise<TextWindow> {
  const { file, head, size, name } = request;
  const headIsAll = head.length < headSize(size);
  const detection = await detectEncoding(head, head.length >= size, name, request.beside);
  const { encoding, bomLength } = detection;
  const isOpen = !headIsAll && isProvisional(detection);
  const source: ByteSource = { file, head, headIsAll, bomLength };
  const index = indexFor(request, encoding);
  const known = isOpen && encoding !== 'utf-8' ? await truthOf(request, index, encoding) : encoding;
  const window = await readLines({ ...request, source, encoding: known, index });
  const bytes = joined(window);
  if (known !== 'utf-8' || isUtf8(bytes)) {
    if (!headIsAll) await keepIndex(request, index);
    const isGuess = detection.isGuess === true && known === encoding ? { isGuess: true } : {};
    return { ...asText(window, bytes.toString('utf8'), known), ...isGuess };
  }
  const truth = isOpen ? await truthOf(request, index, encoding) : encoding;
  if (!headIsAll) await keepIndex(request, index);
  if (truth === 'utf-8') {
    const raw = decodeEscaped(bytes);
    const bytesOfStart = (units: number): number => encodeEscaped(raw.slice(0, units)).length;
    return { ...asText(window, shownText(raw), truth), bytesOfStart };
  }
  const again = await readLines({ ...request, source, encoding: truth, index });
  return asText(again, joined(again).toString('utf8'), truth);
}

/** Looked for once in each version of the file. */
async function truthOf({ file, signal }: TextWindowRequest, index: LineIndex, encoding: string): Promise<string> {
  index.legacy ??= await encodingOfAll(file, encoding, signal);
  return index.legacy;
}

/** Of no use, and not looked for, when all of the file is at hand. */
function indexFor({ index, head, size }: TextWindowRequest, encoding: string): LineIndex {
  const feed = lineFeedOf(encoding);
  const known = head.length < size ? index?.indexes.find(index.key, feed) : undefined;
  return known ?? new LineIndex(feed);
}

async function keepIndex({ index, file }: TextWindowRequest, found: LineIndex): Promise<void> {
  if (index === undefined) return;
  const stat = await file.stat();
  // The file may have been written while it was read, or so shortly before that its stamp does not tell.
  if (stampOf(stat) !== index.key.stamp || Date.now() - Math.max(stat.ctimeMs, stat.mtimeMs) < CLOCK_GRAIN_MS) return;
  index.indexes.keep(index.key, found);
}

function joined({ lines }: LineWindow): Buffer {
  const bytes = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + line.length + 1, 0));
  let at = 0;
  for (const line of lines) {
    bytes.set(line, at);
    at += line.length;
    bytes[at++] = 0x0a;
  }
  return bytes;
}

function asText(window: LineWindow, text: string, encoding: string): TextWindow {
  return { ...window, lines: text.split('\n').slice(0, -1), encoding };
}
