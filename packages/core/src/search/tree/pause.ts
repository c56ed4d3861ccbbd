import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfAborted } from '../../util/abort.js';

/**
 * How long the event loop is held up at a time: as long as a thread that searches has work for, which it gets between
 * slices. A pause costs some 30 µs.
 */
const SLICE_MS = 4;

/** Shares the event loop: work asks now and then whether a pause is due, and takes it. */
export class Pause {
  readonly #signal: AbortSignal;
  #end = performance.now() + SLICE_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  isDue(): boolean {
    return performance.now() >= this.#end;
  }

  /** @throws the signal's reason once it is aborted */
  async take(): Promise<void> {
    await nextTurn();
    throwIfAborted(this.#signal);
    this.#end = performance.now() + SLICE_MS;
  }
}
