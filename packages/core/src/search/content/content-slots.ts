import { mayHold, type FingerprintQuery } from './fingerprint.js';
import { FINGERPRINT_UNIT, FingerprintPool, offsetOf, type PoolImage } from './fingerprint-pool.js';
import { FileKind, STAMP_NUMBERS, type LearnAnswer } from './learn-worker.js';

/** What an answer says of one file. */
export interface LearnedFile {
  readonly answer: LearnAnswer;
  /** The file's place in the answer. */
  readonly index: number;
  /** Where its fingerprint begins in the answer's. */
  readonly offset: number;
}

/** Bytes of the fingerprint that an answer holds for the file at that place. */
export function fingerprintLength(answer: LearnAnswer, index: number): number {
  return (answer.units[index] ?? 0) * FINGERPRINT_UNIT;
}

/** What is to be stored of slots, as it is in memory: valid until the next change. */
export interface SlotsImage {
  readonly stamps: Float64Array;
  readonly kinds: Uint8Array;
  readonly units: Uint16Array;
  readonly addresses: Uint32Array;
  readonly bytes: number;
  readonly pool: PoolImage;
}

/** Slots made at once. */
const GROWTH = 16_384;
const FIRST_GROWTH = 1024;

/** What is known of files, by number: kind, stamp, fingerprint, close together. */
export class ContentSlots {
  private stamps: Float64Array = new Float64Array(0);
  private kinds: Uint8Array = new Uint8Array(0);
  private units: Uint16Array = new Uint16Array(0);
  private addresses: Uint32Array = new Uint32Array(0);
  private pool = new FingerprintPool();
  /** One for all: a hundred thousand are asked in a row. */
  private readonly asked: { bits: Uint8Array; offset: number; length: number } = {
    bits: new Uint8Array(0),
    offset: 0,
    length: 0,
  };
  private readonly free: number[] = [];
  private used = 0;
  private knownBytes = 0;

  /** The arrays become its own. */
  static from({ stamps, kinds, units, addresses, bytes, pool }: SlotsImage): ContentSlots {
    const slots = new ContentSlots();
    slots.stamps = stamps;
    slots.kinds = kinds;
    slots.units = units;
    slots.addresses = addresses;
    slots.knownBytes = bytes;
    slots.pool = FingerprintPool.from(pool);
    slots.used = kinds.length;
    for (let at = kinds.indexOf(FileKind.none); at !== -1; at = kinds.indexOf(FileKind.none, at + 1))
      slots.free.push(at);
    return slots;
  }

  get image(): SlotsImage {
    const { used } = this;
    return {
      stamps: this.stamps.subarray(0, used * STAMP_NUMBERS),
      kinds: this.kinds.subarray(0, used),
      units: this.units.subarray(0, used),
      addresses: this.addresses.subarray(0, used),
      bytes: this.knownBytes,
      pool: this.pool.image,
    };
  }

  /** How many files. */
  get count(): number {
    return this.used - this.free.length;
  }

  /** Sizes of these files together. */
  get bytes(): number {
    return this.knownBytes;
  }

  /** Memory held, in bytes. */
  get memory(): number {
    return this.pool.bytes + this.kinds.length * (STAMP_NUMBERS * 8 + 1 + 2 + 4);
  }

  /** Memory that fingerprints use, in bytes. */
  get fingerprintBytes(): number {
    return this.pool.usedBytes;
  }

  add({ answer, index, offset }: LearnedFile): number {
    const slot = this.free.pop() ?? this.used++;
    if (slot >= this.kinds.length) this.grow();
    const length = fingerprintLength(answer, index);
    this.kinds[slot] = answer.kinds[index] ?? FileKind.none;
    this.units[slot] = answer.units[index] ?? 0;
    this.stamps.set(answer.stamps.subarray(index * STAMP_NUMBERS, (index + 1) * STAMP_NUMBERS), slot * STAMP_NUMBERS);
    if (length > 0) this.addresses[slot] = this.pool.store(answer.bits.subarray(offset, offset + length));
    this.knownBytes += this.sizeOf(slot);
    return slot;
  }

  release(slot: number): void {
    if (this.kind(slot) === FileKind.none) return;
    this.knownBytes -= this.sizeOf(slot);
    const units = this.units[slot] ?? 0;
    if (units > 0) this.pool.release(this.addresses[slot] ?? 0, units);
    this.kinds[slot] = FileKind.none;
    this.free.push(slot);
  }

  /** `FileKind`; `none` for a slot that was released. */
  kind(slot: number): number {
    return this.kinds[slot] ?? FileKind.none;
  }

  /** `stamps` as a `StatUnit` has them, from that place on. */
  isUnchanged(slot: number, stamps: Float64Array, from: number): boolean {
    const at = slot * STAMP_NUMBERS;
    // NaN, for a file that is gone, equals nothing.
    return (
      this.stamps[at] === stamps[from] &&
      this.stamps[at + 1] === stamps[from + 1] &&
      this.stamps[at + 2] === stamps[from + 2] &&
      this.stamps[at + 3] === stamps[from + 3]
    );
  }

  /** For text. */
  mayHold(slot: number, query: FingerprintQuery): boolean {
    const address = this.addresses[slot] ?? 0;
    this.asked.bits = this.pool.chunk(address);
    this.asked.offset = offsetOf(address);
    this.asked.length = (this.units[slot] ?? 0) * FINGERPRINT_UNIT;
    return mayHold(query, this.asked);
  }

  /** In bytes; 0 for what was not read to its end. */
  sizeOf(slot: number): number {
    const kind = this.kind(slot);
    // The beginning told what they are.
    if (kind === FileKind.tooLarge || kind === FileKind.binary) return 0;
    return this.stamps[slot * STAMP_NUMBERS + SIZE_AT] ?? 0;
  }

  private grow(): void {
    const size = this.kinds.length + (this.kinds.length === 0 ? FIRST_GROWTH : GROWTH);
    const grown = <T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.stamps = grown(this.stamps, new Float64Array(size * STAMP_NUMBERS));
    this.kinds = grown(this.kinds, new Uint8Array(size));
    this.units = grown(this.units, new Uint16Array(size));
    this.addresses = grown(this.addresses, new Uint32Array(size));
  }
}

/** Where a stamp has the file's size. */
const SIZE_AT = 2;
