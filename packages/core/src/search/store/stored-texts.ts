const FIRST_SIZE = 64 * 1024;
/** Marks a text of two bytes a character. */
const WIDE = 0x8000_0000;
const NARROW_TEXT = /^[\0-\xff]*$/;

const NO_TEXT: readonly [number, number] = [0, 0];

/** Texts one after the other: each as Latin-1 or, where it does not fit, as UTF-16, so that any string comes back as it was. */
export class TextWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #end = 0;

  /** @returns where it begins, and how many bytes it has; for `TextReader` */
  add(text: string): readonly [start: number, length: number] {
    if (text === '') return NO_TEXT;
    const isWide = !NARROW_TEXT.test(text);
    const length = isWide ? text.length * 2 : text.length;
    if (this.#end + length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(this.#end + length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#end));
      this.#bytes = grown;
    }
    const start = this.#end;
    this.#bytes.write(text, start, isWide ? 'utf16le' : 'latin1');
    this.#end += length;
    return [start, isWide ? (length | WIDE) >>> 0 : length];
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }
}

export class TextReader {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  text(start: number, length: number): string {
    const isWide = length >= WIDE;
    return isWide
      ? this.#bytes.toString('utf16le', start, start + length - WIDE)
      : this.#bytes.toString('latin1', start, start + length);
  }
}
