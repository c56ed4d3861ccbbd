import { isAscii, isUtf8 } from 'node:buffer';
import { Failure } from '../util/failure.js';
import { judgeLegacy } from './guess-legacy.js';
import { undecodableText } from './undecodable.js';

/** How the bytes of a file are to be read. */
export interface Detection {
  /** `utf-8`, `utf-16le`, `utf-16be`, `ISO_2022_JP`, or a name that iconv-lite knows. */
  readonly encoding: string;
  /** Bytes of the byte order mark at the start; 0 without one. */
  readonly bomLength: number;
  /** True if the evidence is so weak that another encoding is possible. */
  readonly isGuess?: boolean;
}

/** Returns the clear encodings of other files in the folder, the most frequent first. */
export type EncodingsBeside = () => Promise<readonly string[]>;

/** Japanese in seven bits, which iconv-lite does not know. */
export const ISO_2022_JP = 'iso-2022-jp';

interface ByteOrderMark {
  readonly encoding: string;
  readonly bytes: readonly number[];
}

/** Longest first: the mark of UTF-32LE starts with that of UTF-16LE. */
const BYTE_ORDER_MARKS: readonly ByteOrderMark[] = [
  { encoding: 'utf-32le', bytes: [0xff, 0xfe, 0x00, 0x00] },
  { encoding: 'utf-32be', bytes: [0x00, 0x00, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** Where a NUL byte decides that a file is binary. */
const BINARY_SAMPLE_BYTES = 8192;

/** By so many of its first bytes a file is ISO-2022-JP or not, whatever its size. */
const ESCAPED_SAMPLE_BYTES = 64 * 1024;
const ESCAPE = 0x1b;
const LINE_FEED = 0x0a;
const KANJI_START = /\x1b\$[@B]/g;
/** Characters of two bytes, up to the next sequence: each line ends in ASCII. */
const KANJI = /\x1b\$[@B](?:[\x21-\x7e]{2})+(?=\x1b[$(])/g;

/** Fewer characters of ASCII do not make certain that bytes are UTF-16. */
const CERTAIN_CHARACTERS = 8;

/** The mark that the bytes start with. */
export function byteOrderMark(encoding: string): Buffer {
  return Buffer.from(BYTE_ORDER_MARKS.find((mark) => mark.encoding === encoding)?.bytes ?? []);
}

/**
 * Returns the encoding of a text file. It tries in turn its mark, the pattern of UTF-16, the escapes of ISO-2022-JP, valid UTF-8, and
 * statistics of its bytes. `whole`: the bytes are all of the file; otherwise a character cut at their end does not count against UTF-8.
 * `beside`: called if the bytes give too little evidence.
 * @throws Failure `binary_file` for bytes that are no text, or one that cannot be read (`undecodableText`); `name` says what in the message
 */
export async function detectEncoding(
  bytes: Uint8Array,
  whole: boolean,
  name: string,
  beside?: EncodingsBeside,
): Promise<Detection> {
  const recognized = recognizeEncoding(bytes, whole, name);
  if (recognized !== undefined) return recognized;
  const { encoding, isSure } = await judgeLegacy(bytes, beside);
  return { encoding, bomLength: 0, ...(isSure ? {} : { isGuess: true }) };
}

/** The same without the statistics, which take a thousand times as long: undefined where they are to decide. */
export function recognizeEncoding(bytes: Uint8Array, whole: boolean, name: string): Detection | undefined {
  if (isBinaryHead(bytes)) throw binary(name);
  const undecodable = undecodableText(bytes);
  if (undecodable !== undefined) throw notDecodable(name, undecodable);
  const marked = findByteOrderMark(bytes);
  if (marked !== undefined) return marked;
  const sample = bytes.subarray(0, BINARY_SAMPLE_BYTES);
  const wide = sample.includes(0) ? utf16Pattern(bytes) : undefined;
  if (wide !== undefined) return { encoding: wide, bomLength: 0 };
  const valid = isUtf8(whole ? bytes : withoutCutCharacter(bytes));
  if (controlShare(sample) > (valid ? 0.3 : 0.03)) throw binary(name);
  if (!valid) return undefined;
  return { encoding: isIso2022Jp(bytes) ? ISO_2022_JP : 'utf-8', bomLength: 0 };
}

/** Bytes of ASCII with escape sequences for Japanese, behind each of which there is some. Others are those of terminals. */
function isIso2022Jp(bytes: Uint8Array): boolean {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, ESCAPED_SAMPLE_BYTES));
  if (!sample.includes(ESCAPE) || !isAscii(sample)) return false;
  // A line that the end of the sample cuts says nothing.
  const end = sample.length < ESCAPED_SAMPLE_BYTES ? sample.length : sample.lastIndexOf(LINE_FEED) + 1;
  const text = sample.toString('latin1', 0, end);
  const starts = text.match(KANJI_START)?.length ?? 0;
  return starts > 0 && text.match(KANJI)?.length === starts;
}

/**
 * Whether the first bytes of a file (8 KB, or all that it has) show by a NUL that it is no text, whatever follows. For
 * thousands of files it is quicker than a failure of `detectEncoding`.
 */
export function isBinaryHead(bytes: Uint8Array): boolean {
  const hasNul = bytes.subarray(0, BINARY_SAMPLE_BYTES).includes(0);
  return hasNul && findByteOrderMark(bytes) === undefined && utf16Pattern(bytes) === undefined;
}

function binary(name: string): Failure {
  return new Failure('binary_file', `${name} is a binary file, not text. Use a command that understands it.`);
}

function notDecodable(name: string, what: string): Failure {
  return new Failure(
    'binary_file',
    `${name} is ${what}, which cannot be read. Convert it to UTF-8 by a command such as iconv.`,
  );
}

function findByteOrderMark(bytes: Uint8Array): Detection | undefined {
  const mark = BYTE_ORDER_MARKS.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte));
  return mark === undefined ? undefined : { encoding: mark.encoding, bomLength: mark.bytes.length };
}

/**
 * Text in UTF-16 without a mark has a NUL in every second byte wherever it is ASCII, and no NUL character. A narrow text
 * with NULs in it (a list that they separate, a record) may look so too: where they are few, or stand among pairs of ASCII.
 */
function utf16Pattern(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, BINARY_SAMPLE_BYTES) & ~1;
  if (length < 2 * CERTAIN_CHARACTERS) return undefined;
  const found = { bigAscii: 0, littleAscii: 0, big: 0, little: 0, narrow: 0, controls: 0 };
  for (let index = 0; index < length; index += 2) {
    const first = bytes[index] ?? 0;
    const second = bytes[index + 1] ?? 0;
    if (first === 0 && second === 0) return undefined;
    if (first === 0) found.big += 1;
    if (second === 0) found.little += 1;
    if (first === 0 && isAsciiText(second)) found.bigAscii += 1;
    if (second === 0 && isAsciiText(first)) found.littleAscii += 1;
    if (isAsciiText(first) && isAsciiText(second)) found.narrow += 1;
    if ((first === 0 && isControl(second)) || (second === 0 && isControl(first))) found.controls += 1;
  }
  const pairs = length / 2;
  if (found.controls > pairs * 0.02) return undefined;
  const ascii = Math.max(found.bigAscii, found.littleAscii);
  // Characters of East Asia may look like two of ASCII as well, but far from all of them.
  const wide = pairs - found.big - found.little - found.narrow;
  if (ascii < CERTAIN_CHARACTERS || 2 * found.narrow > ascii + 8 * wide) return undefined;
  // A NUL in the other byte is that of a character such as U+4E00, which is a frequent one in Chinese.
  if (found.little >= pairs * 0.3 && found.big <= pairs * 0.05) return 'utf-16le';
  if (found.big >= pairs * 0.3 && found.little <= pairs * 0.05) return 'utf-16be';
  return undefined;
}

function isAsciiText(byte: number): boolean {
  return byte !== 0 && byte < 0x80 && !isControl(byte);
}

/** Control characters that text files do not have; tab, line ends, form feed, backspace and escape they do. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f;
}

function controlShare(sample: Uint8Array): number {
  if (sample.length === 0) return 0;
  let count = 0;
  for (const byte of sample) if (isControl(byte)) count += 1;
  return count / sample.length;
}

/** The bytes without a UTF-8 character that their end cuts off. */
export function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
