import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { heldFile } from '../../files/byte-source.js';
import { detectEncoding, isBinaryHead, type Detection } from '../../files/detect-encoding.js';
import { decodeEscaped } from '../../files/escaped-bytes.js';
import { guessLegacyOfFile } from '../../files/guess-legacy.js';
import { lineFeedOf } from '../../files/line-feeds.js';
import { decodeBytes } from '../../files/text-codec.js';
import { Failure } from '../../util/failure.js';
import { shownText } from '../../util/shown-text.js';
import { systemPath } from '../tree/system-path.js';

/** As much as decides that a file with a NUL byte is binary: most are, and no more of them is read. */
const FIRST_BYTES = 8192;
/** As `read_file`: up to this size an encoding is judged on all bytes, above it on the head. */
const WHOLE_SAMPLE_BYTES = 1024 * 1024;
const HEAD_SAMPLE_BYTES = 64 * 1024;

export type OddFile =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'binary' } | { readonly kind: 'too-large' };

const BINARY: OddFile = { kind: 'binary' };

interface OddTextRequest {
  /** A held folder: where it really is, and the path under which to read it. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  /** Relative to the folder. */
  readonly path: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * A file as the text that `read_file` shows of it, without its byte order mark.
 * @throws Failure, or a system error, when it cannot be read or is not where it was
 */
export async function readOddText({ folder, path, maxBytes, signal }: OddTextRequest): Promise<OddFile> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(systemPath(`${folder.workingDirectory}/${path}`), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Failure('not_a_regular_file', 'not a regular file any more');
    refuseMoved(fd, folder.path, path);
    const first = readUpTo(fd, 0, Math.min(stat.size, FIRST_BYTES));
    if (isBinaryHead(first)) return BINARY;
    if (stat.size > maxBytes) return await judgeLarge(fd, path);
    const rest = readUpTo(fd, first.length, stat.size - first.length);
    return await decode({ bytes: Buffer.concat([first, rest]), stat, path, signal });
  } finally {
    closeSync(fd);
  }
}

/** A folder on the way may have become a link since the file was listed. */
function refuseMoved(fd: number, folder: string, path: string): void {
  if (process.platform !== 'linux') return;
  const expected = Buffer.from(systemPath(folder.endsWith('/') ? folder + path : `${folder}/${path}`));
  if (!readlinkSync(`/proc/self/fd/${fd}`, 'buffer').equals(expected))
    throw new Failure('file_not_found', 'it was moved or replaced meanwhile');
}

function readUpTo(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

async function judgeLarge(fd: number, path: string): Promise<OddFile> {
  const found = await detect(readUpTo(fd, 0, HEAD_SAMPLE_BYTES), false, path);
  return found === undefined ? BINARY : { kind: 'too-large' };
}

/** Undefined for what is no text. */
async function detect(bytes: Buffer, whole: boolean, path: string): Promise<Detection | undefined> {
  try {
    return await detectEncoding(bytes, whole, path);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'binary_file') return undefined;
    throw thrown;
  }
}

interface Decoding {
  readonly bytes: Buffer;
  readonly stat: Stats;
  readonly path: string;
  readonly signal: AbortSignal;
}

async function decode({ bytes, stat, path, signal }: Decoding): Promise<OddFile> {
  const isSmall = stat.size <= WHOLE_SAMPLE_BYTES;
  const found = await detect(isSmall ? bytes : bytes.subarray(0, HEAD_SAMPLE_BYTES), isSmall, path);
  if (found === undefined) return BINARY;
  const { encoding, bomLength } = found;
  const body = bytes.subarray(bomLength);
  // Neither a head that is plain ASCII nor one that is not UTF-8 tells what the rest is.
  const isUnsure = !isSmall && bomLength === 0 && lineFeedOf(encoding).length === 1;
  const truth = isUnsure ? ((await guessLegacyOfFile(heldFile(bytes, stat), signal)) ?? encoding) : encoding;
  const text = truth === 'utf-8' ? shownText(decodeEscaped(body)) : await decodeBytes(body, truth);
  return { kind: 'text', text };
}
