export interface TimeWatch {
  /** The server showed that it is alive. */
  alive(): void;
  stop(): void;
}

export interface WatchedTimes {
  /** Without a sign of life. In milliseconds. */
  readonly idleMs: number;
  /** Altogether. In milliseconds. */
  readonly totalMs: number;
  /** While that is so, the server waits for the person and not the other way round. */
  readonly isHeld: () => boolean;
  readonly onEnd: (reason: string) => void;
}

/** Ends a request that shows no life for too long, or that lasts too long whatever it shows. */
export function watchTime({ idleMs, totalMs, isHeld, onEnd }: WatchedTimes): TimeWatch {
  let idle: NodeJS.Timeout;
  const total = setTimeout(() => end(`it was not done after ${seconds(totalMs)}`), totalMs);
  const silent = (): void => {
    if (isHeld()) arm();
    else end(`no sign of life for ${seconds(idleMs)}`);
  };
  const arm = (): void => {
    idle = setTimeout(silent, idleMs);
  };
  const stop = (): void => {
    clearTimeout(idle);
    clearTimeout(total);
  };
  const end = (reason: string): void => {
    stop();
    onEnd(reason);
  };
  arm();
  return { alive: () => idle.refresh(), stop };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
