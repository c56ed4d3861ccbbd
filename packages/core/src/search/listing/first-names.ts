import { byName } from '../tree/walk.js';

/** What comes first by name, out of any number of items, in memory for about twice as many as are wanted. */
export class FirstNames<T extends { readonly name: string }> {
  readonly #wanted: number;
  #items: T[] = [];
  /** The last name that is wanted so far, once there are enough. */
  #last: string | undefined;

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** Whether an item of that name could be among the first ones. */
  wants(name: string): boolean {
    return this.#wanted > 0 && (this.#last === undefined || name < this.#last);
  }

  add(item: T): void {
    if (!this.wants(item.name)) return;
    this.#items.push(item);
    if (this.#items.length < 2 * this.#wanted + 64) return;
    this.#items = this.sorted();
    this.#last = this.#items.at(-1)?.name;
  }

  sorted(): T[] {
    return this.#items.sort(byName).slice(0, this.#wanted);
  }
}
