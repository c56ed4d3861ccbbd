/**
 * Calls once the event loop has looked at its descriptors, however late it comes to that: all that they held by now is read before. A time says
 * nothing of it, since timers come first where the machine was busy.
 */
export function onceRead(act: () => void): void {
  setImmediate(() => setImmediate(act));
}
