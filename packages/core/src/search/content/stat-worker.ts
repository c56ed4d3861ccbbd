/** What the worker is sent: it looks at the files of each unit that nobody has taken yet, then answers with `id`. */
export interface StatWorkerRequest {
  readonly id: number;
  /** Absolute, ends with `/`. */
  readonly base: string;
  readonly units: readonly {
    /** Pieces parted by two NULs: a folder relative to the base (empty or with `/` at its end) and its names, each after a NUL. */
    readonly text: string;
    /** See `StatUnit`. */
    readonly shared: SharedArrayBuffer;
    readonly fields: number;
  }[];
}

/**
 * The worker's program as text: a file of its own would have to be found from the sources, from the compiled package
 * and from a bundle alike.
 */
export const STAT_WORKER_SOURCE = String.raw`
'use strict';
const { lstatSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');
const quiet = { throwIfNoEntry: false };

parentPort.on('message', ({ id, base, units }) => {
  for (const unit of units) lookAtUnit(base, unit);
  parentPort.postMessage(id);
});

function lookAtUnit(base, { text, shared, fields }) {
  const state = new Int32Array(shared, 0, 1);
  if (Atomics.compareExchange(state, 0, 0, 1) !== 0) return;
  const values = new Float64Array(shared, 8);
  let at = 0;
  for (const piece of text.split('\0\0')) {
    const names = piece.split('\0');
    const folder = base + names[0];
    for (let index = 1; index < names.length; index++) {
      const stat = lookAt(folder + names[index]);
      values[at] = stat === undefined ? NaN : stat.mtimeMs;
      if (fields === 4) {
        values[at + 1] = stat === undefined ? NaN : stat.ctimeMs;
        values[at + 2] = stat === undefined ? NaN : stat.size;
        values[at + 3] = stat === undefined ? NaN : stat.ino;
      }
      at += fields;
    }
  }
  Atomics.store(state, 0, 2);
}

function lookAt(path) {
  try {
    const stat = lstatSync(path, quiet);
    return stat !== undefined && stat.isFile() ? stat : undefined;
  } catch {
    return undefined;
  }
}
`;
