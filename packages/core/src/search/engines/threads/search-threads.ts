import { availableParallelism } from 'node:os';
import type { LearnAnswer, LearnRequest } from '../../content/learn-worker.js';
import type { StatRequest } from '../../content/stat-worker.js';
import { SearchThread } from './search-thread.js';

/** More make the machine slow for everybody else. */
const MAX_THREADS = 4;
/** A thread takes seven megabytes and more, and 45 ms to come up. */
const IDLE_MS = 30_000;
/** Several searches at once take turns, but none waits for one that has taken so long. */
const WAIT_MS = 150;
/** Where threads do not come up, no more are tried. */
const MAX_STILLBORN = 4;

export interface SearchThreadsOptions {
  /** How long a thread stays that nobody asks for anything. */
  readonly idleMs?: number;
  /** The program of the threads, for tests. */
  readonly source?: string;
}

/** All threads, for one search alone. */
export interface ThreadLease {
  readonly threads: readonly SearchThread[];
  /** The number of the search; later ones have larger ones. */
  readonly job: number;
  release(): void;
}

/**
 * The threads of a session, which count in small files, look at files and learn: started when they are first needed, ended
 * when nobody needs them. Counting has all of them, one search after the other; what else they are asked is
 * done between its pieces, and lost when a pattern runs away there and the thread is ended.
 */
export class SearchThreads {
  readonly #idleMs: number;
  readonly #source: string | undefined;
  #threads: SearchThread[] = [];
  #lease: ThreadLease | undefined;
  #leasedAt = 0;
  #lastJob = 0;
  #stillborn = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #waiting: (() => void)[] = [];

  constructor({ idleMs = IDLE_MS, source }: SearchThreadsOptions = {}) {
    this.#idleMs = idleMs;
    this.#source = source;
  }

  /** For counting. `busy`: another search has them. Others than those that are ready would have to be started, or are coming up. */
  get state(): 'busy' | 'cold' | 'some' | 'warm' {
    if (this.#isClosed || this.#lease !== undefined) return 'busy';
    const ready = this.#ready().length;
    if (ready === wantedThreads()) return 'warm';
    return ready > 0 ? 'some' : 'cold';
  }

  /** There is a thread that can look at files at once. */
  get canLook(): boolean {
    return this.#ready().length > 0;
  }

  /** Starts what is missing; for a search that comes soon. Does not wait for it. */
  warm(): void {
    this.#start(wantedThreads());
  }

  /**
   * Waits for short searches that came before. Undefined while a long one goes on, and where no threads can be had.
   * `ready`: only such as can begin at once.
   */
  async lease(which: 'all' | 'ready' = 'all'): Promise<ThreadLease | undefined> {
    while (this.#lease !== undefined) {
      const left = this.#leasedAt + WAIT_MS - performance.now();
      if (left <= 0) return undefined;
      await this.#freed(left);
    }
    if (this.state === 'busy') return undefined;
    if (which === 'all') this.warm();
    const threads = which === 'all' ? this.#threads : this.#ready();
    if (threads.length === 0) return undefined;
    const lease: ThreadLease = {
      threads,
      job: ++this.#lastJob,
      release: () => {
        if (this.#lease !== lease) return;
        this.#lease = undefined;
        this.#waiting.shift()?.();
      },
    };
    this.#lease = lease;
    this.#leasedAt = performance.now();
    return lease;
  }

  /** Looks at files in one of the threads. Resolves when it has, or never will; undefined where none can be had. */
  look(request: StatRequest): Promise<void> | undefined {
    return this.#helper()?.look(request);
  }

  /** Learns of files in one of the threads. Undefined where none can be had, and when two were lost meanwhile. */
  async learn(paths: LearnRequest): Promise<LearnAnswer | undefined> {
    // The first may have been lost to a pattern before it came to this.
    return (await this.#helper()?.learn(paths)) ?? this.#helper()?.learn(paths);
  }

  /** Ends the threads that there are; what they were asked is lost. They are started again when they are needed. */
  async end(): Promise<void> {
    clearInterval(this.#idle);
    this.#idle = undefined;
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map(async (thread) => thread.end()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.end();
  }

  #ready(): SearchThread[] {
    return this.#threads.filter((thread) => thread.isReady);
  }

  /** That with the least to do, always the same one among equals so that the others can end. */
  #helper(): SearchThread | undefined {
    this.#start(1);
    const [first, ...others] = this.#threads.filter((thread) => !thread.hasEnded);
    return others.reduce((least, thread) => (least !== undefined && thread.load >= least.load ? least : thread), first);
  }

  /** So many there should be; the system may refuse. */
  #start(wanted: number): void {
    if (this.#isClosed) return;
    if (this.canLook) this.#stillborn = 0;
    this.#stillborn += this.#threads.filter((thread) => thread.isStillborn).length;
    this.#threads = this.#threads.filter((thread) => !thread.hasEnded);
    try {
      while (this.#threads.length < wanted && this.#stillborn < MAX_STILLBORN)
        this.#threads.push(new SearchThread(this.#source));
    } catch {
      this.#stillborn += 1;
    }
    this.#idle ??= setInterval(() => this.#endIdle(), this.#idleMs / 4).unref();
  }

  #endIdle(): void {
    if (this.#lease !== undefined) return;
    const since = performance.now() - this.#idleMs;
    const isIdle = (thread: SearchThread): boolean => thread.load === 0 && thread.usedAt < since;
    const idle = this.#threads.filter(isIdle);
    if (idle.length === 0) return;
    this.#threads = this.#threads.filter((thread) => !idle.includes(thread));
    if (this.#threads.length === 0) {
      clearInterval(this.#idle);
      this.#idle = undefined;
    }
    for (const thread of idle) void thread.end();
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
}

function wantedThreads(): number {
  return Math.min(availableParallelism(), MAX_THREADS);
}
