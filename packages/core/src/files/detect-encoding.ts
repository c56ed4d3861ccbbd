import { isUtf8 } from 'node:buffer';
import { Failure } from '../util/failure.js';

/** How the bytes of a file are to be read. */
export interface Detection {
  /** `utf-8`, `utf-16le`, `utf-16be`, or a name that iconv-lite knows. */
  readonly encoding: string;
  /** Bytes of the byte order mark at the start; 0 without one. */
  readonly bomLength: number;
}

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
/** More says nothing new to the detector and costs time. */
const DETECTOR_SAMPLE_BYTES = 65_536;

const WESTERN = /^(windows-125[0247]|ISO-8859-(1|2|9))$/;
const EAST_ASIAN = /^(Shift_JIS|GB18030|Big5|EUC-JP|EUC-KR)$/;
const EAST_ASIAN_TEXT =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u30ff\uff00-\uffef]+$/u;

/** The mark that the bytes start with. */
export function byteOrderMark(encoding: string): Buffer {
  return Buffer.from(BYTE_ORDER_MARKS.find((mark) => mark.encoding === encoding)?.bytes ?? []);
}

/**
 * The encoding of a text file, by its mark → the pattern of UTF-16 → valid UTF-8 → statistics of its bytes.
 * `whole`: the bytes are all of the file; otherwise a character cut at their end does not count against UTF-8.
 * @throws Failure `binary_file` for bytes that are no text; `name` says what in the message
 */
export async function detectEncoding(bytes: Uint8Array, whole: boolean, name: string): Promise<Detection> {
  const marked = findByteOrderMark(bytes);
  if (marked !== undefined) return marked;
  const wide = utf16Pattern(bytes);
  if (wide !== undefined) return { encoding: wide, bomLength: 0 };
  const sample = bytes.subarray(0, BINARY_SAMPLE_BYTES);
  if (sample.includes(0)) throw binary(name);
  const valid = isUtf8(whole ? bytes : withoutCutCharacter(bytes));
  if (controlShare(sample) > (valid ? 0.3 : 0.03)) throw binary(name);
  return { encoding: valid ? 'utf-8' : await guessLegacy(bytes), bomLength: 0 };
}

function binary(name: string): Failure {
  return new Failure('binary_file', `${name} is a binary file, not text. Use a command that understands it.`);
}

function findByteOrderMark(bytes: Uint8Array): Detection | undefined {
  const mark = BYTE_ORDER_MARKS.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte));
  return mark === undefined ? undefined : { encoding: mark.encoding, bomLength: mark.bytes.length };
}

/** Text in UTF-16 without a mark has a NUL in every second byte wherever it is ASCII, and no NUL character. */
function utf16Pattern(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, BINARY_SAMPLE_BYTES) & ~1;
  if (length < 4) return undefined;
  const zeros = [0, 0];
  let controls = 0;
  for (let index = 0; index < length; index += 2) {
    const first = bytes[index] ?? 0;
    const second = bytes[index + 1] ?? 0;
    if (first === 0) zeros[0] = (zeros[0] ?? 0) + 1;
    if (second === 0) zeros[1] = (zeros[1] ?? 0) + 1;
    if (first === 0 && second === 0) return undefined;
    if ((first === 0 && isControl(second)) || (second === 0 && isControl(first))) controls += 1;
  }
  const pairs = length / 2;
  const [even = 0, odd = 0] = zeros;
  if (controls > pairs * 0.02) return undefined;
  if (odd >= pairs * 0.3 && even <= pairs * 0.02) return 'utf-16le';
  if (even >= pairs * 0.3 && odd <= pairs * 0.02) return 'utf-16be';
  return undefined;
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

/** For bytes that are not UTF-8: damaged UTF-8 stays UTF-8, all else is asked of the detector. */
export async function guessLegacy(bytes: Uint8Array): Promise<string> {
  const sample = sampleAroundHighBytes(bytes);
  if (isDamagedUtf8(sample)) return 'utf-8';
  const [{ default: chardet }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')]);
  const names = chardet.analyse(sample).map((match) => match.name as string);
  const buffer = Buffer.from(sample);
  const decode = (name: string): string => iconv.decode(buffer, name, { stripBOM: false });
  const usable = names.filter((name) => !/^(UTF-|ASCII)/.test(name) && iconv.encodingExists(name));
  const [best] = usable;
  if (best !== undefined && WESTERN.test(best) && averageHighRun(sample) >= 1.7) {
    // Short East Asian text is mistaken for Western text, in which letters with accents rarely touch.
    const eastAsian = usable.find((name) => EAST_ASIAN.test(name) && isEastAsian(decode(name)));
    if (eastAsian !== undefined) return eastAsian.toLowerCase();
  }
  const clean = [...usable, 'windows-1252'].find((name) => !decode(name).includes('\ufffd'));
  // Every byte is a character of ISO-8859-1, so nothing is lost by reading it so.
  return (clean === 'ISO-8859-1' ? 'windows-1252' : (clean ?? 'ISO-8859-1')).toLowerCase();
}

/** A stretch that starts shortly before the first byte beyond ASCII: statistics need those bytes. */
function sampleAroundHighBytes(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, first - 1024);
  return bytes.subarray(start, start + DETECTOR_SAMPLE_BYTES);
}

/** Many good characters beyond ASCII and few bad bytes: no other encoding looks like that. */
function isDamagedUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(sample);
  let bad = 0;
  let good = 0;
  for (const character of text) {
    if (character === '\ufffd') bad += 1;
    else if (character > '\u007f') good += 1;
  }
  return good >= 4 && bad <= good / 4;
}

function averageHighRun(sample: Uint8Array): number {
  let runs = 0;
  let high = 0;
  let inside = false;
  for (const byte of sample) {
    if (byte >= 0x80) {
      high += 1;
      if (!inside) runs += 1;
    }
    inside = byte >= 0x80;
  }
  return runs === 0 ? 0 : high / runs;
}

function isEastAsian(text: string): boolean {
  const beyond = text.replace(/[\0-\x7f]/g, '');
  return beyond !== '' && EAST_ASIAN_TEXT.test(beyond);
}
