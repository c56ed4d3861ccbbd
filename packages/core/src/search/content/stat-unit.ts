import type { Stats } from 'node:fs';
import { lookAt } from '../tree/folder-stamp.js';
import { isUnnamable, systemPath } from '../../files/escaped-bytes.js';

/** Files of one folder. */
export interface StatPiece {
  /** Relative to what is looked at: empty, or with `/` at its end. */
  readonly folder: string;
  readonly names: readonly string[];
}

/** Files that one thread looks at in one go: some millisecond's worth. */
export const FILES_PER_UNIT = 512;

const FREE = 0;
const TAKEN = 1;
const DONE = 2;

/** Only `mtimeMs`, or `mtimeMs`, `ctimeMs`, `size` and `ino`. */
export type StatFields = 1 | 4;

/**
 * Files that are looked at by one thread at a time, and what was found, in memory that both threads see: a state (whoever
 * turns it from free to taken does the work), then `fields` numbers for each file, NaN for what is no regular file.
 */
export class StatUnit {
  readonly pieces: readonly StatPiece[];
  readonly fields: StatFields;
  readonly shared: SharedArrayBuffer;
  readonly values: Float64Array;
  readonly #state: Int32Array;
  /** All names are UTF-8: known when the text was made. */
  #isPlain = false;

  constructor(pieces: readonly StatPiece[], fields: StatFields) {
    let count = 0;
    for (const { names } of pieces) count += names.length;
    this.pieces = pieces;
    this.fields = fields;
    this.shared = new SharedArrayBuffer(8 + 8 * count * fields);
    this.values = new Float64Array(this.shared, 8);
    this.#state = new Int32Array(this.shared, 0, 1);
  }

  get isDone(): boolean {
    return Atomics.load(this.#state, 0) === DONE;
  }

  /** False when another thread has it. */
  take(): boolean {
    return Atomics.compareExchange(this.#state, 0, FREE, TAKEN) === FREE;
  }

  /** As the worker takes it; undefined when it holds names that are no UTF-8, which only this thread can ask for. */
  text(): string | undefined {
    const text = this.pieces.map(({ folder, names }) => `${folder}\0${names.join('\0')}`).join('\0\0');
    this.#isPlain = !isUnnamable(text);
    return this.#isPlain ? text : undefined;
  }

  /** Looks at every file, in this thread. `base` is absolute and ends with `/`. */
  lookAt(base: string): void {
    const { values, fields } = this;
    let at = 0;
    for (const { folder, names } of this.pieces) {
      const prefix = base + folder;
      // All at once: a path is looked through in a fraction of the time that looking at its file takes, but there are many.
      const isPlain = !isUnnamable(prefix) && (this.#isPlain || !isUnnamable(names.join('\0')));
      for (const name of names) {
        const path = prefix + name;
        const stat = regularFile(isPlain ? path : systemPath(path));
        values[at] = stat?.mtimeMs ?? Number.NaN;
        if (fields === 4) {
          values[at + 1] = stat?.ctimeMs ?? Number.NaN;
          values[at + 2] = stat?.size ?? Number.NaN;
          values[at + 3] = stat?.ino ?? Number.NaN;
        }
        at += fields;
      }
    }
    Atomics.store(this.#state, 0, DONE);
  }
}

function regularFile(path: string | Buffer): Stats | undefined {
  const stat = lookAt(path);
  return stat?.isFile() === true ? stat : undefined;
}
