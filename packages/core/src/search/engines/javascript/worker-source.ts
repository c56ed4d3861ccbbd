import { FILES_SOURCE } from './worker-files.js';
import { TEXT_SOURCE } from './worker-text.js';

/**
 * The worker's program as text: a file of its own would have to be found from the sources, from the compiled package
 * and from a bundle alike.
 *
 * A pattern may never end, and a worker that is killed cannot say what it had found. So each record is written at once
 * into memory that is shared (the journal), which costs next to nothing, and told with the others of its piece.
 */
export const WORKER_SOURCE = `'use strict';
const fs = require('node:fs');
const { isAscii, isUtf8 } = require('node:buffer');
const { workerData: settings } = require('node:worker_threads');
const { keptOfLine, port } = settings;
${TEXT_SOURCE}
setPattern(settings.pattern);
${FILES_SOURCE}
const journal = Buffer.from(settings.journal);
const head = new Int32Array(settings.journalHead);
let turn = 0;
let written = 0;

function tell(kind, path, detail) {
  const record = kind + '\\0' + path + '\\0' + detail + '\\0';
  if (written + record.length * 2 > journal.length) flush();
  written += journal.write(record, written, 'utf16le');
  Atomics.store(head, 1, written);
}

function flush() {
  if (written === 0) return;
  port.postMessage({ type: 'records', turn, text: journal.toString('utf16le', 0, written) });
  written = 0;
  Atomics.store(head, 1, 0);
  Atomics.store(head, 0, ++turn);
}

/** Odd files are told instead of counted in. */
function countFile(path) {
  withFile(path, (fd, size) => {
    let count = 0;
    const use = (text, expression) => {
      count += countIn(text, expression);
      return true;
    };
    use.onlyMatches = true;
    if (!readText(fd, size, true, use)) tell('o', path, '');
    else if (count > 0) tell('c', path, String(count));
  });
}

function linesOfFile({ path, ...limits }, { before, after }) {
  withFile(path, (fd, size) => {
    const state = newCollection({ ...limits, before, after });
    readText(fd, size, false, (text, expression) => {
      collect(text, expression, state);
      return !isComplete(state);
    });
    found(path, state);
  });
}

function countText({ path, text }) {
  const count = countIn(isOfBytes ? bytesOf(text) : text, general);
  if (count > 0) tell('c', path, String(count));
}

function linesOfText({ path, text, ...limits }) {
  const state = newCollection(limits);
  collect(isOfBytes ? bytesOf(text) : text, general, state);
  found(path, state);
}

function found(path, state) {
  if (state.matches > 0) port.postMessage({ type: 'found', path, matches: state.matches, lines: state.lines });
}

function withEach(files, use) {
  for (let at = 0; at < files.length; at++) {
    Atomics.store(head, 2, at);
    use(files[at]);
  }
}

function work(task) {
  Atomics.store(head, 2, 0);
  if (task.type === 'count') {
    withEach(task.files, countFile);
    leave();
  } else if (task.type === 'lines') {
    withEach(task.files, (file) => linesOfFile(file, task));
    leave();
  } else if (task.type === 'count-text') {
    telling(task.path, () => countText(task));
  } else {
    telling(task.path, () => linesOfText(task));
  }
}

port.on('message', (task) => {
  work(task);
  flush();
  port.postMessage({ type: 'done' });
});
`;
