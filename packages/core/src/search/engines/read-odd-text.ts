import { closeSync, readSync, type Stats } from 'node:fs';
import { heldFile } from '../../files/byte-source.js';
import { isBinaryHead, recognizeEncoding, type Detection } from '../../files/detect-encoding.js';
import { encodingOfAll, isProvisional, sampleSize } from '../../files/encoding-sample.js';
import { decodeEscaped } from '../../files/escaped-bytes.js';
import { guessLegacy, type LegacyGuesses } from '../../files/guess-legacy.js';
import { MAX_TEXT_BYTES } from '../../files/text-bytes.js';
import { decodeBytes } from '../../files/text-codec.js';
import { undecodableText } from '../../files/undecodable.js';
import { Failure } from '../../util/failure.js';
import { shownText } from '../../util/shown-text.js';
import type { HeldFolder } from '../held-folder.js';
import type { FileRoom } from './file-room.js';
import { openInPlace } from './open-in-place.js';

/** As much as decides that a file with a NUL byte is binary: most are, and no more of them is read. */
const FIRST_BYTES = 8192;

export type OddFile =
  | { readonly kind: 'text'; readonly text: string }
  /** A text that does not hold what is wanted; it was not decoded. */
  | { readonly kind: 'ruled-out' }
  | { readonly kind: 'binary' }
  /** A text in an encoding that cannot be read. */
  | { readonly kind: 'not-decodable' }
  | { readonly kind: 'too-large' };

const BINARY: OddFile = { kind: 'binary' };
const NOT_DECODABLE: OddFile = { kind: 'not-decodable' };
const RULED_OUT: OddFile = { kind: 'ruled-out' };

export interface OddTextRequest {
  readonly folder: HeldFolder;
  /** Relative to the folder. */
  readonly path: string;
  /** What is in it is overwritten. */
  readonly room: FileRoom;
  readonly signal: AbortSignal;
  /** What the bytes of a text must hold, or it is ruled out; see `legacyBytes`. */
  readonly wanted?: RegExp | undefined;
  readonly guesses?: LegacyGuesses | undefined;
}

/**
 * A file as the text that `read_file` shows of it, without its byte order mark.
 * @throws Failure, or a system error, when it cannot be read or is not where it was
 */
export async function readOddText({ folder, path, room, signal, wanted, guesses }: OddTextRequest): Promise<OddFile> {
  const { fd, stat } = openInPlace(folder, path);
  try {
    // What is too large is only judged.
    const length = stat.size > MAX_TEXT_BYTES ? sampleSize(stat.size) : stat.size;
    const first = readUpTo(fd, room.of(Math.min(length, FIRST_BYTES)), 0);
    if (isBinaryHead(first)) return BINARY;
    const bytes = length > FIRST_BYTES ? readUpTo(fd, room.withMore(first, length), first.length) : first;
    return await decode({ bytes, stat, path, signal, wanted, guesses });
  } finally {
    closeSync(fd);
  }
}

/** Fills a buffer that has the first so many bytes of a file. */
function readUpTo(fd: number, buffer: Buffer, start: number): Buffer {
  let filled = start;
  while (filled < buffer.length) {
    const read = readSync(fd, buffer, filled, buffer.length - filled, filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

/** Undefined where statistics are to decide, null for what is no text. */
function recognize(bytes: Buffer, whole: boolean, path: string): Detection | undefined | null {
  try {
    return recognizeEncoding(bytes, whole, path);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'binary_file') return null;
    throw thrown;
  }
}

interface Decoding {
  readonly bytes: Buffer;
  readonly stat: Stats;
  readonly path: string;
  readonly signal: AbortSignal;
  readonly wanted: RegExp | undefined;
  readonly guesses: LegacyGuesses | undefined;
}

async function decode({ bytes, stat, path, signal, wanted, guesses }: Decoding): Promise<OddFile> {
  const sample = sampleSize(stat.size);
  const isAll = sample === stat.size;
  const head = bytes.subarray(0, sample);
  const found = recognize(head, isAll, path);
  if (found === null) return undecodableText(head) === undefined ? BINARY : NOT_DECODABLE;
  if (stat.size > MAX_TEXT_BYTES) return { kind: 'too-large' };
  const isOpen = found === undefined || (!isAll && isProvisional(found));
  const body = bytes.subarray(found?.bomLength ?? 0);
  // In all that may be guessed, ASCII's characters are ASCII's bytes, and stand together where they stand together in the text.
  const holdsAscii = isOpen || found.encoding === 'utf-8';
  if (wanted !== undefined && holdsAscii && !wanted.test(body.toString('latin1'))) return RULED_OUT;
  const guess = async (): Promise<string> =>
    isAll
      ? guessLegacy(head, guesses)
      : encodingOfAll(heldFile(bytes, stat), found?.encoding ?? 'utf-8', signal, guesses);
  const encoding = isOpen ? await guess() : found.encoding;
  const text = encoding === 'utf-8' ? shownText(decodeEscaped(body)) : await decodeBytes(body, encoding);
  return { kind: 'text', text };
}
