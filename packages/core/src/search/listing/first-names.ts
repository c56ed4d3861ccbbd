import { compareNames } from '../../util/compare-names.js';

/** The first names in sorted order out of any number of names. Keeps about twice as many in memory as are wanted. */
export class FirstNames {
  readonly #wanted: number;
  #names: string[] = [];
  /** The last name that is wanted so far, once there are enough. */
  #last: string | undefined;

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** Whether it could be among the first ones; it is kept then. */
  add(name: string): boolean {
    if (this.#wanted === 0 || (this.#last !== undefined && compareNames(name, this.#last) >= 0)) return false;
    this.#names.push(name);
    if (this.#names.length >= 2 * this.#wanted + 64) {
      this.#names = this.sorted();
      this.#last = this.#names.at(-1);
    }
    return true;
  }

  sorted(): string[] {
    return this.#names.sort(compareNames).slice(0, this.#wanted);
  }
}
