import type { AfterReading } from '../../../../ui/once-read.js';

/** Time that goes on when it is told to. */
export class TimeByHand {
  #now = 0;
  readonly #waiting = new Set<{ readonly at: number; readonly act: () => void }>();

  readonly after: AfterReading = (ms, act) => {
    const one = { at: this.#now + ms, act };
    this.#waiting.add(one);
    return () => this.#waiting.delete(one);
  };

  pass(ms: number): void {
    this.#now += ms;
    for (const one of this.#waiting) {
      if (one.at > this.#now) continue;
      this.#waiting.delete(one);
      one.act();
    }
  }
}
