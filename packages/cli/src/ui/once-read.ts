/**
 * Calls once the event loop has looked at its descriptors, however late it comes to that: all that they held by now is read before. A time says
 * nothing of it, since timers come first where the machine was busy.
 */
export function onceRead(act: () => void): void {
  setImmediate(() => setImmediate(act));
}

/** Calls when that many milliseconds have gone by and all that came in them is read. The returned function takes it back. */
export function afterReading(ms: number, act: () => void): () => void {
  let isWanted = true;
  const timer = setTimeout(() => onceRead(() => isWanted && act()), ms);
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}

export type AfterReading = typeof afterReading;
