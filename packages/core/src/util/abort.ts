/** The promise's outcome, or a rejection with the signal's reason as soon as it aborts. Never leaves an unhandled rejection. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    throw signal.reason;
  }
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    // The signal's reason is whatever its owner gave; it is passed on as it is.
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return abortable(elapsed, signal).finally(() => clearTimeout(timer));
}

/**
 * Aborts after `ms`; the timer keeps no process alive. Node 20 loses the timer of `AbortSignal.timeout` to the garbage
 * collector where only `AbortSignal.any` knows of the signal: a listener of its own holds it.
 */
export function timeLimit(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener('abort', () => undefined, { once: true });
  return signal;
}

/** Resolves once the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * As the method of that name, for functions that V8 compiles: in Node each signal has a hidden class of its own, so that code compiled for one
 * is thrown away at the next. Looked up by its name it is asked for without one.
 */
export function throwIfAborted(signal: AbortSignal): void {
  if (Reflect.get(signal, 'aborted')) throw signal.reason;
}
