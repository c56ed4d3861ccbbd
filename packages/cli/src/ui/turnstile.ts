/** Lets one user at a time through: a question on the screen and the lines of running calls never mix. */
export interface Turnstile {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Whoever comes later waits until all who came before are done, whether they succeeded or not. */
export function createTurnstile(): Turnstile {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const turn = last.then(work, work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
