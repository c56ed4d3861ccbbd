const CHUNK_SHIFT = 17;
const CHUNK = 1 << CHUNK_SHIFT;
/** Sizes and addresses are in such units. In bytes. */
export const FINGERPRINT_UNIT = 8;

export interface PoolImage {
  /** The last one may be shorter. */
  readonly chunks: readonly Uint8Array[];
  /** Units and address of what was given back, in turn. */
  readonly free: Uint32Array;
  readonly end: number;
  readonly used: number;
}

/**
 * Many small pieces of memory in few large ones: 100,000 arrays of their own would cost more than what is in them.
 * What is given back is used again for the same length.
 */
export class FingerprintPool {
  private readonly chunks: Uint8Array[] = [];
  private readonly free = new Map<number, number[]>();
  private end = 0;
  private used = 0;

  /** The address, to be given to `chunk` and `offsetOf`. `bits` are whole units. */
  store(bits: Uint8Array): number {
    const units = bits.length / FINGERPRINT_UNIT;
    const address = this.free.get(units)?.pop() ?? this.append(units);
    this.chunk(address).set(bits, offsetOf(address));
    this.used += units;
    return address;
  }

  release(address: number, units: number): void {
    this.used -= units;
    if (this.used === 0) {
      this.clear();
      return;
    }
    const list = this.free.get(units);
    if (list === undefined) this.free.set(units, [address]);
    else list.push(address);
  }

  /** The piece begins at `offsetOf(address)` of it. */
  chunk(address: number): Uint8Array {
    return this.chunks[address >>> CHUNK_SHIFT] ?? new Uint8Array(0);
  }

  /** What is to be stored, as it is in memory: valid until the next change. */
  get image(): PoolImage {
    const last = this.chunks.length - 1;
    const rest = (this.end - last * CHUNK) * FINGERPRINT_UNIT;
    const chunks = this.chunks.map((chunk, index) => (index === last ? chunk.subarray(0, rest) : chunk));
    const free = Array.from(this.free).flatMap(([units, list]) => list.flatMap((address) => [units, address]));
    return { chunks, free: Uint32Array.from(free), end: this.end, used: this.used };
  }

  /** The chunks become its own. */
  static from({ chunks, free, end, used }: PoolImage): FingerprintPool {
    const pool = new FingerprintPool();
    for (const chunk of chunks) pool.chunks.push(chunk.length === CHUNK * FINGERPRINT_UNIT ? chunk : wholeChunk(chunk));
    for (let at = 0; at < free.length; at += 2) {
      const [units = 0, address = 0] = free.subarray(at, at + 2);
      const list = pool.free.get(units);
      if (list === undefined) pool.free.set(units, [address]);
      else list.push(address);
    }
    pool.end = end;
    pool.used = used;
    return pool;
  }

  /** Memory held. */
  get bytes(): number {
    return this.chunks.length * CHUNK * FINGERPRINT_UNIT;
  }

  /** What of it is in use. */
  get usedBytes(): number {
    return this.used * FINGERPRINT_UNIT;
  }

  private clear(): void {
    this.chunks.length = 0;
    this.free.clear();
    this.end = 0;
  }

  private append(units: number): number {
    // A piece does not reach from one chunk into the next.
    if ((this.end & (CHUNK - 1)) + units > CHUNK) this.end = this.chunks.length * CHUNK;
    if (this.end === this.chunks.length * CHUNK) this.chunks.push(new Uint8Array(CHUNK * FINGERPRINT_UNIT));
    const address = this.end;
    this.end += units;
    return address;
  }
}

function wholeChunk(part: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(CHUNK * FINGERPRINT_UNIT);
  chunk.set(part);
  return chunk;
}

/** In bytes. */
export function offsetOf(address: number): number {
  return (address & (CHUNK - 1)) * FINGERPRINT_UNIT;
}
