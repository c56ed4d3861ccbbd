/** How often what a call shows while it runs is sent at most. In milliseconds. */
const PAUSE_MS = 200;

/** Lets a value through at most so often for each key; of those in between the last one comes later. */
export class Throttle<V> {
  readonly #send: (value: V) => void;
  readonly #pauseMs: number;
  readonly #open = new Map<string, { timer: NodeJS.Timeout; waiting: V | undefined }>();

  constructor(send: (value: V) => void, pauseMs: number = PAUSE_MS) {
    this.#send = send;
    this.#pauseMs = pauseMs;
  }

  offer(key: string, value: V): void {
    const open = this.#open.get(key);
    if (open !== undefined) open.waiting = value;
    else {
      this.#send(value);
      this.#pause(key);
    }
  }

  /** What waits for this key is of no use any more. */
  drop(key: string): void {
    clearTimeout(this.#open.get(key)?.timer);
    this.#open.delete(key);
  }

  dropAll(): void {
    for (const key of this.#open.keys()) this.drop(key);
  }

  #pause(key: string): void {
    const timer = setTimeout(() => {
      const waiting = this.#open.get(key)?.waiting;
      this.#open.delete(key);
      if (waiting === undefined) return;
      this.#send(waiting);
      this.#pause(key);
    }, this.#pauseMs);
    timer.unref();
    this.#open.set(key, { timer, waiting: undefined });
  }
}
