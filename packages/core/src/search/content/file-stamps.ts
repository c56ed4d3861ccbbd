import { setImmediate as breathe } from 'node:timers/promises';
import { GitTimes, type GitTimesOptions } from './git-times.js';
import { StatJob } from './stat-job.js';
import { StatThread } from './stat-thread.js';
import { FILES_PER_UNIT, type StatFields, type StatPiece, type StatUnit } from './stat-unit.js';
import { TimesJob } from './times-job.js';

/**
 * What `lstat` says of many files, by their place in the list that was asked about. A file that is gone, is no
 * regular file (any more) or cannot be looked at has NaN everywhere.
 */
export interface FileStamps {
  readonly mtimeMs: Float64Array;
  readonly ctimeMs: Float64Array;
  readonly size: Float64Array;
  readonly ino: Float64Array;
}

/** Files handed over between two turns of the event loop. */
const FILES_PER_TURN = 20 * FILES_PER_UNIT;

/** Looks at many files, with a second thread where there are many. One for each session; `close` ends its thread. */
export class FileStatter {
  readonly #thread = new StatThread();
  readonly #git: GitTimes | undefined;

  /** With `git`, files that git proves to be unchanged need not be looked at. */
  constructor(options: { readonly git?: GitTimesOptions } = {}) {
    this.#git = options.git === undefined ? undefined : new GitTimes(options.git);
  }

  /**
   * `folder` is canonical and absolute; `files` are relative to it, with `/` (names as in `WalkedFolder`).
   * Does not block the event loop for more than some 15 ms. @throws the signal's reason once it is aborted
   */
  async stamps(folder: string, files: readonly string[], signal: AbortSignal): Promise<FileStamps> {
    const units = await this.#look({ folder, files, fields: 4, signal });
    const [mtimeMs, ctimeMs, size, ino] = [0, 1, 2, 3].map((field) => column(units, field, files.length));
    const none = new Float64Array();
    return { mtimeMs: mtimeMs ?? none, ctimeMs: ctimeMs ?? none, size: size ?? none, ino: ino ?? none };
  }

  /** The same of all fields, in the order of the files, as they were found. */
  async stampsIn(folder: string, pieces: readonly StatPiece[], signal: AbortSignal): Promise<readonly StatUnit[]> {
    signal.throwIfAborted();
    const job = new StatJob({ folder, fields: 4, thread: this.#thread });
    let files = 0;
    for (const piece of pieces) {
      job.add(piece.folder, piece.names);
      files += piece.names.length;
      if (files < FILES_PER_TURN) continue;
      await breathe(undefined, { signal });
      files = 0;
    }
    return job.finish(signal);
  }

  /** Only times of change (NaN as above). */
  async mtimes(folder: string, files: readonly string[], signal: AbortSignal): Promise<Float64Array> {
    return column(await this.#look({ folder, files, fields: 1, signal }), 0, files.length);
  }

  /**
   * For the newest of files that become known bit by bit. `wantsAll`: most of what is below the folder, so that it may
   * pay to ask git.
   */
  begin(folder: string, wantsAll: boolean): TimesJob {
    const thread = this.#thread;
    if (!wantsAll || this.#git === undefined) return new TimesJob({ folder, thread });
    const stopper = new AbortController();
    const proof = this.#git.prove(folder, stopper.signal);
    return new TimesJob({ folder, thread, proof, stop: () => stopper.abort() });
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #look(request: {
    readonly folder: string;
    readonly files: readonly string[];
    readonly fields: StatFields;
    readonly signal: AbortSignal;
  }): Promise<readonly StatUnit[]> {
    const { folder, files, fields, signal } = request;
    signal.throwIfAborted();
    const job = new StatJob({ folder, fields, thread: this.#thread });
    for (let from = 0; from < files.length; from += FILES_PER_TURN) {
      if (from > 0) await breathe(undefined, { signal });
      job.add('', files.slice(from, from + FILES_PER_TURN));
    }
    return job.finish(signal);
  }
}

function column(units: readonly StatUnit[], field: number, length: number): Float64Array {
  const all = new Float64Array(length);
  let at = 0;
  for (const { values, fields } of units) {
    for (let index = field; index < values.length; index += fields) all[at++] = values[index] ?? Number.NaN;
  }
  return all;
}
