/** From how many values on a spread is counted in steps. */
const MOST_EXACT = 512;
/** Each step is larger by this factor than the one before, so that a value is known to a hundredth of it. */
const STEP = 1.02;

/** How values are spread, in little memory however many there are: exact for few, to a hundredth of a value for many. */
export class Spread {
  #exact: number[] | undefined = [];
  readonly #steps = new Map<number, number>();
  #count = 0;

  /** Not below 0. */
  add(value: number): void {
    this.#count += 1;
    if (this.#exact !== undefined && this.#exact.length < MOST_EXACT) this.#exact.push(value);
    else {
      this.#toSteps();
      this.#addStep(stepOf(value), 1);
    }
  }

  addAll(other: Spread): void {
    if (other.#exact !== undefined) {
      for (const value of other.#exact) this.add(value);
      return;
    }
    this.#toSteps();
    this.#count += other.#count;
    for (const [step, count] of other.#steps) this.#addStep(step, count);
  }

  /** The value that `share` of all values are not above; undefined without any. */
  at(share: number): number | undefined {
    if (this.#count === 0) return undefined;
    const rank = Math.max(1, Math.ceil(share * this.#count));
    if (this.#exact !== undefined) return this.#exact.toSorted((one, other) => one - other)[rank - 1];
    let below = 0;
    for (const step of [...this.#steps.keys()].sort((one, other) => one - other)) {
      below += this.#steps.get(step) ?? 0;
      if (below >= rank) return valueOf(step);
    }
    return undefined;
  }

  #toSteps(): void {
    const exact = this.#exact ?? [];
    this.#exact = undefined;
    for (const value of exact) this.#addStep(stepOf(value), 1);
  }

  #addStep(step: number, count: number): void {
    this.#steps.set(step, (this.#steps.get(step) ?? 0) + count);
  }
}

function stepOf(value: number): number {
  return Math.round(Math.log1p(Math.max(0, value)) / Math.log(STEP));
}

function valueOf(step: number): number {
  return Math.expm1(step * Math.log(STEP));
}
