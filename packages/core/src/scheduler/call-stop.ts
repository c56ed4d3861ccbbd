import { setMaxListeners } from 'node:events';

const NOBODY = (): void => undefined;

/** A stop made ahead, while a call waits for its tool: the next call need not wait until its signal is made. */
export class CallStops {
  #spare: CallStop | undefined;

  take(): CallStop {
    const stop = this.#spare ?? new CallStop();
    this.#spare = undefined;
    return stop;
  }

  /** For when there is time. */
  prepare(): void {
    if (this.#spare !== undefined) return;
    this.#spare = new CallStop();
    // Its first listener costs nearly as much as the signal.
    const { signal } = this.#spare;
    signal.addEventListener('abort', NOBODY);
    signal.removeEventListener('abort', NOBODY);
  }
}

/** Stops one call: its tool by a signal of the call's own, and the life of the call in whatever it waits for. */
export class CallStop {
  readonly #controller = new AbortController();
  #signal: AbortSignal | undefined;
  #isStopped = false;
  #reason: unknown;
  #reject: ((reason: unknown) => void) | undefined;

  /** Made when it is first asked for: a signal costs more than most steps of a call. */
  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    this.#signal = this.#controller.signal;
    // Tools may listen as often as they like: no leak to be warned about.
    setMaxListeners(0, this.#signal);
    return this.#signal;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The first reason counts. */
  stop(reason: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#controller.abort(reason);
    // That of the signal, which has one of its own where none was given.
    this.#reason = this.#controller.signal.reason;
    this.#reject?.(this.#reason);
  }

  /** @throws the reason, once the call is stopped */
  throwIfStopped(): void {
    if (this.#isStopped) throw this.#reason;
  }

  /**
   * The promise's outcome, or a rejection with the reason as soon as the call is stopped. Waits for one promise at a time.
   * Never leaves an unhandled rejection.
   */
  wait<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject;
      // The reason is whatever the one who stopped it gave; it is passed on as it is.
      if (this.#isStopped) reject(this.#reason);
      work.then(resolve, reject);
    });
  }
}
