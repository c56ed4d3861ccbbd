import { partitionPoint } from '../util/partition-point.js';
import { foldText } from './fold-characters.js';
import { isWholeWords } from './match-text.js';

/** What does not count: white space always; `fold`: look-alikes; `lower`: upper and lower case. */
export interface Looseness {
  readonly fold: boolean;
  readonly lower: boolean;
}

export interface LoosePlace {
  readonly start: number;
  readonly end: number;
  /** The start of the next match, if there is one. */
  readonly tied: number | undefined;
}

/** In a larger text nothing is looked for. */
const MAX_TEXT = 4_000_000;

/** The first place where the wanted text stands but for what does not count, never within a word. */
export function findLoosely(text: string, wanted: string, looseness: Looseness): LoosePlace | undefined {
  if (text.length > MAX_TEXT || wanted.length > MAX_TEXT) return undefined;
  const loose = loosen(text, looseness);
  const { key } = loosen(wanted, looseness);
  if (!/[\p{L}\p{N}]/u.test(key)) return undefined;
  let place: LoosePlace | undefined;
  for (let at = loose.key.indexOf(key); at !== -1; at = loose.key.indexOf(key, at + 1)) {
    const start = loose.placeOf(at);
    const end = loose.placeOf(at + key.length - 1) + 1;
    if (!isWholeWords(text, start, end)) continue;
    if (place !== undefined) return { ...place, tied: start };
    place = { start, end, tied: undefined };
  }
  return place;
}

interface Loose {
  readonly key: string;
  readonly placeOf: (index: number) => number;
}

const BLANK = /\s+/g;

function loosen(text: string, { fold, lower }: Looseness): Loose {
  const folded = fold ? foldText(text) : { text, toOriginal: (index: number) => index };
  const lowered = folded.text.toLowerCase();
  // A letter whose lower case is longer would shift all places.
  const source = lower && lowered.length === folded.text.length ? lowered : folded.text;
  /** Where a run of white space was, in the key, and how much was left out up to there. */
  const gaps: number[] = [0];
  const left: number[] = [0];
  let out = 0;
  const key = source.replace(BLANK, (blanks, at: number) => {
    gaps.push(at - out);
    out += blanks.length;
    left.push(out);
    return '';
  });
  const placeOf = (index: number): number => {
    const gap = partitionPoint(gaps.length, (at) => (gaps[at] ?? 0) <= index) - 1;
    return folded.toOriginal(index + (left[gap] ?? 0));
  };
  return { key, placeOf };
}
