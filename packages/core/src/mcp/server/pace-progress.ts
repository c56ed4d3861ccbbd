/** How often at most progress is told, and how often a call that says nothing is said to be alive. In milliseconds. */
const LEAST_PAUSE_MS = 200;
const HEARTBEAT_MS = 10_000;
const LONGEST_MESSAGE = 300;

export interface Progress {
  readonly tell: (message: string) => void;
  /** The number told last. */
  readonly last: () => number;
  readonly end: () => void;
}

/**
 * Numbers always grow, starting above `from`; too many messages are thinned out, the last of a burst is told late rather
 * than never. Without `send` nothing happens: the client did not ask for progress.
 */
export function paceProgress(send: ((progress: number, message: string) => void) | undefined, from: number): Progress {
  if (send === undefined) return { tell: () => undefined, last: () => from, end: () => undefined };
  let number = from;
  let waiting: string | undefined;
  let toldAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const begin = performance.now();
  const now = (message: string): void => {
    number += 1;
    toldAt = performance.now();
    send(number, message.slice(0, LONGEST_MESSAGE));
  };
  const heart = setInterval(() => {
    const at = performance.now();
    if (at - toldAt >= HEARTBEAT_MS) now(`running for ${Math.round((at - begin) / 1000)} s`);
  }, HEARTBEAT_MS);
  return {
    tell(message) {
      const pause = LEAST_PAUSE_MS - (performance.now() - toldAt);
      if (pause <= 0 && timer === undefined) return now(message);
      waiting = message;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          if (waiting !== undefined) now(waiting);
          waiting = undefined;
        },
        Math.max(pause, 0),
      );
    },
    last: () => number,
    end() {
      clearInterval(heart);
      clearTimeout(timer);
    },
  };
}
