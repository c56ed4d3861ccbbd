import type { FarMatch, Occurrence } from './kept-lines.js';

/** A record beyond this is not held: what it tells is read from the file. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;
const MATCH_START = '{"type":"match"';
/** Quotes within a text are escaped, so none of these can be part of one. */
const TEXT_END = /\},"line_number":\d+,"absolute_offset":(\d+)[,}]/;
const OCCURRENCE = /"\},"start":(\d+),"end":(\d+)\}/g;
/** No more than this of what the above stand for may be cut off by the end of a piece. */
const OVERLAP = 128;

/** A record of ripgrep's `--json` stream that is too long to hold: only where it matches is kept. */
export class LongRecord {
  readonly #maxOccurrences: number;
  readonly #occurrences: Occurrence[] = [];
  #isMatch: boolean | undefined;
  #offset: number | undefined;
  #window = '';

  constructor(maxOccurrences: number) {
    this.#maxOccurrences = maxOccurrences;
  }

  add(piece: Buffer): void {
    // The signs of what is looked for are ASCII; a text is never searched for anything else.
    const window = this.#window + piece.toString('latin1');
    this.#isMatch ??= window.length < MATCH_START.length ? undefined : window.startsWith(MATCH_START);
    this.#window = this.#read(window).slice(-OVERLAP);
  }

  /** All that is wanted of it is known. */
  get isComplete(): boolean {
    return this.#occurrences.length === this.#maxOccurrences;
  }

  /** Undefined for what does not match, or broke off before it could tell. */
  finish(): FarMatch | undefined {
    if (this.#isMatch !== true || this.#offset === undefined) return undefined;
    return {
      offset: this.#offset,
      occurrences: this.#occurrences.length > 0 ? this.#occurrences : [{ start: 0, end: 0 }],
    };
  }

  /** Returns what is not read yet. */
  #read(window: string): string {
    let rest = window;
    if (this.#offset === undefined) {
      const found = TEXT_END.exec(window);
      if (found === null) return window;
      this.#offset = Number(found[1]);
      rest = window.slice(found.index + found[0].length);
    }
    let read = 0;
    for (const { 0: all, 1: start, 2: end, index } of rest.matchAll(OCCURRENCE)) {
      if (this.isComplete) return '';
      this.#occurrences.push({ start: Number(start), end: Number(end) });
      read = index + all.length;
    }
    return rest.slice(read);
  }
}
