import { OTHER_CASES_SOURCE } from '../other-cases-source.js';
import { NEEDLE_BYTES } from './needles.js';

/** So much is read, and never looked at, behind what is searched. */
const SLACK_BYTES = 128;
const DATA_AT = 4096;

/**
 * A part of a thread's program (JavaScript as text): counting where needles (`needles.ts`) are, and nowhere else. It expects
 * `settings.finder`, the compiled `byte-finder.wat`, `BUFFER_BYTES`, and of the search `greedy`, `hasLongRun`, `countWhole` and
 * `isMatchIn`; it gives `buffer`, which lies in that program's memory where there is one.
 */
export const FINDER_SOURCE = String.raw`
const finder = newFinder();
const buffer = finder === undefined
  ? Buffer.allocUnsafeSlow(BUFFER_BYTES)
  : Buffer.from(finder.memory.buffer, ${DATA_AT}, BUFFER_BYTES);
${OTHER_CASES_SOURCE}
/** To look at more lines than one in so many bytes one by one costs more than to search all. */
const BYTES_A_LINE = 512;
const FEW_LINES = 16;
/** Longer lines are not searched as a whole where less tells. */
const LONG_LINE = 2048;
const FIRST_COPY = 4096;
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

function setNeedles(wanted) {
  needles = finder === undefined ? undefined : wanted.needles;
  otherBytes = wanted.otherBytes;
  if (needles !== undefined) new Uint8Array(finder.memory.buffer).set(needles.encoded);
}

/** Whether needles tell where there is no match: it may be spelled otherwise. */
function canNeedlesTell(bytes, ascii) {
  if (needles === undefined) return false;
  return ascii || !needles.hasOtherCases || !holdsOtherCases(bytes);
}

/** Where the first needle stands at or behind a place; -1 for nowhere. Of several, whichever is found. */
function findNeedle(bytes, from) {
  if (bytes.buffer === finder.memory.buffer) {
    const at = findWithin(bytes.byteOffset + from, bytes.byteOffset + bytes.length);
    return at === -1 ? -1 : at - bytes.byteOffset;
  }
  return findInCopies(bytes, from);
}

/** They are copied into the buffer, part by part; the first parts are small, since often the next needle is near. */
function findInCopies(bytes, from) {
  let size = FIRST_COPY;
  for (let part = from; part < bytes.length; part += size - ${NEEDLE_BYTES}, size = Math.min(2 * size, BUFFER_BYTES)) {
    const length = bytes.copy(buffer, 0, part, Math.min(bytes.length, part + size));
    const at = findWithin(buffer.byteOffset, buffer.byteOffset + length);
    if (at !== -1) return part + at - buffer.byteOffset;
  }
  return -1;
}

function findWithin(from, end) {
  for (let needle = 0; needle < needles.count; needle++) {
    const at = finder.find(needle * ${NEEDLE_BYTES}, from, end);
    if (at !== -1) return at;
  }
  return -1;
}

/** Matches of whole lines, for which needles tell; LEFT for what may take too long. */
function countByNeedles(bytes, ascii) {
  if (needles.meaning === 'choice') return findNeedle(bytes, 0) === -1 ? 0 : countWhole(bytes, ascii);
  if (needles.meaning === 'lines' && bytes.buffer === finder.memory.buffer)
    return finder.countLines(0, bytes.byteOffset, bytes.byteOffset + bytes.length);
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
  if (line.length <= LONG_LINE) return countWhole(line, ascii);
  let room = line.length;
  for (let place = at; place !== -1; place = findNeedle(line, place + 1)) {
    const [from, to] = reachAround(line, place);
    room -= to - from;
    if (room < 0) return countWhole(line, ascii);
    const part = line.subarray(from, to);
    if (hasLongRun(part)) return LEFT;
    const isMatch = isMatchIn(part, from === 0, to === line.length);
    if (isMatch === undefined) return countWhole(line, ascii);
    if (isMatch) return 1;
  }
  return 0;
}

/**
 * How far a match may reach that holds the needle at that place, since it has only so many bytes that it does not repeat without
 * end; and as much further as decides whether it stands at the edge of a word or a line. A character that is cut is not next to it: where
 * bytes beyond ASCII are not among those that are repeated, all that is matched is reckoned with four bytes for each.
 */
function reachAround(line, place) {
  let from = place;
  for (let others = otherBytes + LINE_END; from > 0 && others > 0; ) if (!isGreedyByte(line[--from])) others--;
  let to = place;
  for (let others = otherBytes + LINE_END; to < line.length && others > 0; to++) if (!isGreedyByte(line[to])) others--;
  return [from, to];
}

function isGreedyByte(byte) {
  return greedy !== undefined && greedy[byte] === 1;
}
`;
