/** Ctrl-C: the first one cancels what runs, the second one ends the process at once. */
export interface Interrupts {
  /**
   * A signal that the next interruption aborts. Until `release` a second interruption ends the process;
   * with nothing armed, the first one does.
   */
  arm(): { readonly signal: AbortSignal; readonly release: () => void };
  /** As if the key had been pressed: for a terminal that is read key by key. */
  interrupt(): void;
}

/** `exitNow` is called for an interruption that nothing is left to answer. Plain state, no process: see `compose.ts`. */
export function createInterrupts(exitNow: () => void): Interrupts {
  const armed: AbortController[] = [];
  return {
    arm() {
      const controller = new AbortController();
      armed.push(controller);
      const release = (): void => {
        const place = armed.indexOf(controller);
        if (place !== -1) armed.splice(place, 1);
      };
      return { signal: controller.signal, release };
    },
    interrupt() {
      const waiting = armed.filter((controller) => !controller.signal.aborted);
      if (waiting.length === 0) return exitNow();
      for (const controller of waiting) controller.abort(new DOMException('Interrupted.', 'AbortError'));
    },
  };
}
