import { secondsText } from '../../util/seconds.js';

export interface TimeWatch {
  /** The server showed that it is alive. */
  alive(): void;
  stop(): void;
}

export interface WatchedTimes {
  /** Without a sign of life. In milliseconds. */
  readonly idleMs: number;
  /** The time in total, without the time of questions to the user. In milliseconds. */
  readonly totalMs: number;
  /** While that is so, the server waits for the person and not the other way round. */
  readonly isHeld: () => boolean;
  readonly onEnd: (reason: string) => void;
}

interface Watched {
  readonly times: WatchedTimes;
  overAt: number;
  silentAt: number;
}

/** Of a timer; a longer time is waited for in parts. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Ends requests that show no life for too long, or that last too long whatever they show. One timer for all of them, which
 * stays as it is when a request is done: nearly all are answered long before it rings. It keeps the process alive only while
 * something is watched.
 */
export class RequestTimes {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #ringsAt = Infinity;

  watch(times: WatchedTimes): TimeWatch {
    const now = performance.now();
    const one = { times, overAt: now + times.totalMs, silentAt: now + times.idleMs };
    this.#watched.add(one);
    this.#ringBy(Math.min(one.overAt, one.silentAt), now);
    return {
      alive: () => {
        one.silentAt = performance.now() + times.idleMs;
      },
      stop: () => this.#forget(one),
    };
  }

  #forget(one: Watched): void {
    this.#watched.delete(one);
    if (this.#watched.size === 0) this.#timer?.unref();
  }

  #ringBy(at: number, now: number): void {
    if (at >= this.#ringsAt) {
      this.#timer?.ref();
      return;
    }
    clearTimeout(this.#timer);
    this.#ringsAt = at;
    this.#timer = setTimeout(() => this.#ring(), Math.min(Math.max(at - now, 1), LONGEST_MS));
  }

  #ring(): void {
    const now = performance.now();
    this.#ringsAt = Infinity;
    let next = Infinity;
    for (const one of this.#watched) {
      const reason = endOf(one, now);
      if (reason === undefined) {
        next = Math.min(next, one.overAt, one.silentAt);
      } else {
        this.#forget(one);
        one.times.onEnd(reason);
      }
    }
    if (next !== Infinity) this.#ringBy(next, now);
  }
}

/** Why its time is over; undefined when it is not. */
function endOf(one: Watched, now: number): string | undefined {
  const { idleMs, totalMs, isHeld } = one.times;
  const isOver = now >= one.overAt;
  if (!isOver && now < one.silentAt) return undefined;
  if (!isHeld())
    return isOver ? `it was not done after ${secondsText(totalMs)}` : `no sign of life for ${secondsText(idleMs)}`;
  one.silentAt = now + idleMs;
  one.overAt = Math.max(one.overAt, now + idleMs);
  return undefined;
}
