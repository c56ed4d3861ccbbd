import { withSeparator } from '../../util/paths-below.js';
import { Pause } from '../tree/pause.js';
import type { StatThread } from './stat-thread.js';
import { FILES_PER_UNIT, StatUnit, type StatFields, type StatPiece } from './stat-unit.js';

/** A thread is started for more files than this, and used for fewer when it runs already. */
const WORTH_A_START = 15_000;
const WORTH_A_MESSAGE = 2_000;

export interface StatJobOptions {
  /** Canonical and absolute. */
  readonly folder: string;
  readonly fields: StatFields;
  readonly thread: StatThread;
}

/**
 * Looks at files that become known bit by bit: the second thread begins while more are still looked for, and from
 * `finish` on both work towards each other.
 */
export class StatJob {
  readonly #base: string;
  readonly #fields: StatFields;
  readonly #thread: StatThread;
  readonly #units: StatUnit[] = [];
  #pending: StatPiece[] = [];
  #pendingFiles = 0;
  #files = 0;
  /** Units that were offered to the thread, or that it cannot take. */
  #offered = 0;
  #lastSent: number | undefined;

  constructor({ folder, fields, thread }: StatJobOptions) {
    this.#base = withSeparator(folder);
    this.#fields = fields;
    this.#thread = thread;
  }

  /** `folder` is relative, empty or with `/` at its end. */
  add(folder: string, names: readonly string[]): void {
    for (let from = 0; from < names.length;) {
      const room = FILES_PER_UNIT - this.#pendingFiles;
      const part = from === 0 && names.length <= room ? names : names.slice(from, from + room);
      this.#pending.push({ folder, names: part });
      this.#pendingFiles += part.length;
      from += part.length;
      if (this.#pendingFiles >= FILES_PER_UNIT) this.#close();
    }
  }

  /** All that was added, looked at, in the order of adding. @throws the signal's reason once it is aborted */
  async finish(signal: AbortSignal): Promise<readonly StatUnit[]> {
    if (this.#pendingFiles > 0) this.#close();
    const units = this.#units;
    try {
      const pause = new Pause(signal);
      for (let index = units.length - 1; index >= 0; index--) {
        const unit = units[index];
        if (unit?.take() === true) unit.lookAt(this.#base);
        if (pause.isDue()) await pause.take();
      }
      const isOpen = units.some(({ isDone }) => !isDone);
      if (isOpen && this.#lastSent !== undefined) await this.#thread.answered(this.#lastSent);
      // What a thread had taken that ended meanwhile.
      for (const unit of units) if (!unit.isDone) unit.lookAt(this.#base);
      signal.throwIfAborted();
      return units;
    } catch (thrown) {
      this.cancel();
      throw thrown;
    }
  }

  /** Nobody will ask for the result. */
  cancel(): void {
    for (const unit of this.#units) unit.take();
  }

  #close(): void {
    this.#units.push(new StatUnit(this.#pending, this.#fields));
    this.#files += this.#pendingFiles;
    this.#pending = [];
    this.#pendingFiles = 0;
    if (this.#files > (this.#thread.isRunning ? WORTH_A_MESSAGE : WORTH_A_START)) this.#offer();
  }

  #offer(): void {
    const units = [];
    for (; this.#offered < this.#units.length; this.#offered++) {
      const unit = this.#units[this.#offered];
      const text = unit?.text();
      if (unit !== undefined && text !== undefined) units.push({ text, shared: unit.shared, fields: unit.fields });
    }
    if (units.length > 0) this.#lastSent = this.#thread.send({ base: this.#base, units }) ?? this.#lastSent;
  }
}
