import { takeUtf8Census } from './escaped-bytes.js';
import { ALPHABETIC_READINGS, EAST_ASIAN_READINGS, type LegacyReading } from './legacy-scripts.js';
import { likelihood } from './legacy-likelihood.js';

/** More says nothing new and costs time. */
const SAMPLE_BYTES = 16 * 1024;
/** What is looked at before a byte beyond ASCII in a long line. */
const CONTEXT_BYTES = 64;
/** East Asian encodings are only tried when no alphabet is as likely as this: their tables are large. */
const GOOD = 0.9;
/** Below this nothing fits, and the statistics of a library decide. */
const POOR = 0.5;
const WESTERN = 'windows-1252';
const NOT_WESTERN: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const LINE_FEED = 0x0a;

type Decode = (encoding: string) => string;

/** For bytes that are not UTF-8: damaged UTF-8 stays UTF-8, all else is what its characters make most sense in. */
export async function guessLegacy(bytes: Uint8Array): Promise<string> {
  if (isDamagedUtf8(bytes)) return 'utf-8';
  const sample = linesBeyondAscii(bytes);
  const { default: iconv } = await import('iconv-lite');
  const decode: Decode = (encoding) => iconv.decode(sample, encoding, { stripBOM: false });
  let best = likeliest(ALPHABETIC_READINGS, decode);
  if (best.score < GOOD) {
    const eastAsian = likeliest(EAST_ASIAN_READINGS, decode);
    if (eastAsian.score > best.score) best = eastAsian;
  }
  const encoding = best.score >= POOR ? best.encoding : await askLibrary(sample, decode);
  // Every byte is a character of ISO-8859-1, so nothing is lost by reading so what has bytes that are none in the other.
  return encoding === WESTERN && bytes.some((byte) => NOT_WESTERN.has(byte)) ? 'iso-8859-1' : encoding;
}

/** Many good characters beyond ASCII and few bad bytes, or bad bytes that stand alone: no other encoding looks so. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const { characters, badBytes, crowdedBadBytes } = takeUtf8Census(bytes);
  if (characters >= 4 && badBytes <= characters / 4) return true;
  return characters >= 2 && badBytes <= characters / 2 && crowdedBadBytes === 0;
}

/** Lines, or pieces of long ones, that have bytes beyond ASCII: all that there is to go by. */
function linesBeyondAscii(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  let size = 0;
  let from = 0;
  while (size < SAMPLE_BYTES) {
    const high = findHigh(bytes, from);
    if (high === -1) break;
    const start = Math.max(from, bytes.lastIndexOf(LINE_FEED, high) + 1, high - CONTEXT_BYTES);
    const feed = bytes.indexOf(LINE_FEED, high);
    const end = Math.min(feed === -1 ? bytes.length : feed + 1, start + SAMPLE_BYTES - size);
    parts.push(bytes.subarray(start, end));
    size += end - start;
    from = end;
  }
  return Buffer.concat(parts);
}

function findHigh(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if ((bytes[at] ?? 0) >= 0x80) return at;
  return -1;
}

interface Likely {
  readonly encoding: string;
  readonly score: number;
}

function likeliest(readings: readonly LegacyReading[], decode: Decode): Likely {
  let best: Likely = { encoding: WESTERN, score: 0 };
  for (const reading of readings) {
    const { encoding, handicap } = reading;
    const score = likelihood(decode(encoding), reading) - handicap;
    if (score > best.score) best = { encoding, score };
  }
  return best;
}

/** The first of a library's guesses in which all of the bytes are characters. */
async function askLibrary(sample: Buffer, decode: Decode): Promise<string> {
  const [{ default: chardet }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')]);
  const names = chardet.analyse(sample).map((match) => match.name as string);
  const usable = names.filter((name) => !/^(UTF-|ASCII|ISO-8859-1$)/.test(name) && iconv.encodingExists(name));
  const clean = usable.find((name) => !decode(name).includes('\ufffd'));
  return (clean ?? WESTERN).toLowerCase();
}
