/** The longest delay of a timer; a longer one fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A time limit on silence. */
export interface IdleTimer {
  /** From now on at most `limitMs` until `stop` or the next `start`. */
  start(limitMs: number): void;
  stop(): void;
  expired(): boolean;
}

export function createIdleTimer(onExpire: () => void): IdleTimer {
  let expired = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    start: (limitMs) => {
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          expired = true;
          onExpire();
        },
        Math.min(limitMs, LONGEST_MS),
      );
    },
    stop: () => clearTimeout(timer),
    expired: () => expired,
  };
}
