import type { AfterReading } from '../../../ui/once-read.js';
import type { Key } from '../screen/panel.js';

/** So long a question must have been seen without a key before one can answer it. In milliseconds. */
const QUIET_MS = 300;
/** What answers nothing, whenever it is pressed. */
const NAVIGATION: ReadonlySet<string> = new Set([
  'up',
  'down',
  'left',
  'right',
  'pageUp',
  'pageDown',
  'home',
  'end',
  'tab',
  'shift+tab',
]);

/**
 * Tells which keys are meant for a question. Whoever types goes on typing for a moment when one appears: none of that is an
 * answer. Ctrl-C always counts.
 */
export class UnseenKeys {
  readonly #after: AfterReading;
  /** Takes the waiting back; undefined until the question is drawn. */
  #stop: (() => void) | undefined;
  #isSettled = false;

  constructor(after: AfterReading) {
    this.#after = after;
  }

  /** Another question stands there with the next frame. */
  begin(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#isSettled = false;
  }

  drawn(): void {
    if (this.#stop === undefined) this.#wait();
  }

  counts({ name }: Key): boolean {
    if (this.#isSettled || name === 'ctrl+c' || NAVIGATION.has(name)) return true;
    if (this.#stop !== undefined) this.#wait();
    return false;
  }

  #wait(): void {
    this.#stop?.();
    this.#stop = this.#after(QUIET_MS, () => (this.#isSettled = true));
  }
}
