/** As much is kept from one file to the next. */
const KEPT_BYTES = 64 * 1024;

/** Room for one file after another. A buffer for each would be garbage that lies outside the heap, where collecting it is not urgent. */
export class FileRoom {
  #kept: Buffer | undefined;

  /** @returns a buffer of that length, with whatever was in it */
  of(bytes: number): Buffer {
    if (bytes > KEPT_BYTES) return Buffer.allocUnsafeSlow(bytes);
    this.#kept ??= Buffer.allocUnsafeSlow(KEPT_BYTES);
    return this.#kept.subarray(0, bytes);
  }

  /** The buffer that `of` gave last, with more behind what is in it. */
  withMore(buffer: Buffer, bytes: number): Buffer {
    const larger = this.of(bytes);
    if (larger.buffer !== buffer.buffer) buffer.copy(larger);
    return larger;
  }
}
