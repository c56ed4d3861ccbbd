import { SearchThreads } from '../engines/threads/search-threads.js';
import type { StatRequest } from './stat-worker.js';

/** Some milliseconds' worth: what else the threads are asked is done in between. */
const UNITS_AT_ONCE = 4;

/** Looks at files beside this thread, in the threads of the session. */
export class StatThread {
  readonly #threads: SearchThreads;
  readonly #isOwner: boolean;
  readonly #open = new Map<number, Promise<unknown>>();
  #lastId = 0;

  /** Without `threads` it has its own. */
  constructor(threads?: SearchThreads) {
    this.#threads = threads ?? new SearchThreads();
    this.#isOwner = threads === undefined;
  }

  /** It runs already: work for it need not be so much as to make up for its start. */
  get isRunning(): boolean {
    return this.#threads.canLook;
  }

  /** A number to wait for; undefined when there is no thread to be had. */
  send({ base, units }: StatRequest): number | undefined {
    const parts: Promise<void>[] = [];
    for (let from = 0; from < units.length; from += UNITS_AT_ONCE) {
      const part = this.#threads.look({ base, units: units.slice(from, from + UNITS_AT_ONCE) });
      if (part === undefined) break;
      parts.push(part);
    }
    if (parts.length === 0) return undefined;
    const id = ++this.#lastId;
    this.#open.set(
      id,
      Promise.all(parts).finally(() => this.#open.delete(id)),
    );
    return id;
  }

  /** Until all that was sent till then is looked at, or never will be. */
  async answered(id: number): Promise<void> {
    await Promise.all(Array.from(this.#open, async ([sent, done]) => (sent <= id ? done : undefined)));
  }

  /** Ends the threads if they are its own; they are started again when they are needed. */
  async close(): Promise<void> {
    if (this.#isOwner) await this.#threads.end();
  }
}
