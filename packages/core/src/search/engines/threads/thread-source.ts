import { TEXT_SOURCE } from '../javascript/worker-text.js';

/**
 * The thread's program as text (see `javascript/worker-source.ts` for why). It is made for very many small files: each
 * costs an open, a read and a close, and no message.
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
const BUFFER_BYTES = 1024 * 1024;
const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
const { control } = settings;
const keptOfLine = 0;
let current;

function counterFor(pattern) {
${TEXT_SOURCE}
  const literal = pattern.literal === undefined ? undefined : Buffer.from(pattern.literal);
  return (bytes, ascii) => {
    if (literal !== undefined && bytes.indexOf(literal) === -1) return 0;
    if (ascii) return countIn(bytes.latin1Slice(0, bytes.length), bytes.includes(13) ? general : plain);
    return countIn(bytes.utf8Slice(0, bytes.length), general);
  };
}

/** Names that are no UTF-8 have an escape for each bad byte. */
function systemPath(path) {
  const parts = [];
  for (const character of path) {
    const code = character.codePointAt(0);
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

/** Fills the buffer from a regular file as far as it goes; gives the bytes read. */
function fill(fd) {
  let filled = fs.readSync(fd, buffer, 0, BUFFER_BYTES, null);
  // What came in whole pages may have more: some file systems give no more than that at once.
  while (filled > 0 && filled < BUFFER_BYTES && filled % PAGE === 0) {
    const read = fs.readSync(fd, buffer, filled, BUFFER_BYTES - filled, null);
    if (read === 0) break;
    filled += read;
  }
  // A pipe that nobody writes to seems to be empty.
  if ((filled === 0 || filled === BUFFER_BYTES) && !fs.fstatSync(fd).isFile()) throw new Error('not a regular file any more');
  return filled;
}

function hasLongLine(filled) {
  for (let from = 0; filled - from > current.maxLine; ) {
    const feed = buffer.subarray(from, from + current.maxLine + 1).lastIndexOf(10);
    if (feed === -1) return true;
    from += feed + 1;
  }
  return false;
}

/** Counts in what the buffer holds; negative for what is odd or left to others. */
function judgeAndCount(filled, answer) {
  if (filled === BUFFER_BYTES) return LEFT;
  if (filled > 1) {
    const start = (buffer[0] << 8) | buffer[1];
    if (start === 0xfffe || start === 0xfeff) return LEFT;
  }
  const hasMark = filled > 2 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  const bytes = buffer.subarray(hasMark ? 3 : 0, filled);
  const ascii = isAscii(bytes);
  if ((!ascii && !isUtf8(bytes)) || bytes.includes(0)) return ODD;
  if (filled > current.maxLine && hasLongLine(filled)) return LEFT;
  const since = performance.now();
  const count = current.count(bytes, ascii);
  answer.searchMs += performance.now() - since;
  answer.bytes += filled;
  return count;
}

const ODD = -1;
const LEFT = -2;

function tell(at, count, fd, answer) {
  if (count > 0) answer.counts.push(at, count, fs.fstatSync(fd).mtimeMs);
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

function searchFolder(base, names, from, answer, toPath) {
  const { counts, odd, failed, left } = answer;
  const before = [counts.length, odd.length, failed.length, left.length];
  let open = -1;
  let done = 0;
  try {
    for (; done < names.length && Atomics.load(control, 0) < current.job; done++) {
      Atomics.add(control, 1, 1);
      try {
        const fd = fs.openSync(toPath(base + names[done]), FLAGS);
        if (open !== -1) fs.closeSync(open);
        open = fd;
        const filled = fill(fd);
        if (filled > 0) tell(from + done, judgeAndCount(filled, answer), fd, answer);
      } catch (thrown) {
        fail(from + done, thrown, answer);
      }
    }
    if (open === -1 || isInPlace(open, Buffer.from(toPath(base)))) return;
    throw new Error('its folder was moved or replaced meanwhile');
  } catch (thrown) {
    [counts.length, odd.length, failed.length, left.length] = before;
    for (let at = from; at < from + done; at++) fail(at, thrown, answer);
  } finally {
    if (open !== -1) fs.closeSync(open);
  }
}

function searchPiece({ folders, names, hasEscapes }) {
  const answer = { counts: [], odd: [], failed: [], left: [], searchMs: 0, bytes: 0 };
  const toPath = hasEscapes ? systemPath : asItIs;
  let from = 0;
  for (let index = 0; index < folders.length; index++) {
    const own = names[index].split('\0');
    const folder = folders[index];
    searchFolder(folder === '' ? current.base : current.base + folder + '/', own, from, answer, toPath);
    from += own.length;
  }
  return answer;
}

function asItIs(path) {
  return path;
}

port.on('message', (message) => {
  if (message.type === 'job') current = { ...message.job, count: counterFor(message.job.pattern) };
  else port.postMessage({ type: 'answer', answer: searchPiece(message.piece) });
});
port.postMessage({ type: 'ready' });
`;
