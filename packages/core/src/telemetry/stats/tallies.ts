/** Beyond this many names the rest is one: a log may hold any. */
const MOST_NAMES = 200;
const LONGEST_NAME = 100;
const OTHERS = '(others)';

/** Things by name, of which there are not more than a few hundred. */
export class Named<T> {
  readonly #all = new Map<string, T>();
  readonly #make: () => T;

  constructor(make: () => T) {
    this.#make = make;
  }

  get(name: string): T {
    const short = name.slice(0, LONGEST_NAME);
    const key = this.#all.has(short) || this.#all.size < MOST_NAMES ? short : OTHERS;
    const found = this.#all.get(key) ?? this.#make();
    this.#all.set(key, found);
    return found;
  }

  entries(): readonly (readonly [string, T])[] {
    return [...this.#all];
  }
}

/** How often what was. */
export class Tally {
  readonly #counts = new Named(() => ({ count: 0 }));

  add(name: string, amount = 1): void {
    this.#counts.get(name).count += amount;
  }

  addAll(other: Tally): void {
    for (const [name, { count }] of other.#counts.entries()) this.add(name, count);
  }

  /** The most frequent first. */
  record(): Record<string, number> {
    const sorted = this.#counts
      .entries()
      .map(([name, { count }]) => [name, count] as const)
      .toSorted(([, one], [, other]) => other - one);
    return Object.fromEntries(sorted);
  }
}
