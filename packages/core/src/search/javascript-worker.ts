/** What the worker is started with; `source` and `flags` make the pattern. */
export interface WorkerSettings {
  readonly source: string;
  readonly flags: string;
  /** Where the files are: a held folder. */
  readonly workingDirectory: string;
  /** The folder's canonical path, to compare with where an opened file really is. */
  readonly folder: string;
  /** Bytes that may be held at once: longer lines, and longer UTF-16 files, are left out and told. */
  readonly maxWholeFile: number;
  readonly keptPerFile: number;
  readonly maxLineLength: number;
}

/** One message for each file that has something to tell, then `done` for the batch. */
export type WorkerMessage =
  | {
      readonly type: 'found';
      readonly file: string;
      readonly total: number;
      /** Line, column, text around the match, where that text begins, length of the whole line. */
      readonly matches: readonly (readonly [
        line: number,
        column: number,
        text: string,
        start: number,
        length: number,
      ])[];
    }
  | { readonly type: 'binary'; readonly file: string }
  | { readonly type: 'failed'; readonly file: string; readonly reason: string }
  | { readonly type: 'done' };

/**
 * The worker's program as text: a file of its own would have to be found from the sources, from the
 * compiled package and from a bundle alike. It searches file by file, so that a pattern which never ends
 * can be killed and what was found before is kept.
 */
export const WORKER_SOURCE = String.raw`
'use strict';
const fs = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
const { workingDirectory, folder, maxWholeFile, keptPerFile, maxLineLength } = workerData;
const pattern = new RegExp(workerData.source, workerData.flags);
const CHUNK = 4 * 1024 * 1024;

parentPort.on('message', (files) => {
  for (const file of files) {
    try {
      searchFile(file);
    } catch (thrown) {
      parentPort.postMessage({ type: 'failed', file, reason: String(thrown && thrown.message ? thrown.message : thrown) });
    }
  }
  parentPort.postMessage({ type: 'done' });
});

function searchFile(file) {
  const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW || 0) | (fs.constants.O_NONBLOCK || 0);
  const fd = fs.openSync(workingDirectory + '/' + file, flags);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error('not a regular file any more');
    // A folder on the way may have become a link since it was listed.
    if (process.platform === 'linux' && fs.readlinkSync('/proc/self/fd/' + fd) !== joined(folder, file))
      throw new Error('the path changed while it was searched');
    searchOpened(file, fd, stat.size);
  } finally {
    fs.closeSync(fd);
  }
}

function joined(folder, file) {
  return folder.endsWith('/') ? folder + file : folder + '/' + file;
}

function searchOpened(file, fd, size) {
  const state = { matches: [], total: 0, line: 0, binary: false };
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, CHUNK));
  let rest = Buffer.alloc(0);
  for (let first = true; ; first = false) {
    const read = fs.readSync(fd, buffer, 0, buffer.length, null);
    if (read === 0) break;
    let chunk = buffer.subarray(0, read);
    if (first) {
      const wide = wideEncoding(chunk);
      if (wide !== undefined) return searchWide(file, fd, size, chunk, wide, state);
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) chunk = chunk.subarray(3);
    }
    if (!state.binary && chunk.includes(0)) state.binary = true;
    const end = chunk.lastIndexOf(10);
    if (end === -1) {
      rest = Buffer.concat([rest, chunk]);
      if (rest.length > maxWholeFile) throw new Error('it has a line longer than ' + maxWholeFile + ' bytes');
      continue;
    }
    searchText((rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, end)]) : chunk.subarray(0, end)).toString('utf8'), state);
    rest = Buffer.from(chunk.subarray(end + 1));
    if (state.binary && state.total > 0) break;
  }
  if (rest.length > 0) searchText(rest.toString('utf8'), state);
  report(file, state);
}

function wideEncoding(chunk) {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
  return undefined;
}

function searchWide(file, fd, size, start, encoding, state) {
  if (size > maxWholeFile) throw new Error('UTF-16 and larger than ' + maxWholeFile + ' bytes');
  const parts = [Buffer.from(start)];
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let read = 0; (read = fs.readSync(fd, buffer, 0, CHUNK, null)) > 0; ) parts.push(Buffer.from(buffer.subarray(0, read)));
  const text = new TextDecoder(encoding).decode(Buffer.concat(parts));
  searchText(text.endsWith('\n') ? text.slice(0, -1) : text, state);
  report(file, state);
}

function searchText(text, state) {
  let start = 0;
  while (start <= text.length) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    state.line++;
    const line = text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end);
    if (state.binary) {
      // What lies between NULs counts as a line of its own.
      if (line.split('\0').some((part) => pattern.test(part))) state.total++;
    } else {
      const found = pattern.exec(line);
      if (found !== null) keep(state, line, found.index);
    }
    start = end + 1;
  }
}

function keep(state, line, index) {
  state.total++;
  if (state.matches.length >= keptPerFile) return;
  const from = line.length > 4 * maxLineLength ? Math.max(0, index - 2 * maxLineLength) : 0;
  const text = line.length > 4 * maxLineLength ? line.slice(from, index + 2 * maxLineLength) : line;
  state.matches.push([state.line, index + 1, text, from, line.length]);
}

function report(file, state) {
  if (state.total === 0) return;
  if (state.binary) parentPort.postMessage({ type: 'binary', file });
  else parentPort.postMessage({ type: 'found', file, total: state.total, matches: state.matches });
}
`;
