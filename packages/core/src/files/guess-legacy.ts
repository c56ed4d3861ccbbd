import { createHash } from 'node:crypto';
import type { ReadableFile } from './byte-source.js';
import { Utf8Counter, type Utf8Census } from './escaped-bytes.js';
import type { LegacyReading } from './legacy-scripts.js';

/** More says nothing new and costs time. */
const SAMPLE_BYTES = 16 * 1024;
const MOST_WORD_BYTES = 8 * 1024;
/**
 * All readings are tried on some words from everywhere, on more only those that are not far behind the best of them, and on all words those
 * that are not far behind it then: to try one on all takes milliseconds.
 */
const FEW_WORD_BYTES = 256;
const FAR_BEHIND_ON_FEW = 0.5;
const FIRST_WORD_BYTES = 1024;
const FAR_BEHIND = 0.3;
const BEYOND_ASCII = /[^\0-\x7f]/;
/** What is looked at before a byte beyond ASCII in a long line. */
const CONTEXT_BYTES = 64;
/** East Asian encodings are only tried when no alphabet is as likely as this: their tables are large. */
const GOOD = 0.9;
/** Below this nothing fits, and the statistics of a library decide. */
const POOR = 0.5;
const WESTERN = 'windows-1252';
const NOT_WESTERN: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
const LINE_FEED = 0x0a;

type Decode = (encoding: string) => string;
type Score = (reading: LegacyReading) => number;

/** What a file may have to be judged whole: an edit takes no larger one. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Bytes and files are looked at in the same pieces, so that they are judged the same. */
const CHUNK_BYTES = 512 * 1024;

const MOST_GUESSES = 20_000;

/** Remembers which encodings were guessed, since that takes milliseconds: the same sample is judged the same each time. */
export class LegacyGuesses {
  readonly #encodings = new Map<string, string>();

  async of(findings: Findings): Promise<string> {
    const key = `${findings.isNotWestern} ${findings.hasFourBytes} ${createHash('sha1').update(findings.sample).digest('base64')}`;
    const known = this.#encodings.get(key);
    if (known !== undefined) return known;
    const { encoding } = await judge(findings);
    if (this.#encodings.size >= MOST_GUESSES) this.#encodings.clear();
    this.#encodings.set(key, encoding);
    return encoding;
  }
}

/** For bytes that are not UTF-8: damaged UTF-8 stays UTF-8, all else is what its characters make most sense in. */
export async function guessLegacy(bytes: Uint8Array, guesses?: LegacyGuesses): Promise<string> {
  return encodingFor(evidenceIn(bytes), guesses);
}

/** The most likely encoding of bytes that are not UTF-8. */
export interface LegacyGuess {
  readonly encoding: string;
  /** False if the evidence is so weak that another encoding is possible. */
  readonly isSure: boolean;
}

/** Fewer non-ASCII bytes than this make sense in several encodings. */
const TELLING_BYTES = 16;

/** Judges an encoding other than UTF-8. `beside`: the clear encodings of other files in the folder. */
export async function judgeLegacy(
  bytes: Uint8Array,
  beside: () => Promise<readonly string[]> = async () => [],
): Promise<LegacyGuess> {
  const findings = evidenceIn(bytes);
  if (isDamagedUtf8(findings.census)) return { encoding: 'utf-8', isSure: true };
  const { encoding, score } = await judge(findings);
  const isShort = findings.sample.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0) < TELLING_BYTES;
  if (!isShort) return { encoding, isSure: score >= POOR };
  const { default: iconv } = await import('iconv-lite');
  const fits = (other: string): boolean => {
    const text = iconv.decode(findings.sample, other, { stripBOM: false });
    return !text.includes('\ufffd') && iconv.encode(text, other, { addBOM: false }).equals(findings.sample);
  };
  // An accented letter stands alone; a character of an East Asian encoding has two bytes.
  const near = LONE_BYTE.test(findings.sample.toString('latin1')) ? undefined : (await beside()).find(fits);
  if (near !== undefined) return { encoding: near, isSure: true };
  return { encoding, isSure: encoding === WESTERN && score >= GOOD };
}

const LONE_BYTE = /(?:^|[\0-\x7f])[\x80-\xff](?:[\0-\x7f]|$)/;

function evidenceIn(bytes: Uint8Array): Findings {
  const evidence = new Evidence();
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) evidence.add(bytes.subarray(at, at + CHUNK_BYTES));
  return evidence.finish();
}

async function encodingFor(findings: Findings, guesses: LegacyGuesses | undefined): Promise<string> {
  if (isDamagedUtf8(findings.census)) return 'utf-8';
  return guesses === undefined ? (await judge(findings)).encoding : guesses.of(findings);
}

/**
 * `guessLegacy` of all bytes of a file (of the first 64 MiB of a larger one), without taking them into memory;
 * undefined where they are UTF-8. So a part of a file is read as an edit, which has all of it, reads it.
 */
export async function guessLegacyOfFile(
  file: ReadableFile,
  signal: AbortSignal,
  guesses?: LegacyGuesses,
): Promise<string | undefined> {
  const evidence = new Evidence();
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; position < MAX_FILE_BYTES; position += CHUNK_BYTES) {
    signal.throwIfAborted();
    let filled = 0;
    while (filled < CHUNK_BYTES) {
      const { bytesRead } = await file.read(buffer, filled, CHUNK_BYTES - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    evidence.add(buffer.subarray(0, filled));
    if (filled < CHUNK_BYTES) break;
  }
  const found = evidence.finish();
  return found.census.badBytes === 0 ? undefined : encodingFor(found, guesses);
}

interface Findings {
  readonly census: Utf8Census;
  readonly sample: Buffer;
  /** It has bytes that are no characters of windows-1252. */
  readonly isNotWestern: boolean;
  /** True if the bytes, read as GB18030, have characters that GBK lacks. */
  readonly hasFourBytes: boolean;
}

/** What there is to go by in bytes that come in pieces. */
class Evidence {
  readonly #counter = new Utf8Counter();
  readonly #parts: Buffer[] = [];
  #size = 0;
  #isNotWestern = false;
  #hasFourBytes = false;
  /** True if the last piece ended within a character. */
  #isWithin = false;

  add(piece: Uint8Array): void {
    this.#counter.add(piece);
    this.#isNotWestern ||= NOT_WESTERN.some((byte) => piece.includes(byte));
    this.#lookForFourBytes(piece);
    if (this.#size >= SAMPLE_BYTES) return;
    const lines = linesBeyondAscii(piece, SAMPLE_BYTES - this.#size);
    this.#parts.push(lines);
    this.#size += lines.length;
  }

  finish(): Findings {
    return {
      census: this.#counter.finish(),
      sample: Buffer.concat(this.#parts),
      isNotWestern: this.#isNotWestern,
      hasFourBytes: this.#hasFourBytes,
    };
  }

  /** Looks for characters of four bytes: their second byte is a digit, which GBK never has there. */
  #lookForFourBytes(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length && !this.#hasFourBytes) {
      if (!this.#isWithin) {
        at = findHigh(piece, at);
        if (at === -1) return;
        this.#isWithin = (piece[at] ?? 0) > 0x80;
      } else {
        const byte = piece[at] ?? 0;
        this.#hasFourBytes = byte >= 0x30 && byte <= 0x39;
        this.#isWithin = false;
      }
      at += 1;
    }
  }
}

async function judge({ sample, isNotWestern, hasFourBytes }: Omit<Findings, 'census'>): Promise<Likely> {
  const [{ default: iconv }, { ALPHABETIC_READINGS, EAST_ASIAN_READINGS }, { likelihood }] = await Promise.all([
    import('iconv-lite'),
    import('./legacy-scripts.js'),
    import('./legacy-likelihood.js'),
  ]);
  const words = wordsBeyondAscii(sample);
  const scoreIn =
    (bytes: Buffer): Score =>
    (reading) =>
      likelihood(iconv.decode(bytes, reading.encoding, { stripBOM: false }), reading) - reading.handicap;
  const decode: Decode = (encoding) => iconv.decode(words, encoding, { stripBOM: false });
  const isMuch = words.length > FIRST_WORD_BYTES;
  const rounds: Round[] = !isMuch
    ? []
    : [
        { score: scoreIn(fewOf(words)), farBehind: FAR_BEHIND_ON_FEW },
        { score: scoreIn(words.subarray(0, FIRST_WORD_BYTES)), farBehind: FAR_BEHIND },
      ];
  const scores = { rounds, all: scoreIn(words) };
  let best = likeliest(ALPHABETIC_READINGS, scores, { encoding: WESTERN, score: 0 });
  if (best.score < GOOD) best = likeliest(EAST_ASIAN_READINGS, scores, best);
  const encoding = best.score >= POOR ? best.encoding : await askLibrary(sample, decode);
  // Every byte is a character of ISO-8859-1, so nothing is lost by reading so what has bytes that are none in the other.
  if (encoding === WESTERN && isNotWestern) return { encoding: 'iso-8859-1', score: best.score };
  // Programs that know only GBK read the file, so it must not get characters that GBK lacks.
  return { encoding: encoding === 'gb18030' && !hasFourBytes ? 'gbk' : encoding, score: best.score };
}

/** Many good characters beyond ASCII and few bad bytes, or bad bytes that stand alone: no other encoding looks so. */
function isDamagedUtf8({ characters, badBytes, crowdedBadBytes }: Utf8Census): boolean {
  if (characters >= 4 && badBytes <= characters / 4) return true;
  return characters >= 2 && badBytes <= characters / 2 && crowdedBadBytes === 0;
}

/** Lines, or pieces of long ones, that have bytes beyond ASCII: all that there is to go by. A copy. */
function linesBeyondAscii(bytes: Uint8Array, maxBytes: number): Buffer {
  const parts: Uint8Array[] = [];
  let size = 0;
  let from = 0;
  while (size < maxBytes) {
    const high = findHigh(bytes, from);
    if (high === -1) break;
    const start = Math.max(from, bytes.lastIndexOf(LINE_FEED, high) + 1, high - CONTEXT_BYTES);
    const feed = bytes.indexOf(LINE_FEED, high);
    const end = Math.min(feed === -1 ? bytes.length : feed + 1, start + maxBytes - size);
    parts.push(bytes.subarray(start, end));
    size += end - start;
    from = end;
  }
  return Buffer.concat(parts);
}

/** The words of a sample that have bytes beyond ASCII. In no encoding is a space or a line break a part of a character. */
function wordsBeyondAscii(sample: Buffer): Buffer {
  const words = sample.toString('latin1').split(/[ \t\r\n]+/);
  const telling = words.filter((word) => BEYOND_ASCII.test(word)).join('\n');
  return Buffer.from(telling.slice(0, MOST_WORD_BYTES), 'latin1');
}

/** Words from everywhere among them, or the beginning of one that is so long. */
function fewOf(words: Buffer): Buffer {
  const step = Math.ceil(words.length / FEW_WORD_BYTES);
  const few = words
    .toString('latin1')
    .split('\n')
    .filter((_, at) => at % step === 0);
  return Buffer.from(few.join('\n').slice(0, FEW_WORD_BYTES), 'latin1');
}

function findHigh(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if ((bytes[at] ?? 0) >= 0x80) return at;
  return -1;
}

interface Likely {
  readonly encoding: string;
  readonly score: number;
}

/** In which readings are left out. */
interface Round {
  readonly score: Score;
  readonly farBehind: number;
}

interface Scores {
  /** None where there is so little that it is not worth it. */
  readonly rounds: readonly Round[];
  readonly all: Score;
}

function likeliest(readings: readonly LegacyReading[], { rounds, all }: Scores, atLeast: Likely): Likely {
  let best = atLeast;
  for (const reading of rounds.reduce(notFarBehind, readings)) {
    // So much it could have at most.
    if (1 - reading.handicap <= best.score) continue;
    const score = all(reading);
    if (score > best.score) best = { encoding: reading.encoding, score };
  }
  return best;
}

function notFarBehind(readings: readonly LegacyReading[], { score, farBehind }: Round): readonly LegacyReading[] {
  if (readings.length < 2) return readings;
  const scores = readings.map(score);
  const enough = Math.max(...scores) - farBehind;
  return readings.filter((_, at) => (scores[at] ?? 0) >= enough);
}

/** The first of a library's guesses in which all of the bytes are characters. */
async function askLibrary(sample: Buffer, decode: Decode): Promise<string> {
  const [{ default: chardet }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')]);
  const names = chardet.analyse(sample).map((match) => match.name as string);
  const usable = names.filter((name) => !/^(UTF-|ASCII|ISO-8859-1$)/.test(name) && iconv.encodingExists(name));
  const clean = usable.find((name) => !decode(name).includes('\ufffd'));
  return (clean ?? WESTERN).toLowerCase();
}
