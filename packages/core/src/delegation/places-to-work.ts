/** The right to work at the same time as others. */
export interface Place {
  /** May be called twice. */
  release(): void;
}

interface Waiting {
  /** That of the agent which waits for this one. */
  readonly above: HeldPlace | undefined;
  readonly go: (place: HeldPlace) => void;
}

interface HeldPlace extends Place {
  /** An agent that waits for another has no need of its own place: it works in it. */
  isLent: boolean;
}

/**
 * How many subagents work at the same time: places are taken in the order in which they were asked for. An agent that waits for
 * one below it lends its place, so that agents that wait for one another never wait for ever.
 */
export class PlacesToWork {
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = Math.max(1, most);
  }

  /** `above`: what the agent works in that waits for this one. Rejects with the signal's reason. */
  take(above: Place | undefined, signal: AbortSignal): Promise<Place> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        above: above as HeldPlace | undefined,
        go: (place) => {
          signal.removeEventListener('abort', stop);
          resolve(place);
        },
      };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', stop, { once: true });
      this.#give();
    });
  }

  /** Whether whoever asks now has to wait. */
  mustWait(above: Place | undefined): boolean {
    return this.#free === 0 && (above as HeldPlace | undefined)?.isLent !== false;
  }

  #give(): void {
    for (const waiting of this.#waiting.slice()) {
      const place = this.#placeFor(waiting.above);
      if (place === undefined) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.go(place);
    }
  }

  #placeFor(above: HeldPlace | undefined): HeldPlace | undefined {
    if (above?.isLent === false) {
      above.isLent = true;
      return this.#held(() => {
        above.isLent = false;
      });
    }
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    return this.#held(() => {
      this.#free += 1;
    });
  }

  #held(giveBack: () => void): HeldPlace {
    let isHeld = true;
    return {
      isLent: false,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        giveBack();
        this.#give();
      },
    };
  }
}
