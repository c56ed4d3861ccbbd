import type { ThreadLease } from './search-threads.js';

/** In a file that takes so long the pattern runs away. */
const STALL_MS = 250;
/** Coming up takes some thirty milliseconds, and much more on a busy machine. */
const START_MS = 3_000;
const LOOK_MS = 50;
/** A search that was aborted gives back its threads so soon, or they are ended. */
const ABORT_MS = 100;

export interface GuardedWork {
  readonly lease: ThreadLease;
  readonly signal: AbortSignal;
  /** For tests. */
  readonly stallMs?: number;
}

/** What work in leased threads shares with what watches over it. */
export interface Guard {
  /** Nothing new is begun: the search was aborted, or the pattern ran away and took a thread along. */
  readonly isGivenUp: boolean;
  giveUp(): void;
}

/**
 * Does work in leased threads, ends those in which the pattern runs away, and gives the lease back.
 * @throws the signal's reason, once no thread works for it any more
 */
export async function withLease<T>(
  { lease, signal, stallMs = STALL_MS }: GuardedWork,
  work: (guard: Guard) => Promise<T>,
): Promise<T> {
  const guard = { isGivenUp: false, giveUp: () => void (guard.isGivenUp = true) };
  const ending: Promise<void>[] = [];
  const stop = (): void => {
    guard.giveUp();
    for (const thread of lease.threads) thread.cancel(lease.job);
  };
  const endStalled = (): void => {
    for (const thread of lease.threads) {
      const limit = signal.aborted ? ABORT_MS : thread.isReady ? stallMs : START_MS;
      if (thread.hasEnded || !thread.isStuck(limit)) continue;
      guard.giveUp();
      ending.push(thread.end());
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  const look = setInterval(endStalled, LOOK_MS).unref();
  try {
    signal.throwIfAborted();
    const result = await work(guard);
    signal.throwIfAborted();
    return result;
  } finally {
    clearInterval(look);
    signal.removeEventListener('abort', stop);
    await Promise.all(ending);
    lease.release();
  }
}
