const INTERVAL_MS = 100;
const NEWEST_BYTES = 4096;

/** Tells a listener the newest output, at most ten times a second, the first time soon. */
export class OutputAnnouncer {
  readonly #listener: (tail: string) => void;
  readonly #newest: (limit: number) => string;
  #timer: NodeJS.Timeout | undefined;
  #last = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(listener: (tail: string) => void, newest: (limit: number) => string) {
    this.#listener = listener;
    this.#newest = newest;
  }

  /** There is new output. */
  changed(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    const wait = Math.max(0, this.#last + INTERVAL_MS - performance.now());
    this.#timer = setTimeout(() => this.#tell(), wait);
  }

  /** Nothing is told any more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    this.#last = performance.now();
    try {
      this.#listener(this.#newest(NEWEST_BYTES));
    } catch {
      // A door that cannot draw must not take the command down with it.
      this.stop();
    }
  }
}
