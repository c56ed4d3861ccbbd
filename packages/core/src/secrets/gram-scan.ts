/** Bytes of a gram, and of the blocks by which it is decided how far to go on: four, since few texts share so much by chance. */
export const GRAM = 8;
const BLOCK = 4;
const LARGEST_STEP = GRAM - BLOCK + 1;
/** Of the tables, in bits: a small one stays in the nearest memory, in a large one many grams do not crowd. */
const [LEAST_BITS, MOST_BITS] = [15, 20];
/** Places in a table for each gram. */
const ROOM = 64;

/** Finds any of many texts of eight bytes, looking at about every fifth byte (Wu and Manber's way of going on). */
export class GramScan {
  /** How far to go on from a block. */
  readonly #steps: Uint8Array;
  /** Whether a gram may begin and end so: nearly all that end like one are told apart here. */
  readonly #ends: Uint8Array;
  readonly #shift: number;
  readonly #grams: ReadonlySet<string>;

  /** `grams`: eight characters each, of which the lower eight bits count. */
  constructor(grams: Iterable<string>) {
    const known = new Set(Array.from(grams, (gram) => Buffer.from(gram, 'latin1').toString('latin1')));
    const bits = Math.min(MOST_BITS, Math.max(LEAST_BITS, Math.ceil(Math.log2(1 + known.size * ROOM))));
    this.#shift = 32 - bits;
    this.#steps = new Uint8Array(1 << bits).fill(LARGEST_STEP);
    this.#ends = new Uint8Array(1 << bits);
    for (const gram of known) {
      const bytes = Buffer.from(gram, 'latin1');
      const blockAt = (at: number): number => bytes.readInt32LE(at);
      for (let end = BLOCK; end <= GRAM; end += 1) {
        const place = placeOf(blockAt(end - BLOCK), this.#shift);
        this.#steps[place] = Math.min(this.#steps[place] ?? LARGEST_STEP, GRAM - end);
      }
      this.#ends[placeOf(blockAt(0) ^ blockAt(BLOCK), this.#shift)] = 1;
    }
    this.#grams = known;
  }

  /** Where the first one begins, at `from` or behind it; -1 for none. */
  next(bytes: Buffer, from: number): number {
    if (this.#grams.size === 0) return -1;
    const [steps, ends, shift] = [this.#steps, this.#ends, this.#shift];
    const { length } = bytes;
    // Four bytes at once.
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    for (let start = from; start + GRAM <= length;) {
      const block = view.getInt32(start + GRAM - BLOCK, true);
      // Within its bounds, so never undefined.
      const step = steps[placeOf(block, shift)] as number;
      if (step > 0) {
        start += step;
        continue;
      }
      const mayBe = ends[placeOf(view.getInt32(start, true) ^ block, shift)] === 1;
      if (mayBe && this.#grams.has(bytes.toString('latin1', start, start + GRAM))) return start;
      start += 1;
    }
    return -1;
  }
}

/** The upper bits of a product: all four bytes count (Knuth's multiplicative hashing). */
function placeOf(block: number, shift: number): number {
  return Math.imul(block, 0x9e3779b1) >>> shift;
}
