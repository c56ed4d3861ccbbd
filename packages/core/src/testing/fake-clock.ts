/** Time that passes only when a test says so. */
export interface FakeClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves once `advance` has passed `ms`; rejects with the reason of `signal` when it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Lets time pass, waking sleepers in the order of their time; those that they start on the way wake too. */
  advance(ms: number): Promise<void>;
  /** Durations that were asked of `sleep`, in order. */
  readonly sleeps: readonly number[];
  /** How many sleep now. */
  readonly sleeping: () => number;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** @param start what `now()` says at first; default 2024-01-01T00:00:00Z */
export function createFakeClock(start: number = Date.UTC(2024, 0, 1)): FakeClock {
  let time = start;
  const sleeps: number[] = [];
  const sleepers = new Set<Sleeper>();

  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    sleeps.push(ms);
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper: Sleeper = {
        until: time + ms,
        wake: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      sleepers.add(sleeper);
    });
  };

  const advance = async (ms: number): Promise<void> => {
    const end = time + ms;
    for (;;) {
      // The code under test may be on its way to its next sleep.
      await settle();
      const next = [...sleepers].filter(({ until }) => until <= end).toSorted((a, b) => a.until - b.until)[0];
      if (next === undefined) break;
      sleepers.delete(next);
      time = Math.max(time, next.until);
      next.wake();
    }
    time = end;
  };

  return { now: () => time, sleep, advance, sleeps, sleeping: () => sleepers.size };
}

/** A turn of the event loop: every promise that can settle without time or I/O has settled. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
