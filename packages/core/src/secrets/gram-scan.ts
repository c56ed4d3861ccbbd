/** Bytes of a gram, and of the blocks by which it is decided how far to go on. */
export const GRAM = 8;
const BLOCK = 3;
const LARGEST_STEP = GRAM - BLOCK + 1;
/** A table that fits into the nearest memory, or one in which many grams do not crowd. */
const [FEW_BITS, MANY_BITS] = [15, 17];
const FEW_GRAMS = 600;

/** Finds any of many texts of eight bytes, looking at about every fifth byte (Wu and Manber's way of going on). */
export class GramScan {
  readonly #steps: Uint8Array;
  readonly #grams: ReadonlySet<string>;

  /** `grams`: eight characters each, of which the lower eight bits count. */
  constructor(grams: Iterable<string>) {
    const known = new Set(Array.from(grams, (gram) => Buffer.from(gram, 'latin1').toString('latin1')));
    this.#steps = new Uint8Array(1 << (known.size > FEW_GRAMS ? MANY_BITS : FEW_BITS)).fill(LARGEST_STEP);
    for (const gram of known) {
      const bytes = Buffer.from(gram, 'latin1');
      for (let end = BLOCK; end <= GRAM; end += 1) {
        const place = placeOf(bytes[end - 3] ?? 0, bytes[end - 2] ?? 0, bytes[end - 1] ?? 0) & (this.#steps.length - 1);
        this.#steps[place] = Math.min(this.#steps[place] ?? LARGEST_STEP, GRAM - end);
      }
    }
    this.#grams = known;
  }

  /** Where the first one begins, at `from` or behind it; -1 for none. */
  next(bytes: Buffer, from: number): number {
    if (this.#grams.size === 0) return -1;
    const steps = this.#steps;
    const { length } = bytes;
    const mask = steps.length - 1;
    for (let last = from + GRAM - 1; last < length;) {
      // Within its bounds, so never undefined.
      const place = placeOf(bytes[last - 2] as number, bytes[last - 1] as number, bytes[last] as number) & mask;
      const step = steps[place] as number;
      if (step > 0) {
        last += step;
        continue;
      }
      const start = last - GRAM + 1;
      if (this.#grams.has(bytes.toString('latin1', start, last + 1))) return start;
      last += 1;
    }
    return -1;
  }
}

function placeOf(first: number, second: number, third: number): number {
  return (first << 11) ^ (second << 6) ^ third;
}
