import { availableParallelism } from 'node:os';
import { SearchThread } from './search-thread.js';

/** More make the machine slow for everybody else. */
const MAX_THREADS = 4;
const IDLE_MS = 25_000;
/** Several searches at once take turns, but none waits for one that has taken so long. */
const WAIT_MS = 150;

/** All threads, for one search alone. */
export interface ThreadLease {
  readonly threads: readonly SearchThread[];
  /** The number of the search; later ones have larger ones. */
  readonly job: number;
  release(): void;
}

/** The threads of a session that search small files: started when they are first needed, ended when nobody needs them. */
export class SearchThreads {
  readonly #idleMs: number;
  #threads: SearchThread[] = [];
  #lease: ThreadLease | undefined;
  #leasedAt = 0;
  #lastJob = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #waiting: (() => void)[] = [];

  constructor({ idleMs = IDLE_MS }: { readonly idleMs?: number } = {}) {
    this.#idleMs = idleMs;
  }

  /** `busy`: another search has them. `cold`: they would have to be started, or are coming up. */
  get state(): 'busy' | 'cold' | 'warm' {
    if (this.#isClosed || this.#lease !== undefined) return 'busy';
    return this.#threads.length > 0 && this.#threads.every((thread) => thread.isReady) ? 'warm' : 'cold';
  }

  /** Starts what is missing; for a search that comes soon. Does not wait for it. */
  warm(): void {
    if (this.#isClosed) return;
    this.#threads = this.#threads.filter((thread) => !thread.hasEnded);
    const wanted = Math.min(availableParallelism(), MAX_THREADS);
    while (this.#threads.length < wanted) this.#threads.push(new SearchThread());
    this.#rest();
  }

  /** Waits for short searches that came before. Undefined while a long one goes on, and where no threads can be had. */
  async lease(): Promise<ThreadLease | undefined> {
    while (this.#lease !== undefined) {
      const left = this.#leasedAt + WAIT_MS - performance.now();
      if (left <= 0) return undefined;
      await this.#freed(left);
    }
    if (this.state === 'busy') return undefined;
    try {
      this.warm();
    } catch {
      // The system may refuse threads.
      return undefined;
    }
    clearTimeout(this.#idle);
    const lease: ThreadLease = {
      threads: this.#threads,
      job: ++this.#lastJob,
      release: () => {
        if (this.#lease !== lease) return;
        this.#lease = undefined;
        this.#rest();
        this.#waiting.shift()?.();
      },
    };
    this.#lease = lease;
    this.#leasedAt = performance.now();
    return lease;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endAll();
  }

  /** Until the lease is given back, or so long. */
  async #freed(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(free), 1);
        resolve();
      }, ms);
      const free = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(free);
    });
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#isClosed) return;
    this.#idle = setTimeout(() => {
      if (this.#lease === undefined) void this.#endAll();
    }, this.#idleMs).unref();
  }

  async #endAll(): Promise<void> {
    clearTimeout(this.#idle);
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map(async (thread) => thread.end()));
  }
}
