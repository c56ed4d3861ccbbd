import { MAX_PIECE, neededChoice, wholeText } from '../needed-pieces.js';
import type { SearchPattern } from '../search-pattern.js';

/** Bytes that a needle takes; see `byte-finder.wat`. */
export const NEEDLE_BYTES = 96;
const BYTES_AT = 32;
const CASES_AT = 64;
const OTHER_CASE = 0x20;

/** What to look for in bytes before they are searched. */
export interface Needles {
  /** One behind the other, as `byte-finder.wat` describes them. */
  readonly encoded: Uint8Array;
  readonly count: number;
  /**
   * `lines`: the lines that hold the needle, which is one, are those that match. `within`: every match holds it.
   * `choice`: every match holds at least one of them.
   */
  readonly meaning: 'lines' | 'within' | 'choice';
  /** They hold a letter with another case beyond ASCII (Kelvin sign, long s), which is not looked for. */
  readonly hasOtherCases: boolean;
}

/** Undefined when nothing is certain. */
export function needlesOf(wanted: SearchPattern): Needles | undefined {
  const text = wholeText(wanted);
  if (text !== undefined && text.length <= MAX_PIECE)
    return encodeAll([wanted.caseSensitive ? text : text.toLowerCase()], 'lines', wanted.caseSensitive);
  const pieces = neededChoice(wanted);
  return pieces && encodeAll(pieces, pieces.length === 1 ? 'within' : 'choice', false);
}

function encodeAll(texts: readonly string[], meaning: Needles['meaning'], isCased: boolean): Needles {
  const encoded = new Uint8Array(texts.length * NEEDLE_BYTES);
  for (const [index, text] of texts.entries()) encoded.set(encode(text, isCased), index * NEEDLE_BYTES);
  return { encoded, count: texts.length, meaning, hasOtherCases: !isCased && /[ks]/u.test(texts.join('')) };
}

/** At most 32 characters of ASCII, letters as small ones unless case counts. */
function encode(text: string, isCased: boolean): Uint8Array {
  const needle = new Uint8Array(NEEDLE_BYTES);
  const header = new DataView(needle.buffer);
  const [first = 0, second = first] = rarestPlaces(text);
  for (const [index, value] of [text.length, first, second].entries()) header.setInt32(4 * index, value, true);
  for (const [place, character] of Array.from(text).entries()) {
    needle[BYTES_AT + place] = character.charCodeAt(0);
    needle[CASES_AT + place] = !isCased && /[a-z]/u.test(character) ? OTHER_CASE : 0;
  }
  return needle;
}

/** Characters of source code, the most frequent first. Those that are not here are rarer. */
const FREQUENT = ' etaonirsldcpumfgyhb.,_"(/):;*v=-\'x0wk1>2{}<\t';

function rarestPlaces(text: string): number[] {
  const frequency = (place: number): number => {
    const rank = FREQUENT.indexOf(text.charAt(place).toLowerCase());
    return rank === -1 ? 0 : FREQUENT.length - rank;
  };
  const places = Array.from(text, (_, place) => place);
  return places.toSorted((one, other) => frequency(one) - frequency(other)).slice(0, 2);
}
