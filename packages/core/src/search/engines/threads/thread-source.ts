import { LEARN_SOURCE, PART_BYTES } from '../../content/learn-worker.js';
import { STAT_SOURCE } from '../../content/stat-worker.js';
import { KEPT_OF_LINE } from '../javascript/search-worker.js';
import { FINDER_SOURCE } from '../finder/finder-source.js';
import { LINES_SOURCE } from './lines-source.js';
import { SEARCHER_SOURCE } from './searcher-source.js';

/** Large files of one piece together: some hundred milliseconds. */
const LARGE_BYTES = 32 * 1024 * 1024;
/** Where more bytes follow each other that a pattern may repeat without end, it may try places by the square of their number. */
const MAX_RUN = 4096;
/** As much is read at once of what cannot be searched in parts: texts with very long lines, UTF-16, lines to be shown. */
const WHOLE_BYTES = 8 * 1024 * 1024;

/**
 * The thread's program as text (see `javascript/worker-source.ts` for why). It counts, gives the lines of small files, looks
 * at files and learns. Counting is made for very many small files: each costs an open, a read and a close, and no message.
 *
 * A folder on the way may become a link after it was listed. Opening files below a held folder would cost a third
 * more, so they are opened by path, and the last one opened in a folder must lie where it should: else nothing that
 * was found in the folder counts.
 */
export const THREAD_SOURCE = String.raw`'use strict';
const fs = require('node:fs');
const { isAscii, isUtf8 } = require('node:buffer');
const { workerData: settings } = require('node:worker_threads');
const { port } = settings;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = fs.constants;
const FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const canCheck = process.platform === 'linux';
/** To go through a folder takes no right to list it. */
const O_PATH = 0o10000000;
const PAGE = 4096;
const SLASH = 47;
const BUFFER_BYTES = ${PART_BYTES};
${FINDER_SOURCE}
const { control } = settings;
const maxRun = ${MAX_RUN};
const keptOfLine = ${KEPT_OF_LINE};
/** Of the search: variables rather than an object of it, so that the next one finds code that fits. */
let job = 0;
let base = '';
let greedy;
/** Three for each file with matches; of one piece. */
let found = new Float64Array(0);
let foundLength = 0;
let searchMs = 0;
let searchedBytes = 0;
/** Bytes of large files that may still be counted in this piece: ripgrep has more threads for one file, and no time limit. */
let room = 0;

function progress() {
  Atomics.add(control, 1, 1);
}

${SEARCHER_SOURCE}
/** Names that are no UTF-8 have an escape for each bad byte. */
function systemPath(path) {
  const parts = [];
  for (const character of path) {
    const code = character.codePointAt(0);
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

/**
 * Fills the buffer from a regular file as far as it goes; gives the bytes read, or ODD for a file that is longer, and
 * begins like most that are no text.
 */
function fill(fd) {
  let filled = fs.readSync(fd, buffer, 0, BUFFER_BYTES, null);
  // What came in whole pages may have more: some file systems give no more than that at once.
  if (filled > 0 && filled % PAGE === 0) filled = readOn(fd, buffer, filled);
  // A pipe that nobody writes to seems to be empty.
  if ((filled === 0 || filled === BUFFER_BYTES) && !fs.fstatSync(fd).isFile()) throw new Error('not a regular file any more');
  return filled === BUFFER_BYTES && startOf(filled) !== WIDE && buffer.includes(0) ? ODD : filled;
}

/** Fills what is left of a buffer, as far as the file goes; gives how much it holds. */
function readOn(fd, into, from) {
  let filled = from;
  for (let read = 1; read > 0 && filled < into.length; filled += read)
    read = fs.readSync(fd, into, filled, into.length - filled, null);
  return filled;
}

/** All of a file of which the buffer, which is full, holds the beginning, until the next one; undefined where that is too much. */
function readWhole(fd) {
  const { size } = fs.fstatSync(fd);
  if (size > ${WHOLE_BYTES}) return undefined;
  const whole = roomFor(size + 1, ${WHOLE_BYTES + 1});
  let length = 0;
  for (let read = 1; read > 0 && length < whole.length; length += read)
    read = fs.readSync(fd, whole, length, whole.length - length, length);
  // Else it grows.
  return length === size ? whole.subarray(0, length) : undefined;
}

/** Whether a line holds so many of the bytes that the pattern may repeat without end, one behind the other. */
function hasLongRun(bytes) {
  if (greedy === undefined) return false;
  for (let from = 0; bytes.length - from > maxRun; ) {
    const feed = bytes.subarray(from, from + maxRun + 1).lastIndexOf(10);
    if (feed === -1) {
      const next = bytes.indexOf(10, from + maxRun);
      const end = next === -1 ? bytes.length : next;
      if (isRunIn(bytes, from, end)) return true;
      from = end + 1;
    } else from += feed + 1;
  }
  return false;
}

function isRunIn(bytes, from, end) {
  for (let start = from; end - start > maxRun; ) {
    let at = start + maxRun;
    while (at >= start && greedy[bytes[at]] === 1) at--;
    if (at < start) return true;
    start = at + 1;
  }
  return false;
}

/** Where the text begins in the buffer, behind its mark; WIDE for UTF-16. */
function startOf(filled) {
  const start = filled > 1 ? (buffer[0] << 8) | buffer[1] : 0;
  if (start === 0xfffe || start === 0xfeff) return WIDE;
  return filled > 2 && start === 0xefbb && buffer[2] === 0xbf ? 3 : 0;
}

/** Of a whole file in UTF-16. */
function wideText(bytes) {
  return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
}

/** Counts in a file of which the buffer holds the beginning; negative for what is odd or left to others. */
function judgeAndCount(fd, filled) {
  const start = startOf(filled);
  const isLarge = filled === BUFFER_BYTES;
  if (start === WIDE) return countInWide(isLarge ? readWhole(fd) : buffer.subarray(0, filled));
  return isLarge ? countInLarge(fd, start) : countInPart(buffer.subarray(start, filled));
}

/** Its lines are not looked at one by one: what is that long is seldom UTF-16. */
function isGreedyIn(text) {
  return greedy !== undefined && text.length > maxRun;
}

function countInWide(bytes) {
  if (bytes === undefined) return LEFT;
  const text = wideText(bytes);
  if (text.includes('\0')) return ODD;
  return isGreedyIn(text) ? LEFT : countText(text);
}

/** Of a file that is longer than the buffer, which is full: lines that are whole, until there are no more. */
function countInLarge(fd, start) {
  const { size } = fs.fstatSync(fd);
  if (size > room) return LEFT;
  let count = 0;
  let from = start;
  for (let filled = BUFFER_BYTES; filled > 0; from = 0) {
    const end = filled < BUFFER_BYTES ? filled : buffer.lastIndexOf(10) + 1;
    room -= end;
    // It grows while it is read.
    if (room < 0) return LEFT;
    if (end <= from) return countInLongLines(fd, start);
    const here = countInPart(buffer.subarray(from, end));
    if (here < 0) return here;
    count += here;
    progress();
    buffer.copyWithin(0, end, filled);
    filled = readOn(fd, buffer, filled - end);
  }
  return count;
}

/** Of a file with a line that is longer than the buffer: as a whole. */
function countInLongLines(fd, start) {
  // Where needles may still tell that there is nothing, the run does not matter.
  if (needles === undefined && greedy !== undefined && isRunIn(buffer, start, BUFFER_BYTES)) return buffer.includes(0) ? ODD : LEFT;
  const whole = readWhole(fd);
  return whole === undefined ? LEFT : countInPart(whole.subarray(start));
}

function isText(bytes, ascii) {
  return (ascii || isUtf8(bytes)) && !bytes.includes(0) && !turnsToJapanese(bytes);
}

function countInPart(bytes) {
  const ascii = isAscii(bytes);
  if (!isText(bytes, ascii)) return ODD;
  const since = performance.now();
  const count = canNeedlesTell(bytes, ascii) ? countByNeedles(bytes, ascii) : countWhole(bytes, ascii);
  searchMs += performance.now() - since;
  searchedBytes += bytes.length;
  return count;
}

function countWhole(bytes, ascii) {
  return hasLongRun(bytes) ? LEFT : countMatches(bytes, ascii);
}

const ODD = -1;
const LEFT = -2;
const WIDE = -1;

function tell(at, count, fd, answer) {
  if (count > 0) {
    found[foundLength] = at;
    found[foundLength + 1] = count;
    found[foundLength + 2] = fs.fstatSync(fd).mtimeMs;
    foundLength += 3;
  }
  else if (count === ODD) answer.odd.push(at);
  else if (count === LEFT) answer.left.push(at);
}

function fail(at, thrown, answer) {
  answer.failed.push({ at, reason: settings.readFailures[thrown.code] || String(thrown.message || thrown) });
}

/** Whether an open file lies directly in a folder; it may have another name by now, or none. */
function liesIn(fd, base) {
  const link = fs.readlinkSync('/proc/self/fd/' + fd, 'buffer');
  return link.subarray(0, base.length).equals(base) && link.indexOf(SLASH, base.length) === -1;
}

/** Whether a folder is where it was listed, by a file that was opened in it. */
function isInPlace(fd, base) {
  if (!canCheck || liesIn(fd, base)) return true;
  // That file alone may have gone elsewhere.
  const folder = fs.openSync(base, O_PATH | O_DIRECTORY);
  try {
    return Buffer.concat([fs.readlinkSync('/proc/self/fd/' + folder, 'buffer'), Buffer.from('/')]).equals(base);
  } finally {
    fs.closeSync(folder);
  }
}

function searchFile(path, at, answer) {
  const fd = fs.openSync(path, FLAGS);
  try {
    const filled = fill(fd);
    if (filled !== 0) tell(at, filled === ODD ? ODD : judgeAndCount(fd, filled), fd, answer);
  } catch (thrown) {
    fail(at, thrown, answer);
  }
  return fd;
}

function searchFolder(folder, names, from, answer, toPath) {
  const { odd, failed, left } = answer;
  const before = [foundLength, odd.length, failed.length, left.length];
  let open = -1;
  let done = 0;
  try {
    for (; done < names.length && Atomics.load(control, 0) < job; done++) {
      progress();
      try {
        const fd = searchFile(toPath(folder + names[done]), from + done, answer);
        if (open !== -1) fs.closeSync(open);
        open = fd;
      } catch (thrown) {
        fail(from + done, thrown, answer);
      }
    }
    if (open === -1 || isInPlace(open, Buffer.from(toPath(folder)))) return;
    throw new Error('its folder was moved or replaced meanwhile');
  } catch (thrown) {
    [foundLength, odd.length, failed.length, left.length] = before;
    for (let at = from; at < from + done; at++) fail(at, thrown, answer);
  } finally {
    if (open !== -1) fs.closeSync(open);
  }
}

function searchPiece({ folders, names, files, hasEscapes }) {
  const answer = { counts: found, odd: [], failed: [], left: [], searchMs: 0, bytes: 0 };
  const toPath = hasEscapes ? systemPath : asItIs;
  if (found.length < 3 * files) found = new Float64Array(3 * files);
  foundLength = searchMs = searchedBytes = 0;
  room = ${LARGE_BYTES};
  let from = 0;
  for (let index = 0; index < folders.length; index++) {
    const own = names[index].split('\0');
    const folder = folders[index];
    searchFolder(folder === '' ? base : base + folder + '/', own, from, answer, toPath);
    from += own.length;
  }
  answer.counts = found.slice(0, foundLength);
  answer.searchMs = searchMs;
  answer.bytes = searchedBytes;
  return answer;
}

function asItIs(path) {
  return path;
}

${LINES_SOURCE}
${STAT_SOURCE}
function newLearner(content) {
${LEARN_SOURCE}
}

let learnFiles;

function learn({ paths, job: begun }) {
  learnFiles ??= newLearner(buffer);
  // A search that comes does not wait for it.
  const answer = learnFiles(paths, () => Atomics.load(control, 2) <= begun);
  const { kinds, stamps, units, bits } = answer;
  port.postMessage({ type: 'answer', answer }, [kinds.buffer, stamps.buffer, units.buffer, bits.buffer]);
}

function begin(next) {
  ({ job, base } = next);
  ({ greedy } = next.wanted);
  setNeedles(next.wanted);
  setPattern(next.wanted.pattern);
}

port.on('message', (message) => {
  if (message.type === 'piece') port.postMessage({ type: 'answer', answer: searchPiece(message.piece) });
  else if (message.type === 'job') begin(message.job);
  else if (message.type === 'learn') learn(message);
  else if (message.type === 'lines')
    port.postMessage({ type: 'answer', answer: message.files.map((file) => shownOf(file, message)) });
  else {
    for (const unit of message.units) lookAtUnit(message.base, unit);
    port.postMessage({ type: 'answer', answer: true });
  }
});
port.postMessage({ type: 'ready' });
`;
