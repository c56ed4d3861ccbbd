import type { SearchThreads } from '../engines/threads/search-threads.js';
import { Pause } from '../tree/pause.js';
import { GitTimes, type GitTimesOptions } from './git-times.js';
import { StatJob } from './stat-job.js';
import { StatThread } from './stat-thread.js';
import type { StatFields, StatPiece, StatUnit } from './stat-unit.js';
import { TimesJob } from './times-job.js';

/** Files handed over between two looks at the clock. */
const PIECE_FILES = 5_000;

/** Looks at many files, with a second thread where there are many. One for each session; `close` ends its thread. */
export class FileStatter {
  readonly #thread: StatThread;
  readonly #git: GitTimes | undefined;

  /** With `git`, files that git proves to be unchanged need not be looked at. `threads` are those of the session. */
  constructor(options: { readonly git?: GitTimesOptions; readonly threads?: SearchThreads } = {}) {
    this.#thread = new StatThread(options.threads);
    this.#git = options.git === undefined ? undefined : new GitTimes(options.git);
  }

  /**
   * Looks at files below a canonical, absolute folder, and tells mtimeMs, ctimeMs, size and ino of each, in their order. A
   * file that is gone, is no regular file (any more) or cannot be looked at has NaN everywhere.
   * Does not block the event loop for more than some 15 ms. @throws the signal's reason once it is aborted
   */
  async stampsIn(folder: string, pieces: readonly StatPiece[], signal: AbortSignal): Promise<readonly StatUnit[]> {
    return this.#look({ folder, pieces, fields: 4, signal });
  }

  /** Only times of change, of files relative to the folder, with `/` (names as in `WalkedFolder`). */
  async mtimes(folder: string, files: readonly string[], signal: AbortSignal): Promise<Float64Array> {
    const all = new Float64Array(files.length);
    const pieces: StatPiece[] = [];
    for (let from = 0; from < files.length; from += PIECE_FILES)
      pieces.push({ folder: '', names: files.slice(from, from + PIECE_FILES) });
    let at = 0;
    const units = await this.#look({ folder, pieces, fields: 1, signal });
    for (const { values } of units) {
      all.set(values, at);
      at += values.length;
    }
    return all;
  }

  /**
   * For the newest of files that become known bit by bit. `keep`: how many are wanted of most of what is below the folder, so that
   * it may pay to ask git; undefined where less is looked through.
   */
  begin(folder: string, keep?: number): TimesJob {
    const thread = this.#thread;
    if (keep === undefined || this.#git === undefined) return new TimesJob({ folder, thread });
    const stopper = new AbortController();
    const claim = this.#git.claim(folder, keep, stopper.signal);
    return new TimesJob({ folder, thread, claim, stop: () => stopper.abort() });
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #look(request: {
    readonly folder: string;
    readonly pieces: readonly StatPiece[];
    readonly fields: StatFields;
    readonly signal: AbortSignal;
  }): Promise<readonly StatUnit[]> {
    const { folder, pieces, fields, signal } = request;
    signal.throwIfAborted();
    const job = new StatJob({ folder, fields, thread: this.#thread });
    const pause = new Pause(signal);
    for (const piece of pieces) {
      job.add(piece.folder, piece.names);
      if (pause.isDue()) await pause.take();
    }
    return job.finish(signal);
  }
}
