import { partitionPoint } from '../util/partition-point.js';

/** A text with look-alike characters made equal, and the way back to places in the original. */
export interface FoldedText {
  readonly text: string;
  /** For the place before a folded character: the place before the original one; inside what one character became, its start. */
  readonly toOriginal: (index: number) => number;
  readonly toFolded: (index: number) => number;
}

/** Whatever may fold: look-alikes, letters with their marks apart, and Hangul letters apart. */
const FOLDABLE =
  /[^\p{M}\n]\p{M}+|[\u00a0\u00ad\u1680\u2000-\u200d\u2010-\u2015\u2018-\u201f\u2026\u202f\u2032\u2033\u205f\u2060\u2126\u212a\u212b\u2212\u3000\ufe58\ufe63\ufeff\uff01-\uff5e]|[\u1100-\u11ff]{2,}/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
/** What folding has to look at: the other characters keep what they are, but for a letter before a mark. */
const BEYOND_ASCII_RUN = /[^\0-\x7f]+/g;

const SAME: ReadonlyMap<string, string> = new Map([
  ...spread("'", '\u2018\u2019\u201a\u201b\u2032'),
  ...spread('"', '\u201c\u201d\u201e\u201f\u2033'),
  ...spread('-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63'),
  ...spread(' ', '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'),
  ...spread('', '\u00ad\u200b\u200c\u200d\u2060\ufeff'),
  ['\u2026', '...'],
]);

function spread(plain: string, others: string): [string, string][] {
  return Array.from(others, (other) => [other, plain]);
}

/** True where folding cannot change anything. */
export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

const RESIZING = /[\p{M}\u00ad\u200b-\u200d\u2026\u2060\ufeff\u1100-\u11ff]/u;

/** False where folding cannot change the length. */
export function isResizable(text: string): boolean {
  return RESIZING.test(text);
}

/** Curly and straight quotes, dashes, spaces, an ellipsis, full-width forms, composed and decomposed letters made equal; zero-width characters dropped. */
export function foldCharacters(text: string): string {
  return isAscii(text) ? text : replaceClusters(text, foldCluster);
}

function replaceClusters(text: string, replace: (cluster: string, at: number) => string): string {
  let result = '';
  let done = 0;
  for (const { index, 0: run } of text.matchAll(BEYOND_ASCII_RUN)) {
    // The usual ones, alone: a sign that folds, or a letter that does not.
    if (run.length === 1 && (SAME.has(run) || LATIN.test(run))) {
      result += text.slice(done, index) + (SAME.has(run) ? replace(run, index) : run);
      done = index + 1;
      continue;
    }
    const start = index > done && MARK_FIRST.test(run) && text[index - 1] !== '\n' ? index - 1 : index;
    const end = index + run.length;
    const piece = text.slice(start, end).replace(FOLDABLE, (cluster, at: number) => replace(cluster, start + at));
    result += text.slice(done, start) + piece;
    done = end;
  }
  return result + text.slice(done);
}

const LATIN = /^[\u00c0-\u024f]$/;
const MARK_FIRST = /^\p{M}/u;

function foldCluster(cluster: string): string {
  let folded = '';
  for (const character of cluster.normalize('NFC')) folded += foldOne(character);
  return folded;
}

function foldOne(character: string): string {
  const same = SAME.get(character);
  if (same !== undefined) return same;
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xff01 && code <= 0xff5e ? String.fromCodePoint(code - 0xfee0) : character;
}

/** As `foldCharacters`, with the way back and forth. */
export function foldText(original: string): FoldedText {
  if (isAscii(original)) return { text: original, toOriginal: (index) => index, toFolded: (index) => index };
  /** Where the lengths differ: the folded and the original place after each such cluster, and the places before it. */
  const before: { readonly folded: number[]; readonly original: number[] } = { folded: [0], original: [0] };
  const after: { readonly folded: number[]; readonly original: number[] } = { folded: [0], original: [0] };
  let shift = 0;
  const text = replaceClusters(original, (cluster, at) => {
    const folded = foldCluster(cluster);
    if (folded.length !== cluster.length || folded.length > 1) {
      before.original.push(at);
      before.folded.push(at + shift);
      shift += folded.length - cluster.length;
      after.original.push(at + cluster.length);
      after.folded.push(at + cluster.length + shift);
    }
    return folded;
  });
  return {
    text,
    toOriginal: (index) => translate(index, 'folded', 'original'),
    toFolded: (index) => translate(index, 'original', 'folded'),
  };

  function translate(index: number, from: 'folded' | 'original', to: 'folded' | 'original'): number {
    const places = before[from];
    const last = partitionPoint(places.length, (at) => (places[at] ?? 0) <= index) - 1;
    const end = after[from][last] ?? 0;
    if (index < end) return before[to][last] ?? 0;
    return (after[to][last] ?? 0) + index - end;
  }
}
