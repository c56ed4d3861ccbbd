import type { SecretPattern } from '../memory/secret-patterns.js';

interface Mark {
  readonly bytes: Buffer;
  /** Where the window of four ends in it. */
  readonly windowEnd: number;
  readonly least: number;
}

const WINDOW = 4;
/** What may stand between a mark and the word that it is about. */
const BEFORE_WORD = 64;
const SHORTEST_WORD = 15;
const LONGEST_ADDRESS = 400;
const TABLE_BITS = 13;
/** 1 for bytes that the long words of keys are made of. */
const IN_WORD: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\w-]/.test(String.fromCharCode(byte)) && byte < 0x80 ? 1 : 0,
);
/** 1 for bytes that no key and no address holds. */
const ENDS_KEY: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= 0x20 || '"\'`,;<>(){}|'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** Tells quickly that a text holds no key of the known kinds: nothing of it looks like the beginning of one. */
export class MarkScan {
  readonly #steps = new Uint8Array(1 << TABLE_BITS).fill(WINDOW - 1);
  readonly #marks = new Map<number, Mark[]>();
  readonly #rare: readonly { readonly bytes: Buffer; readonly least: number }[];
  readonly #looksForAddresses: boolean;

  constructor(patterns: readonly Pick<SecretPattern, 'marks' | 'least' | 'by'>[]) {
    for (const { marks, least, by } of patterns) if (by === 'word') for (const mark of marks) this.#add(mark, least);
    const rare = new Map<string, number>();
    for (const { marks, least, by } of patterns)
      if (by === 'mark') for (const mark of marks) rare.set(mark, Math.min(least, rare.get(mark) ?? least));
    this.#rare = Array.from(rare, ([mark, least]) => ({ bytes: Buffer.from(mark, 'latin1'), least }));
    this.#looksForAddresses = patterns.some(({ by }) => by === 'address');
  }

  #add(text: string, least: number): void {
    const bytes = Buffer.from(text, 'latin1');
    const windowEnd = Math.min(bytes.length, WINDOW);
    for (let end = windowEnd; end >= 1; end -= 1) {
      const [first, second] = [bytes[end - 2], bytes[end - 1] ?? 0];
      if (first === undefined && windowEnd === WINDOW) break;
      // Of a mark of three bytes any byte may stand before it.
      const firsts = first === undefined ? Array.from({ length: 256 }, (_, byte) => byte) : [first];
      for (const byte of firsts) {
        const place = placeOf(byte, second);
        this.#steps[place] = Math.min(this.#steps[place] ?? WINDOW, windowEnd - end);
      }
    }
    const place = placeOf(bytes[windowEnd - 2] ?? 0, bytes[windowEnd - 1] ?? 0);
    this.#marks.set(place, [...(this.#marks.get(place) ?? []), { bytes, windowEnd, least }]);
  }

  /** Whether a key may stand there. */
  isIn(bytes: Buffer): boolean {
    return this.#hasRareMark(bytes) || (this.#looksForAddresses && hasPassword(bytes)) || this.#hasMarkedWord(bytes);
  }

  #hasRareMark(bytes: Buffer): boolean {
    return this.#rare.some(({ bytes: mark, least }) => {
      for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1))
        if (hasKey(bytes, at + mark.length, least)) return true;
      return false;
    });
  }

  /** Looks from the end of where a long word would be, so that most bytes of short ones are never looked at. */
  #hasMarkedWord(bytes: Buffer): boolean {
    const { length } = bytes;
    // Words lie close together: what stands before one is not looked at again.
    let looked = 0;
    for (let start = 0; start + SHORTEST_WORD <= length;) {
      let at = start + SHORTEST_WORD - 1;
      // Within its bounds, so never undefined.
      while (at >= start && IN_WORD[bytes[at] as number] === 1) at -= 1;
      if (at >= start) {
        start = at + 1;
        continue;
      }
      let end = start + SHORTEST_WORD;
      while (end < length && IN_WORD[bytes[end] as number] === 1) end += 1;
      if (this.#hasMark(bytes, Math.max(2, start - BEFORE_WORD + 2, looked), end)) return true;
      looked = end;
      start = end + 1;
    }
    return false;
  }

  /** Of one whose window ends at `from` or behind it, and before `end`. */
  #hasMark(bytes: Buffer, from: number, end: number): boolean {
    const steps = this.#steps;
    for (let last = from; last < end;) {
      const place = placeOf(bytes[last - 1] as number, bytes[last] as number);
      const step = steps[place] as number;
      if (step > 0) last += step;
      else if (this.#isMarkAt(bytes, last, place)) return true;
      else last += 1;
    }
    return false;
  }

  #isMarkAt(bytes: Buffer, last: number, place: number): boolean {
    for (const mark of this.#marks.get(place) ?? []) {
      const start = last + 1 - mark.windowEnd;
      if (start < 0 || !isAt(bytes, mark.bytes, start)) continue;
      if (hasKey(bytes, start + mark.bytes.length, mark.least)) return true;
    }
    return false;
  }
}

function placeOf(first: number, second: number): number {
  return ((first << 5) ^ second) & ((1 << TABLE_BITS) - 1);
}

function isAt(bytes: Buffer, wanted: Buffer, start: number): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (bytes[start + index] !== wanted[index]) return false;
  return true;
}

function hasKey(bytes: Buffer, start: number, least: number): boolean {
  let from = start;
  // Behind the word of a header there may be more blanks.
  while (from < start + 4 && bytes[from] === 0x20) from += 1;
  for (let index = from; index < from + least; index += 1) {
    const byte = bytes[index];
    if (byte === undefined || ENDS_KEY[byte] === 1) return false;
  }
  return true;
}

/** `://name:password@`, looked for from its end. */
function hasPassword(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x40); at !== -1; at = bytes.indexOf(0x40, at + 1)) {
    let hasColon = false;
    for (let index = at - 1; index > 0 && index > at - LONGEST_ADDRESS; index -= 1) {
      const byte = bytes[index] as number;
      if (ENDS_KEY[byte] === 1 || byte === 0x40) break;
      if (byte === 0x3a) hasColon = true;
      if (byte !== 0x2f) continue;
      if (hasColon && bytes[index - 1] === 0x2f) return true;
      break;
    }
  }
  return false;
}
