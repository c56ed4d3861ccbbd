const LF = 0x0a;
const CR = 0x0d;
/** Of an event that is too long; enough to find whose answer it is. */
const KEPT_BYTES = 4096;

/** An event of more bytes than may be held. */
export interface LongEvent {
  /** How it begins. */
  readonly start: string;
  /** How it ends; undefined as long as it goes on. */
  readonly end?: string;
  /** Those of it that came so far. */
  readonly bytes: number;
}

export interface EventGateOptions {
  readonly mostBytes: number;
  /** Told once when an event becomes too long, and again at its end. What is returned takes its place. */
  readonly onLong: (event: LongEvent) => string | undefined;
}

/**
 * Lets the events of a stream (`text/event-stream`) through one by one, each whole; of one that is too long nothing is held
 * but its start and its end. Lines end with LF, CR or both, an event with an empty line.
 */
export class EventGate {
  readonly #options: EventGateOptions;
  #held: Uint8Array[] = [];
  #bytes = 0;
  #long: { readonly start: string; end: Uint8Array } | undefined;
  /** The line that is read has no character so far. */
  #isBlank = true;
  #isAfterCr = false;

  constructor(options: EventGateOptions) {
    this.#options = options;
  }

  /** What may go on. */
  push(chunk: Uint8Array): Uint8Array[] {
    const out: Uint8Array[] = [];
    /** Behind the last event; and where those begin that go on as they came. */
    let [from, whole] = [0, 0];
    const passOn = (): void => {
      if (from > whole) out.push(chunk.subarray(whole, from));
    };
    for (const end of this.#endsIn(chunk)) {
      if (this.#bytes > 0 || end - from > this.#options.mostBytes) {
        passOn();
        this.#add(chunk.subarray(from, end), out);
        this.#finish(out);
        whole = end;
      }
      from = end;
    }
    passOn();
    if (from < chunk.length) this.#add(chunk.subarray(from), out);
    return out;
  }

  /** Behind the last byte of each event that ends in the chunk. */
  #endsIn(chunk: Uint8Array): number[] {
    const ends: number[] = [];
    let [isBlank, isAfterCr] = [this.#isBlank, this.#isAfterCr];
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === LF && isAfterCr) {
        // The second half of a line's end: it belongs to the event that ended with the first.
        if (ends.at(-1) === at) ends[ends.length - 1] = at + 1;
        else if (isBlank && at === 0 && this.#bytes === 0) ends.push(1);
      } else if (byte === LF || byte === CR) {
        if (isBlank) ends.push(at + 1);
        isBlank = true;
      } else isBlank = false;
      isAfterCr = byte === CR;
    }
    this.#isBlank = isBlank;
    this.#isAfterCr = isAfterCr;
    return ends;
  }

  #add(piece: Uint8Array, out: Uint8Array[]): void {
    this.#bytes += piece.length;
    if (this.#long !== undefined) {
      this.#long.end = lastOf(this.#long.end, piece);
      return;
    }
    this.#held.push(piece);
    if (this.#bytes <= this.#options.mostBytes) return;
    const all = Buffer.concat(this.#held);
    this.#held = [];
    this.#long = { start: all.toString('utf8', 0, KEPT_BYTES), end: Buffer.from(all.subarray(-KEPT_BYTES)) };
    this.#tell({ start: this.#long.start, bytes: this.#bytes }, out);
  }

  #finish(out: Uint8Array[]): void {
    if (this.#long === undefined) out.push(...this.#held);
    else {
      const end = Buffer.from(this.#long.end).toString('utf8');
      this.#tell({ start: this.#long.start, end, bytes: this.#bytes }, out);
    }
    this.#held = [];
    this.#bytes = 0;
    this.#long = undefined;
  }

  #tell(event: LongEvent, out: Uint8Array[]): void {
    const instead = this.#options.onLong(event);
    if (instead !== undefined) out.push(Buffer.from(instead));
  }
}

function lastOf(before: Uint8Array, piece: Uint8Array): Uint8Array {
  const all = piece.length >= KEPT_BYTES ? piece : Buffer.concat([before, piece]);
  return Uint8Array.from(all.subarray(-KEPT_BYTES));
}
