import { getEventListeners } from 'node:events';

/** As many as requests are under way at once in most cases. */
const MOST_KEPT = 8;

/** Controllers that are used again: to make one, and to listen to it first, costs more than most of a request. */
export class SpareControllers {
  readonly #kept: AbortController[] = [];

  take(): AbortController {
    return this.#kept.pop() ?? new AbortController();
  }

  /** Whoever had it has done with it. One that was aborted, or that somebody still listens to, is not used again. */
  giveBack(controller: AbortController): void {
    const { signal } = controller;
    const isUsed = signal.aborted || getEventListeners(signal, 'abort').length > 0;
    if (!isUsed && this.#kept.length < MOST_KEPT) this.#kept.push(controller);
  }
}
