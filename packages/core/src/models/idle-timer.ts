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
      timer = setTimeout(() => {
        expired = true;
        onExpire();
      }, limitMs);
    },
    stop: () => clearTimeout(timer),
    expired: () => expired,
  };
}
