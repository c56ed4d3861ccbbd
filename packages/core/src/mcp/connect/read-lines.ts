export interface LineSink {
  /** Without its end, CR or LF. */
  line(text: string): void;
  /** Called with the start of a line that exceeds the kept bytes. Called at once, because the line may never end. */
  tooLong(start: string): void;
  /** Called at the end of such a line. */
  longEnded?(start: string, end: string, bytes: number): void;
  /** Called once if such a line goes on and on. */
  endless?(bytes: number): void;
}

const NEWLINE = 0x0a;
/** Of a line that is too long; enough to find what it was about. */
const KEPT_BYTES = 4096;
/** A line of this many times the kept bytes counts as endless. */
const ENDLESS_TIMES = 4;

/**
 * Cuts what a pipe gives into lines of UTF-8. Chunks are joined once a line, so that a long line costs its length and no
 * more, and what is beyond `mostBytes` is not held.
 */
export class LineReader {
  readonly #sink: LineSink;
  readonly #mostBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Of a line that is too long: its start, and the last of it so far. */
  #dropped: { readonly start: string; end: Buffer } | undefined;
  #isEndless = false;

  constructor(sink: LineSink, mostBytes: number) {
    this.#sink = sink;
    this.#mostBytes = mostBytes;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end));
      from = end + 1;
      this.#finish();
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  /** No more comes: what is left is a line as well. */
  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#dropped === undefined) {
      this.#chunks.push(piece);
      if (this.#bytes > this.#mostBytes) this.#drop();
      return;
    }
    const end = piece.length >= KEPT_BYTES ? piece : Buffer.concat([this.#dropped.end, piece]);
    this.#dropped.end = Buffer.from(end.subarray(-KEPT_BYTES));
    if (this.#isEndless || this.#bytes <= ENDLESS_TIMES * this.#mostBytes) return;
    this.#isEndless = true;
    this.#sink.endless?.(this.#bytes);
  }

  #drop(): void {
    // The chunks are never joined into one piece.
    const last = this.#chunks.findLastIndex((_, index, all) => sizeOf(all.slice(index)) >= KEPT_BYTES);
    this.#dropped = {
      start: Buffer.concat(this.#chunks, Math.min(this.#bytes, KEPT_BYTES)).toString('utf8'),
      end: Buffer.from(Buffer.concat(this.#chunks.slice(Math.max(0, last))).subarray(-KEPT_BYTES)),
    };
    this.#chunks = [];
    this.#sink.tooLong(this.#dropped.start);
  }

  #finish(): void {
    const [chunks, bytes, dropped] = [this.#chunks, this.#bytes, this.#dropped];
    this.#chunks = [];
    this.#bytes = 0;
    this.#dropped = undefined;
    this.#isEndless = false;
    if (dropped !== undefined) {
      this.#sink.longEnded?.(dropped.start, dropped.end.toString('utf8'), bytes);
      return;
    }
    const [first] = chunks;
    const text =
      chunks.length === 1 && first !== undefined ? first.toString('utf8') : Buffer.concat(chunks).toString('utf8');
    this.#sink.line(text.endsWith('\r') ? text.slice(0, -1) : text);
  }
}

function sizeOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((bytes, chunk) => bytes + chunk.length, 0);
}
