/** What is learned of one file. */
export const FileKind = { none: 0, text: 1, odd: 2, binary: 3, tooLarge: 4 } as const;

/** Numbers kept of a file's stamp, as `StatUnit` has them: times of change in milliseconds (content, then anything), size, inode. */
export const STAMP_NUMBERS = 4;

/** Absolute paths as the system takes them (`systemPath`). */
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

const MAX_LEARNED_SIZE = 1024 * 1024;

/**
 * Judges bytes, as text so that it runs in the worker wherever the program was bundled to. `judge` gives `text` and
 * `binary` only where `detectEncoding` certainly says the same, `odd` otherwise; for text also what is to be
 * fingerprinted. `fingerprint` sets bits of `out` from `at` on (which must be zero there) and gives its length in units; what
 * counts is described in `fingerprint.ts`. The only two characters that ripgrep takes for ASCII ones when it ignores
 * case, the Kelvin sign and the long s, count as these.
 */
export const JUDGE_SOURCE = String.raw`
'use strict';
const { isUtf8 } = require('node:buffer');
const TEXT = 1, ODD = 2, BINARY = 3;
const HEAD = 8192;
const KELVIN = Buffer.from('\u212a'), LONG_S = Buffer.from('\u017f');
const IS_CONTROL = new Uint8Array(256);
const FOLDED = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  IS_CONTROL[byte] = (byte < 0x20 && !(byte >= 8 && byte <= 13) && byte !== 0x1b) || byte === 0x7f ? 1 : 0;
  if (byte === 9 || (byte >= 0x20 && byte <= 0x7e)) FOLDED[byte] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
}

function judge(bytes) {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return judgeWide(bytes);
  if (bytes.length >= 4 && bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) return { kind: ODD };
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const isValid = isUtf8(bytes);
  const firstNul = bytes.indexOf(0);
  if (isMarked) return isValid && firstNul === -1 ? { kind: TEXT, text: asciiLike(bytes) } : { kind: ODD };
  const head = bytes.subarray(0, HEAD);
  if (firstNul !== -1) return { kind: firstNul < HEAD && !mayBeWide(head) ? BINARY : ODD };
  let controls = 0;
  for (let at = 0; at < head.length; at++) controls += IS_CONTROL[head[at]];
  if (controls > head.length * 0.3) return { kind: BINARY };
  return isValid ? { kind: TEXT, text: asciiLike(bytes) } : { kind: ODD };
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
  if (!bytes.includes(KELVIN) && !bytes.includes(LONG_S)) return bytes;
  return Buffer.from(bytes.toString('utf8').replaceAll('\u212a', 'k').replaceAll('\u017f', 's'), 'utf8');
}

const SEEN = new Uint8Array(1 << 17);
const FOUND = new Uint32Array((1 << 17) + 1);
const HASHES = 1 << 17;
// Of these bits for a piece some 46 of 100 are set; a text for which that were more than the most is told less well.
const BITS_FOR_A_PIECE = 1.6;
const MAX_UNITS = 1024;

function fingerprint(bytes, out, at) {
  const length = bytes.length;
  let count = 0, trigram = 0, run = 0;
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
  const units = Math.max(1, Math.min(MAX_UNITS, Math.ceil(count * BITS_FOR_A_PIECE / 64)));
  const share = units * 64 / HASHES;
  for (let index = 0; index < count; index++) {
    const hash = FOUND[index];
    SEEN[hash] = 0;
    const place = (hash * share) | 0;
    out[at + (place >>> 3)] |= 1 << (place & 7);
  }
  return units;
}
`;

/**
 * The worker's program. A file counts as learned only when its stamp, taken before it is read, is so old by then that
 * a change after that, also while it is read, cannot get the same one: clocks of file systems tick in steps, some in
 * seconds.
 */
export const LEARN_SOURCE = `${JUDGE_SOURCE}
const fs = require('node:fs');
const { parentPort } = require('node:worker_threads');
const MAX_SIZE = ${MAX_LEARNED_SIZE};
const MAX_BYTES = 8 * MAX_UNITS;
const OPEN = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW || 0) | (fs.constants.O_NONBLOCK || 0);
const content = Buffer.allocUnsafeSlow(MAX_SIZE);
let pool = new Uint8Array(1024 * 1024);

parentPort.on('message', (paths) => {
  const started = performance.now();
  const answer = {
    kinds: new Uint8Array(paths.length),
    stamps: new Float64Array(${STAMP_NUMBERS} * paths.length),
    units: new Uint16Array(paths.length),
  };
  let used = 0;
  for (let index = 0; index < paths.length; index++) {
    try {
      used = learn(paths[index], index, answer, used);
    } catch {
      answer.kinds[index] = 0;
    }
  }
  answer.bits = pool.slice(0, used);
  pool.fill(0, 0, used);
  answer.workedMs = performance.now() - started;
  parentPort.postMessage(answer, [answer.kinds.buffer, answer.stamps.buffer, answer.units.buffer, answer.bits.buffer]);
});

function learn(path, index, answer, used) {
  const fd = fs.openSync(typeof path === 'string' ? path : Buffer.from(path), OPEN);
  try {
    const before = fs.fstatSync(fd);
    if (!before.isFile() || !isSettled(before, Date.now())) return used;
    const judged = before.size > MAX_SIZE ? { kind: 4 } : readAndJudge(fd, before.size);
    if (judged === undefined) return used;
    answer.kinds[index] = judged.kind;
    answer.stamps.set([before.mtimeMs, before.ctimeMs, before.size, before.ino], ${STAMP_NUMBERS} * index);
    if (judged.text === undefined) return used;
    makeRoom(used);
    const units = fingerprint(judged.text, pool, used);
    answer.units[index] = units;
    return used + 8 * units;
  } finally {
    fs.closeSync(fd);
  }
}

function readAndJudge(fd, size) {
  // Also where nothing should be: some files of the system do not tell how long they are.
  const wanted = Math.max(1, size);
  let length = 0;
  for (let read = 1; read > 0 && length < wanted; length += read)
    read = fs.readSync(fd, content, length, wanted - length, null);
  return length === size ? judge(content.subarray(0, length)) : undefined;
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
