import type { WireId, WireObject } from './wire-message.js';

export interface RequestLimitParts {
  /** Takes a request that is to be answered now. */
  readonly give: (request: WireObject) => void;
  /** Listens to the server no more, or again; undefined where that cannot be. */
  readonly hold: ((isHeld: boolean) => void) | undefined;
  /** Once, when the server asks more than is answered at once. */
  readonly told: () => void;
}

/** As many are answered at once. */
const MOST_AT_ONCE = 200;
/** Those beyond are answered at that rate, which costs some hundredths of a processor. */
const A_SECOND = 1000;
/** With so many waiting, the server is not listened to until half of them were answered. */
const MOST_WAITING = 1000;
const TURN_MS = 10;

/** The requests of a server, so many in a second that one that asks without end takes no time from all others. */
export class RequestLimit {
  readonly #parts: RequestLimitParts;
  readonly #waiting = new Map<WireId, WireObject>();
  #room = MOST_AT_ONCE;
  #countedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isHeld = false;
  #isTold = false;

  constructor(parts: RequestLimitParts) {
    this.#parts = parts;
  }

  take(id: WireId, request: WireObject): void {
    this.#count();
    if (this.#waiting.size === 0 && this.#room >= 1) return this.#give(request);
    if (!this.#isTold) this.#parts.told();
    this.#isTold = true;
    // Where the server cannot be made to wait, what is too much stays without an answer.
    if (this.#waiting.size >= MOST_WAITING && this.#parts.hold === undefined) return;
    this.#waiting.set(id, request);
    if (this.#waiting.size >= MOST_WAITING) this.#hold(true);
    this.#timer ??= this.#nextTurn();
  }

  /** The server does not want an answer any more. True: it was never given. */
  cancel(id: WireId): boolean {
    return this.#waiting.delete(id);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #count(): void {
    const now = performance.now();
    this.#room = Math.min(MOST_AT_ONCE, this.#room + ((now - this.#countedAt) * A_SECOND) / 1000);
    this.#countedAt = now;
  }

  #give(request: WireObject): void {
    this.#room -= 1;
    this.#parts.give(request);
  }

  #nextTurn(): NodeJS.Timeout {
    return setTimeout(() => this.#turn(), TURN_MS).unref();
  }

  #turn(): void {
    this.#timer = undefined;
    this.#count();
    for (const [id, request] of this.#waiting) {
      if (this.#room < 1) break;
      this.#waiting.delete(id);
      this.#give(request);
    }
    if (this.#waiting.size <= MOST_WAITING / 2) this.#hold(false);
    if (this.#waiting.size > 0) this.#timer ??= this.#nextTurn();
  }

  #hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#parts.hold?.(isHeld);
  }
}
