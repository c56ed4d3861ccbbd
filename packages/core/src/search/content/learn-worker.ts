import { JAPANESE_SOURCE } from '../engines/japanese-source.js';
import { OTHER_CASES_SOURCE } from '../engines/other-cases-source.js';

/** What is learned of one file. */
export const FileKind = { none: 0, text: 1, odd: 2, binary: 3, tooLarge: 4 } as const;

/** Numbers kept of a file's stamp, as `StatUnit` has them: times of change in milliseconds (content, then anything), size, inode. */
export const STAMP_NUMBERS = 4;

/** Absolute paths as the system takes them (`systemPath`); some tens, as nothing else is done meanwhile. */
export type LearnRequest = readonly (string | Uint8Array)[];

/** The answer to one request, by the places of its paths. */
export interface LearnAnswer {
  /** `FileKind`; `none` for a file that could not be looked at, or changed too shortly before. */
  readonly kinds: Uint8Array;
  readonly stamps: Float64Array;
  /** Of text: how long its fingerprint is, in units of eight bytes. */
  readonly units: Uint16Array;
  /** The fingerprints of all texts, one after the other. */
  readonly bits: Uint8Array;
  readonly workedMs: number;
}

/** Larger files are read in parts of that size, which stay in the processor's cache: twice as fast as a megabyte at once. */
export const PART_BYTES = 64 * 1024;
/** Of larger ones only that is learned, and whether they begin as no text does. */
const MAX_LEARNED_SIZE = 16 * 1024 * 1024;

/**
 * Judges bytes, as text so that it runs in a thread wherever the program was bundled to. `judge` gives `text` and
 * `binary` only where `detectEncoding` certainly says the same, `odd` otherwise; for text also what is to be
 * fingerprinted. `fingerprint` sets bits of `out` from `at` on (which must be zero there) and gives its length in units; what
 * counts is described in `fingerprint.ts`. `judgeParts` judges what comes in parts, of which the first is as long as a
 * head, and has `finish` give the fingerprint of what is text. The only two characters that ripgrep takes for ASCII ones
 * when it ignores case, the Kelvin sign and the long s, count as these.
 */
export const JUDGE_SOURCE = String.raw`
'use strict';
const { isUtf8 } = require('node:buffer');
const TEXT = 1, ODD = 2, BINARY = 3, TOO_LARGE = 4;
const HEAD = 8192;
${OTHER_CASES_SOURCE}
${JAPANESE_SOURCE}
const IS_CONTROL = new Uint8Array(256);
const FOLDED = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  IS_CONTROL[byte] = (byte < 0x20 && !(byte >= 8 && byte <= 13) && byte !== 0x1b) || byte === 0x7f ? 1 : 0;
  if (byte === 9 || (byte >= 0x20 && byte <= 0x7e)) FOLDED[byte] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
}

function judge(bytes) {
  if (hasWideMark(bytes)) return judgeWide(bytes);
  const isValid = isUtf8(bytes);
  const hasNul = bytes.includes(0);
  const head = bytes.subarray(0, HEAD);
  if (hasNul) return { kind: isBinaryHead(head) ? BINARY : ODD };
  if (!hasMark(bytes) && hasManyControls(head)) return { kind: BINARY };
  return isValid && !turnsToJapanese(bytes) ? { kind: TEXT, text: asciiLike(bytes) } : { kind: ODD };
}

function judgeParts(next) {
  const first = next();
  if (hasWideMark(first)) return TOO_LARGE;
  const head = first.subarray(0, HEAD);
  if (isBinaryHead(head)) return BINARY;
  if (!hasMark(first) && hasManyControls(head)) return ODD;
  let rest = Buffer.alloc(0);
  for (let part = first; part !== undefined; part = next()) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, part]) : part;
    const end = endOfCharacters(bytes);
    const whole = bytes.subarray(0, end);
    if (whole.includes(0) || !isUtf8(whole) || turnsToJapanese(whole)) return forget(ODD);
    collect(asciiLike(whole));
    rest = Buffer.from(bytes.subarray(end));
  }
  return rest.length > 0 ? forget(ODD) : TEXT;
}

function hasWideMark(bytes) {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function hasMark(bytes) {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

// A NUL in it, and no mark of an encoding.
function isBinaryHead(head) {
  if (hasWideMark(head) || hasMark(head)) return false;
  if (head[0] === 0 && head[1] === 0 && head[2] === 0xfe && head[3] === 0xff) return false;
  return head.includes(0) && !mayBeWide(head);
}

function hasManyControls(head) {
  let controls = 0;
  for (let at = 0; at < head.length; at++) controls += IS_CONTROL[head[at]];
  return controls > head.length * 0.3;
}

// Where the last character begins, if it goes on behind these bytes, or an escape sequence.
function endOfCharacters(bytes) {
  if (bytes[bytes.length - 1] === 27) return bytes.length - 1;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function judgeWide(bytes) {
  if (bytes.length % 2 === 1 || (bytes[2] === 0 && bytes[3] === 0)) return { kind: ODD };
  try {
    const text = new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return { kind: ODD };
    return { kind: TEXT, text: asciiLike(Buffer.from(text, 'utf8')) };
  } catch {
    return { kind: ODD };
  }
}

// Every second byte often a NUL, and seldom two in one pair.
function mayBeWide(head) {
  const length = head.length & ~1;
  if (length < 4) return false;
  let even = 0, odd = 0;
  for (let at = 0; at < length; at += 2) {
    const first = head[at] === 0, second = head[at + 1] === 0;
    if (first && second) return false;
    if (first) even++;
    if (second) odd++;
  }
  return Math.max(even, odd) >= length / 2 * 0.3;
}

function asciiLike(bytes) {
  if (!holdsOtherCases(bytes)) return bytes;
  return Buffer.from(bytes.toString('utf8').replaceAll('\u212a', 'k').replaceAll('\u017f', 's'), 'utf8');
}

const SEEN = new Uint8Array(1 << 17);
const FOUND = new Uint32Array((1 << 17) + 1);
const HASHES = 1 << 17;
// Of these bits for a piece some 46 of 100 are set; a text for which that were more than the most is told less well.
const BITS_FOR_A_PIECE = 1.6;
const MAX_UNITS = 1024;

/** What is collected so far: hashes found, and the last bytes. */
let found = 0, last = 0, lastRun = 0;

function fingerprint(bytes, out, at) {
  collect(bytes);
  return finish(out, at);
}

function collect(bytes) {
  const length = bytes.length;
  let count = found, trigram = last, run = lastRun;
  for (let index = 0; index < length; index++) {
    const byte = FOLDED[bytes[index]];
    if (byte === 0) {
      run = 0;
      continue;
    }
    trigram = ((trigram << 8) | byte) & 0xffffff;
    if (++run < 3) continue;
    // Without a branch: whether a piece is new is as hard to guess for the processor as for anybody.
    const hash = Math.imul(trigram, 0x9e3779b1) >>> 15;
    FOUND[count] = hash;
    count += 1 - SEEN[hash];
    SEEN[hash] = 1;
  }
  [found, last, lastRun] = [count, trigram, run];
}

function finish(out, at) {
  const count = found;
  const units = Math.max(1, Math.min(MAX_UNITS, Math.ceil(count * BITS_FOR_A_PIECE / 64)));
  const share = units * 64 / HASHES;
  for (let index = 0; index < count; index++) {
    const place = (FOUND[index] * share) | 0;
    out[at + (place >>> 3)] |= 1 << (place & 7);
  }
  forget();
  return units;
}

function forget(kind) {
  for (let index = 0; index < found; index++) SEEN[FOUND[index]] = 0;
  found = last = lastRun = 0;
  return kind;
}
`;

/**
 * A part of a thread's program (see `engines/threads/thread-source.ts`): the body of a function that gives the function
 * that learns. It expects `fs`, `content` (a buffer for a part of a file) and `progress`, which counts
 * files; `isWanted` says whether to go on.
 *
 * A file counts as learned only when its stamp, taken before it is read, is so old by then that a change after that,
 * also while it is read, cannot get the same one: clocks of file systems tick in steps, some in seconds.
 */
export const LEARN_SOURCE = `${JUDGE_SOURCE}
const MAX_SIZE = ${MAX_LEARNED_SIZE};
const MAX_BYTES = 8 * MAX_UNITS;
const OPEN = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW || 0) | (fs.constants.O_NONBLOCK || 0);
let pool = new Uint8Array(16 * MAX_BYTES);

return (paths, isWanted) => {
  const started = performance.now();
  const answer = {
    kinds: new Uint8Array(paths.length),
    stamps: new Float64Array(${STAMP_NUMBERS} * paths.length),
    units: new Uint16Array(paths.length),
    bits: undefined,
    workedMs: 0,
  };
  let used = 0;
  for (let index = 0; index < paths.length && isWanted(); index++) {
    progress();
    try {
      used = learn({ path: paths[index], index, isWanted }, answer, used);
    } catch {
      answer.kinds[index] = forget(0);
    }
  }
  answer.bits = pool.slice(0, used);
  pool.fill(0, 0, used);
  answer.workedMs = performance.now() - started;
  return answer;
};

function learn({ path, index, isWanted }, answer, used) {
  const fd = fs.openSync(typeof path === 'string' ? path : Buffer.from(path), OPEN);
  try {
    const before = fs.fstatSync(fd);
    if (!before.isFile() || !isSettled(before, Date.now())) return used;
    const kind = readAndJudge(fd, before.size, isWanted);
    if (kind === undefined) return used;
    answer.kinds[index] = kind;
    answer.stamps.set([before.mtimeMs, before.ctimeMs, before.size, before.ino], ${STAMP_NUMBERS} * index);
    if (kind !== TEXT) return used;
    makeRoom(used);
    const units = finish(pool, used);
    answer.units[index] = units;
    return used + 8 * units;
  } finally {
    fs.closeSync(fd);
  }
}

/** What is text is collected. Undefined: it is not as long as it should be, or is not wanted any more. */
function readAndJudge(fd, size, isWanted) {
  if (size > MAX_SIZE) return isBinaryHead(content.subarray(0, read(fd, HEAD))) ? BINARY : TOO_LARGE;
  // Also where nothing should be: some files of the system do not tell how long they are.
  const first = content.subarray(0, read(fd, Math.max(1, Math.min(size, content.length))));
  if (size <= content.length) {
    if (first.length !== size) return undefined;
    const { kind, text } = judge(first);
    if (text !== undefined) collect(text);
    return kind;
  }
  let length = 0;
  return judgeParts(() => {
    if (length === size) return undefined;
    progress();
    const filled = length === 0 ? first.length : isWanted() ? read(fd, Math.min(content.length, size - length)) : 0;
    if (filled === 0) throw new Error('shorter than it was, or not wanted any more');
    length += filled;
    return content.subarray(0, filled);
  });
}

/** Fills the buffer as far as is wanted and there is; gives how far. */
function read(fd, wanted) {
  let length = 0;
  for (let got = 1; got > 0 && length < wanted; length += got)
    got = fs.readSync(fd, content, length, wanted - length, null);
  return length;
}

function isSettled(stat, now) {
  const isCoarse = stat.mtimeMs % 1000 === 0 && stat.ctimeMs % 1000 === 0;
  return now - Math.max(stat.mtimeMs, stat.ctimeMs) >= (isCoarse ? 3000 : 100);
}

function makeRoom(used) {
  if (used + MAX_BYTES <= pool.length) return;
  const larger = new Uint8Array(2 * pool.length);
  larger.set(pool.subarray(0, used));
  pool = larger;
}
`;
