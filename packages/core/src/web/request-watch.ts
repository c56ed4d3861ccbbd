import type { Failure } from '../util/failure.js';
import { abortable } from '../util/abort.js';
import { webFailure } from './web-failure.js';

export interface RequestWatchOptions {
  readonly wholeMs: number;
  readonly idleMs: number;
  /** For messages. */
  readonly host: string;
  /** Of whoever asks. */
  readonly signal: AbortSignal;
}

/** Ends a request that takes too long as a whole, or that is silent for too long. */
export class RequestWatch {
  readonly signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #options: RequestWatchOptions;
  readonly #whole: NodeJS.Timeout;
  #idle: NodeJS.Timeout;
  #failure: Failure | undefined;

  constructor(options: RequestWatchOptions) {
    this.#options = options;
    this.signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.#whole = setTimeout(() => {
      this.#fail(`${options.host} was not done after ${seconds(options.wholeMs)}; nothing of it was used.`);
    }, options.wholeMs);
    this.#idle = this.#startIdle();
  }

  /** Why it was ended; undefined while it was not. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Waits for one more sign of life. Rejects when the time is up, whatever the work does. */
  async during<T>(work: Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#idle = this.#startIdle();
    return abortable(work, this.signal);
  }

  end(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#idle);
  }

  #startIdle(): NodeJS.Timeout {
    const { host, idleMs } = this.#options;
    return setTimeout(() => this.#fail(`${host} sent nothing for ${seconds(idleMs)}.`), idleMs);
  }

  #fail(message: string): void {
    this.#failure ??= webFailure('timed_out', message);
    this.#stop.abort(this.#failure);
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} seconds`;
}
