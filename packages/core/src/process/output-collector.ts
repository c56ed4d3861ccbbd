/** What was kept of an output, and how much of it was not. */
export interface CollectedOutput {
  readonly head: string;
  readonly tail: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
}

/** What is new of an output. */
export interface NewOutput extends CollectedOutput {
  /** The offset of the next look. */
  readonly next: number;
  /** The first bytes of a character that is not complete yet: those from `next` on. */
  readonly rest: Buffer;
}

/**
 * Keeps the beginning and the end of a stream in memory that never grows: `keepBytes`, half for
 * each side. Borders never cut a UTF-8 character; a byte that is no UTF-8 becomes U+FFFD and
 * leaves its neighbours alone.
 */
export class OutputCollector {
  readonly #head: Buffer;
  /** A ring: `#next` is where the next byte goes, and the oldest byte once it is full. */
  readonly #ring: Buffer;
  #headLength = 0;
  #next = 0;
  #ringLength = 0;
  #total = 0;

  constructor(keepBytes: number) {
    const keep = Math.max(2, Math.floor(keepBytes));
    this.#head = Buffer.allocUnsafe(Math.ceil(keep / 2));
    this.#ring = Buffer.allocUnsafe(Math.floor(keep / 2));
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** True once a byte had to be dropped. */
  get overflowed(): boolean {
    return this.#total > this.#head.length + this.#ring.length;
  }

  /** True when adding `count` bytes would drop some for the first time. */
  wouldOverflow(count: number): boolean {
    return !this.overflowed && this.#total + count > this.#head.length + this.#ring.length;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const toHead = Math.min(chunk.length, this.#head.length - this.#headLength);
    chunk.copy(this.#head, this.#headLength, 0, toHead);
    this.#headLength += toHead;
    // Of a chunk longer than the ring only the end can survive.
    let rest = chunk.subarray(Math.max(toHead, chunk.length - this.#ring.length));
    while (rest.length > 0) {
      const count = rest.copy(this.#ring, this.#next);
      this.#next = (this.#next + count) % this.#ring.length;
      this.#ringLength = Math.min(this.#ring.length, this.#ringLength + count);
      rest = rest.subarray(count);
    }
  }

  /** Every byte so far; only while nothing was dropped. */
  everything(): Buffer {
    return Buffer.concat([this.#head.subarray(0, this.#headLength), this.#tailBytes()]);
  }

  /** The newest output, at most `limit` bytes of it. */
  newest(limit: number): string {
    const bytes = this.overflowed ? this.#tailBytes() : this.everything();
    const cut = bytes.subarray(Math.max(0, bytes.length - limit));
    return cut.length === bytes.length && !this.overflowed
      ? cut.toString()
      : cut.subarray(startOfCharacter(cut)).toString();
  }

  collected(): CollectedOutput {
    if (!this.overflowed)
      return { head: this.everything().toString(), tail: '', totalBytes: this.#total, omittedBytes: 0 };
    const head = this.#head.subarray(0, endOfCharacter(this.#head));
    const ring = this.#tailBytes();
    const tail = ring.subarray(startOfCharacter(ring));
    return {
      head: head.toString(),
      tail: tail.toString(),
      totalBytes: this.#total,
      omittedBytes: this.#total - head.length - tail.length,
    };
  }

  /**
   * What came after the first `offset` bytes, as far as it was kept, and where the next look goes on. A character
   * of which only the beginning came is left for that look, unless `isWhole` says that nothing more will come.
   */
  since(offset: number, isWhole: boolean): NewOutput {
    const from = Math.min(Math.max(0, offset), this.#total);
    const kept = this.overflowed ? this.#head : this.everything();
    const ring = this.overflowed ? this.#tailBytes() : Buffer.alloc(0);
    const head = kept.subarray(Math.min(from, kept.length));
    const newest = ring.subarray(Math.max(0, from - (this.#total - ring.length)));
    const omittedBytes = this.#total - from - head.length - newest.length;
    if (omittedBytes === 0) {
      const bytes = Buffer.concat([head, newest]);
      const end = isWhole ? bytes.length : endOfCharacter(bytes);
      const rest = bytes.subarray(end);
      return { head: bytes.toString('utf8', 0, end), tail: '', totalBytes: end, omittedBytes, next: from + end, rest };
    }
    const start = startOfCharacter(newest);
    const end = isWhole ? newest.length : Math.max(start, endOfCharacter(newest));
    const headEnd = endOfCharacter(head);
    return {
      head: head.toString('utf8', 0, headEnd),
      tail: newest.toString('utf8', start, end),
      totalBytes: this.#total - from - (newest.length - end),
      omittedBytes: omittedBytes + start + (head.length - headEnd),
      next: this.#total - (newest.length - end),
      rest: newest.subarray(end),
    };
  }

  #tailBytes(): Buffer {
    if (this.#ringLength < this.#ring.length) return this.#ring.subarray(0, this.#ringLength);
    return Buffer.concat([this.#ring.subarray(this.#next), this.#ring.subarray(0, this.#next)]);
  }
}

/** Where the first whole character begins: behind at most three continuation bytes. */
function startOfCharacter(bytes: Buffer): number {
  let at = 0;
  while (at < 3 && at < bytes.length && isContinuation(bytes[at])) at += 1;
  return at;
}

/** Where the last whole character ends: before a lead byte whose character goes on behind the border. */
function endOfCharacter(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back];
    if (isContinuation(byte)) continue;
    return sequenceLength(byte ?? 0) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
}
