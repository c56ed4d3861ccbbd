/** Files to be looked at: those of each unit that nobody has taken yet. */
export interface StatRequest {
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

/** A part of a thread's program (see `engines/threads/thread-source.ts`). It expects `fs` and `progress`, which counts files. */
export const STAT_SOURCE = String.raw`
const quiet = { throwIfNoEntry: false };

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
      progress();
    }
  }
  Atomics.store(state, 0, 2);
}

function lookAt(path) {
  try {
    const stat = fs.lstatSync(path, quiet);
    return stat !== undefined && stat.isFile() ? stat : undefined;
  } catch {
    return undefined;
  }
}
`;
