import { OTHER_CASES_SOURCE } from '../other-cases-source.js';
import { NEEDLE_BYTES } from './needles.js';

/** In these steps memory of WebAssembly grows. */
const STEP_BYTES = 65_536;
/** So much is read, and never looked at, behind what is searched. */
const SLACK_BYTES = 128;
const DATA_AT = 4096;

/**
 * A part of a thread's program (JavaScript as text): counting where needles (`needles.ts`) are, and nowhere else. It expects
 * `settings.finder`, the compiled `byte-finder.wat`, `BUFFER_BYTES`, and of the search `greedy`, `hasLongRun`, `countWhole` and
 * `startIn`; it gives `buffer` and `roomFor`, which lie in memory of that program where there is one.
 */
export const FINDER_SOURCE = String.raw`
const finder = newFinder();
const buffer = finder === undefined
  ? Buffer.allocUnsafeSlow(BUFFER_BYTES)
  : Buffer.from(finder.memory.buffer, ${DATA_AT}, BUFFER_BYTES);
/** For files that are read as a whole. Its finder is another, since what lies in a memory that grows must be made anew. */
let large = Buffer.alloc(0);
let largeFinder;
${OTHER_CASES_SOURCE}
/** To look at more lines than one in so many bytes one by one costs more than to search all. */
const BYTES_A_LINE = 512;
const FEW_LINES = 16;
/** Longer lines are not searched as a whole where less tells. */
const LONG_LINE = 2048;
/** Bytes that a line may end with. */
const LINE_END = 2;
/** Of the search; see ThreadPattern. */
let needles;
let otherBytes = 0;

function newFinder() {
  if (settings.finder === undefined) return undefined;
  try {
    const { exports } = new WebAssembly.Instance(settings.finder);
    return exports.memory.buffer.byteLength < ${DATA_AT} + BUFFER_BYTES + ${SLACK_BYTES} ? undefined : exports;
  } catch {
    // There may be no room for its memory.
    return undefined;
  }
}

/** At least so many bytes, which may hold anything, and are gone with the next that are asked for. */
function roomFor(bytes, most) {
  if (large.length < bytes) {
    // Memory that was never written to costs more than all that is done in it.
    const wanted = Math.min(2 * bytes, most);
    large = roomInFinder(wanted) ?? Buffer.allocUnsafeSlow(wanted);
  }
  return large.subarray(0, bytes);
}

function roomInFinder(bytes) {
  if (finder === undefined) return undefined;
  try {
    largeFinder ??= newFinder();
    const { memory } = largeFinder;
    const missing = ${DATA_AT} + bytes + ${SLACK_BYTES} - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / ${STEP_BYTES}));
    placeNeedles(largeFinder);
    return Buffer.from(memory.buffer, ${DATA_AT}, bytes);
  } catch {
    largeFinder = undefined;
    return undefined;
  }
}

function setNeedles(wanted) {
  needles = finder === undefined ? undefined : wanted.needles;
  otherBytes = wanted.otherBytes;
  placeNeedles(finder);
  placeNeedles(largeFinder);
}

function placeNeedles(one) {
  if (needles !== undefined && one !== undefined) new Uint8Array(one.memory.buffer).set(needles.encoded);
}

/** In whose memory the bytes lie. */
function finderOf(bytes) {
  if (bytes.buffer === buffer.buffer) return finder;
  return bytes.buffer === large.buffer ? largeFinder : undefined;
}

/** Whether needles tell where there is no match: it may be spelled otherwise. */
function canNeedlesTell(bytes, ascii) {
  if (needles === undefined || finderOf(bytes) === undefined) return false;
  return ascii || !needles.hasOtherCases || !holdsOtherCases(bytes);
}

/** Where the first needle stands at or behind a place; -1 for nowhere. Of several, whichever is found. */
function findNeedle(bytes, from) {
  const { find } = finderOf(bytes);
  const start = bytes.byteOffset;
  for (let needle = 0; needle < needles.count; needle++) {
    const at = find(needle * ${NEEDLE_BYTES}, start + from, start + bytes.length);
    if (at !== -1) return at - start;
  }
  return -1;
}

/** Matches of whole lines, for which needles tell; LEFT for what may take too long. */
function countByNeedles(bytes, ascii) {
  if (needles.meaning === 'choice') return findNeedle(bytes, 0) === -1 ? 0 : countWhole(bytes, ascii);
  if (needles.meaning === 'lines')
    return finderOf(bytes).countLines(0, bytes.byteOffset, bytes.byteOffset + bytes.length);
  let count = 0;
  let from = 0;
  for (let left = FEW_LINES + bytes.length / BYTES_A_LINE; from < bytes.length; left--) {
    const at = findNeedle(bytes, from);
    if (at === -1) break;
    const start = bytes.lastIndexOf(10, at) + 1;
    const feed = bytes.indexOf(10, at);
    const next = feed === -1 || left < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, next);
    const here = left < 0 ? countWhole(line, ascii) : countInLine(line, at - start, ascii);
    if (here < 0) return here;
    count += here;
    from = next;
  }
  return count;
}

/** Of one line, in which a needle stands first at that place. */
function countInLine(line, at, ascii) {
  if (needles.meaning === 'lines') return 1;
  const start = line.length > LONG_LINE ? findInLine(line, at) : undefined;
  if (start === LEFT || start === undefined) return start ?? countWhole(line, ascii);
  return start === -1 ? 0 : 1;
}

/**
 * Where in a line, in which a needle stands first at that place, the first match begins; -1 where there is none, LEFT for what may take too
 * long, undefined where only the whole line tells.
 */
function findInLine(line, at) {
  if (needles.meaning === 'lines') return at;
  let room = line.length;
  for (let place = at; place !== -1; place = findNeedle(line, place + 1)) {
    const [from, to] = reachAround(line, place);
    room -= to - from;
    if (room < 0) return undefined;
    const part = line.subarray(from, to);
    if (hasLongRun(part)) return LEFT;
    const start = startIn(part, from === 0, to === line.length);
    if (start !== -1) return start && from + start;
  }
  return -1;
}

/**
 * How far a match may reach that holds the needle at that place, since it has only so many bytes that it does not repeat without
 * end; and as much further as decides whether it stands at the edge of a word or a line. A character that is cut is not next to it: where
 * bytes beyond ASCII are not among those that are repeated, all that is matched is reckoned with four bytes for each.
 */
function reachAround(line, place) {
  let from = place;
  for (let others = otherBytes + LINE_END; from > 0 && others > 0; ) if (!isGreedyByte(line[--from])) others--;
  while (isWithinUtf8(line[from])) from++;
  let to = place;
  for (let others = otherBytes + LINE_END; to < line.length && others > 0; to++) if (!isGreedyByte(line[to])) others--;
  return [from, to];
}

/** Whether a byte is not the first of a character. */
function isWithinUtf8(byte) {
  return (byte & 0xc0) === 0x80;
}

/** How many UTF-16 code units a text has, of which the bytes lie in a finder's memory. */
function countUnits(bytes) {
  return finderOf(bytes).countUnits(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

function isGreedyByte(byte) {
  return greedy !== undefined && greedy[byte] === 1;
}
`;
