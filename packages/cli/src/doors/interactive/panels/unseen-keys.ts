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
  readonly #now: () => number;
  /** When the question was first drawn, or a key came too early for it. */
  #since: number | undefined;
  #isSettled = false;

  /** `now` in milliseconds, from any time on. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Another question stands there with the next frame. */
  begin(): void {
    this.#since = undefined;
    this.#isSettled = false;
  }

  drawn(): void {
    this.#since ??= this.#now();
  }

  counts({ name }: Key): boolean {
    if (this.#isSettled || name === 'ctrl+c' || NAVIGATION.has(name)) return true;
    if (this.#since === undefined) return false;
    const now = this.#now();
    this.#isSettled = now - this.#since >= QUIET_MS;
    this.#since = now;
    return this.#isSettled;
  }
}
