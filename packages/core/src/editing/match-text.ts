import { fitStart } from './fit-start.js';
import { foldCharacters, foldText, isAscii, type FoldedText } from './fold-characters.js';
import { flattenLineEndings, lineEndingAt, type FlatText } from './line-endings.js';
import { findLineWindows, keepFolded, type LineWindowTier } from './line-windows.js';
import { findParted } from './parted-lines.js';
import { chunksOf, countLineEnds } from './text-chunks.js';
import { flatLines, linesBetween, withoutIndentation, withoutTrailing, type TextLines } from './text-lines.js';
import { pairLines, writeMatch, type Hunk } from './write-match.js';

/** How text may differ from the target that is as the model meant it. */
export type TextTier = 'exact' | 'line-endings' | LineWindowTier;

export interface MatchRequest {
  readonly text: string;
  /** Of the text; made only when they are needed. */
  readonly lines: () => TextLines;
  /** Not empty. */
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
  /** True: no part of a line is taken for the target. */
  readonly wholeLines?: boolean;
}

export interface Match {
  readonly start: number;
  readonly end: number;
  /** What to write there; undefined when that is not sure. */
  readonly write: () => string | undefined;
  /** The new lines would not fit the indentation of the place. */
  readonly isAskew?: true;
}

export interface Matches {
  readonly tier: TextTier;
  /** Sorted; at least one. */
  readonly found: readonly Match[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Candidates counted at most when only one is wanted. */
export const MAX_CANDIDATES = 1000;

/** All places at the strictest tier that finds any (K16). */
export function findMatches(request: MatchRequest): Matches | undefined {
  if (request.wholeLines === true) return findLines(request);
  return findSubstrings(request) ?? findLines(request) ?? findParts(request);
}

/** The target letter by letter, line endings aside; `exact` when those agree as well. */
function findSubstrings(request: MatchRequest): Matches | undefined {
  const { text, oldText, replaceAll } = request;
  const crosses = oldText.includes('\n') && (oldText.includes('\r\n') || text.includes('\r\n'));
  // "All" means all, whatever their line endings; and a target that begins at a line end begins before all of it.
  const exact = crosses && (replaceAll || oldText.startsWith('\n')) ? [] : exactSpans(text, oldText, replaceAll);
  if (exact.length > 0) return asMatches(request, 'exact', exact);
  if (!crosses) return undefined;
  const spans = spansByChunk(request, flatSpans);
  if (spans.length === 0) return undefined;
  const tier = spans.every(({ start, end }) => text.slice(start, end) === oldText) ? 'exact' : 'line-endings';
  return asMatches(request, tier, spans);
}

function asMatches(request: MatchRequest, tier: TextTier, spans: readonly Span[]): Matches {
  const fitted = spans.map((span) => fitStart({ ...request, ...span }));
  const found = spans.map((span, index): Match => {
    const fit = fitted[index];
    if (fit?.fits === 'unsure') return { ...span, write: () => undefined, isAskew: true };
    const newText = fit?.fits === 'shifted' ? fit.newText : request.newText;
    return { ...span, write: () => writeExact({ ...request, newText }, span) };
  });
  return { tier: fitted.some(({ fits }) => fits !== 'as-is') ? 'indentation' : tier, found };
}

function findLines(request: MatchRequest): Matches | undefined {
  const { text, oldText, newText, replaceAll } = request;
  const limit = replaceAll ? Infinity : MAX_CANDIDATES;
  const key = keyLineOf(oldText);
  for (const tier of ['trailing-space', 'indentation', 'look-alikes'] as const) {
    let places: readonly number[];
    if (tier === 'look-alikes') {
      if (isAscii(text) && isAscii(oldText)) continue;
      const folded = findFolded(request, key.text);
      if (folded.found.length > 0) return { tier, found: folded.found };
      places = folded.keyPlaces;
    } else {
      places = placesOf(text, key.text);
    }
    // Without its longest line no run of lines can match.
    if (places.length === 0) continue;
    const near = { index: key.index, places: places.length > MAX_NEAR ? undefined : places };
    const windows = findLineWindows({ text, lines: request.lines(), oldText, newText, tier, limit, near });
    if (windows.length > 0) {
      return { tier, found: windows.map(({ start, end, text: written }) => ({ start, end, write: () => written })) };
    }
  }
  return undefined;
}

function findParts(request: MatchRequest): Matches | undefined {
  if (request.replaceAll) return undefined;
  const isWhole = (start: number, end: number): boolean => isWholeWords(request.text, start, end);
  const found = findParted({ ...request, lines: request.lines(), isWhole });
  if (found === undefined) return undefined;
  const { start, end, text } = found;
  return { tier: 'indentation', found: [{ start, end, write: () => text }] };
}

/** Beyond so many places of a line the text is gone through as a whole. */
const MAX_NEAR = 1000;

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1 && places.length <= MAX_NEAR; at = text.indexOf(part, at + 1)) {
    places.push(at);
    // One for each line is enough.
    const feed = text.indexOf('\n', at);
    if (feed === -1) break;
    at = feed;
  }
  return places;
}

/** What is the target but for look-alikes, and where its longest line stands. */
function findFolded(request: MatchRequest, keyLine: string): { found: Match[]; keyPlaces: readonly number[] } {
  const wanted = foldCharacters(keyLine).trim();
  const word = longestOf(foldCharacters(request.oldText).match(ASCII_WORD) ?? []);
  const keyPlaces: number[] = [];
  const spans = spansByChunk(request, (search) => {
    // Within a plain word nothing folds, so that a piece without it need not be folded.
    if (!search.text.includes(word) && !IN_WORD.test(search.text)) return [];
    const flat = flattenLineEndings(search.text);
    const folded = foldText(flat.text);
    const places = placesOf(folded.text, wanted);
    if (places.length === 0) return [];
    if (keyPlaces.length <= MAX_NEAR) {
      for (const at of places) keyPlaces.push(search.start + flat.toOriginal(folded.toOriginal(at)));
    }
    return request.wholeLines === true ? [] : foldedSpans(search, flat, folded);
  });
  const written = new Map<string, string>();
  const found = spans.map((span) => ({ ...span, write: () => writeFolded(request, span, written) }));
  return { found, keyPlaces };
}

const ASCII_WORD = /\w+/g;
/** What folds to a letter or digit of ASCII, or to nothing. */
const IN_WORD = /[\u00ad\u200b-\u200d\u2060\u212a\ufeff\uff01-\uff5e]/;

interface Search {
  /** Where the piece begins in the text. */
  readonly start: number;
  readonly text: string;
  readonly oldText: string;
  readonly replaceAll: boolean;
  /** No place begins before. */
  readonly from: number;
}

/** What is found in each piece of the text, at its place in the whole text. */
function spansByChunk({ text, oldText, replaceAll }: MatchRequest, find: (search: Search) => Span[]): Span[] {
  const spans: Span[] = [];
  for (const chunk of chunksOf(text, countLineEnds(oldText))) {
    const from = replaceAll ? Math.max(0, (spans.at(-1)?.end ?? 0) - chunk.start) : 0;
    for (const { start, end } of find({ start: chunk.start, text: chunk.text, oldText, replaceAll, from })) {
      if (chunk.start + start < chunk.end) spans.push({ start: chunk.start + start, end: chunk.start + end });
    }
    if (!replaceAll && spans.length >= MAX_CANDIDATES) return spans.slice(0, MAX_CANDIDATES);
  }
  return spans;
}

/** The longest line, without white space at its ends, and the first index of it. */
function keyLineOf(text: string): { readonly text: string; readonly index: number } {
  const lines = flatLines(text).map((line) => withoutIndentation(withoutTrailing(line)));
  const longest = longestOf(lines);
  return { text: longest, index: Math.max(0, lines.indexOf(longest)) };
}

function longestOf(texts: readonly string[]): string {
  return texts.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}

/** Every occurrence; those that overlap an earlier one only count when one is looked for, as a second candidate. */
function exactSpans(
  text: string,
  oldText: string,
  replaceAll: boolean,
  accepts: (start: number, end: number) => boolean = () => true,
): Span[] {
  const spans: Span[] = [];
  const { length } = oldText;
  for (let at = text.indexOf(oldText); at !== -1;) {
    const sound = !splitsCharacter(text, at) && !splitsCharacter(text, at + length) && accepts(at, at + length);
    if (sound) spans.push({ start: at, end: at + length });
    if (!replaceAll && spans.length === MAX_CANDIDATES) break;
    at = text.indexOf(oldText, at + (sound && replaceAll ? length : 1));
  }
  return spans;
}

/** Occurrences but for line endings. */
function flatSpans({ text, oldText, replaceAll, from }: Search): Span[] {
  const flat = flattenLineEndings(text);
  const accepts = (start: number): boolean => flat.toOriginal(start) >= from;
  return exactSpans(flat.text, oldText.replaceAll('\r\n', '\n'), replaceAll, accepts).map(({ start, end }) => ({
    start: flat.toOriginal(start),
    end: flat.toOriginal(end),
  }));
}

/** Whether a place is inside of a character, or between a letter and its mark. */
function splitsCharacter(text: string, at: number): boolean {
  if (at > 0 && MARK.test(text[at] ?? '')) return true;
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

const MARK = /\p{M}/u;
const WORD = /[\p{L}\p{N}\p{M}_$]/u;

/** Occurrences but for look-alikes, never a part of a word. `folded`: the text with line feeds alone. */
function foldedSpans({ oldText, replaceAll, from }: Search, flat: FlatText, folded: FoldedText): Span[] {
  const wanted = foldText(oldText.replaceAll('\r\n', '\n')).text;
  if (wanted.trim() === '') return [];
  const accepts = (start: number, end: number): boolean => {
    const [first, last] = [folded.toOriginal(start), folded.toOriginal(end)];
    const whole = folded.toFolded(first) === start && folded.toFolded(last) === end;
    return whole && flat.toOriginal(first) >= from && isWholeWords(folded.text, start, end);
  };
  return exactSpans(folded.text, wanted, replaceAll, accepts).map(({ start, end }) => ({
    start: flat.toOriginal(folded.toOriginal(start)),
    end: flat.toOriginal(folded.toOriginal(end)),
  }));
}

/** Whether a place begins and ends where words do. */
export function isWholeWords(text: string, start: number, end: number): boolean {
  const joined = (at: number): boolean => WORD.test(text[at - 1] ?? ' ') && WORD.test(text[at] ?? ' ');
  return !joined(start) && !joined(end);
}

/** Within one line nothing but what stands there counts, so that many places that are the same cost one. */
function writeFolded(request: MatchRequest, span: Span, written: Map<string, string>): string {
  const isPart = !request.oldText.includes('\n') && !request.newText.includes('\n');
  const original = request.text.slice(span.start, span.end);
  const known = isPart ? written.get(original) : undefined;
  if (known !== undefined) return known;
  const text = writeFitted(request, span, true);
  if (isPart) written.set(original, text);
  return text;
}

/**
 * The new text with the line endings of the place it goes to (S89). Taken as it is when it replaces the whole
 * file, when line endings are all that changes, or when both texts spell their line endings out.
 */
function writeExact(request: MatchRequest, span: Span): string {
  const { text, oldText, newText } = request;
  if (!newText.includes('\n') || (span.start === 0 && span.end === text.length && oldText === text)) return newText;
  if (oldText.replaceAll('\r\n', '\n') === newText.replaceAll('\r\n', '\n')) return newText;
  const spelled = oldText.includes('\r\n') && newText.includes('\r\n');
  if (spelled && text.slice(span.start, span.end) === oldText) return newText;
  if (!text.includes('\r\n')) return newText.replaceAll('\r\n', '\n');
  if (lineEndingAt(text, span.start, span.end) === undefined) return newText;
  return writeFitted(request, span, false);
}

function writeFitted({ text, oldText, newText }: MatchRequest, { start, end }: Span, folded: boolean): string {
  const oldLines = flatLines(oldText);
  const newLines = flatLines(newText);
  const places = linesBetween(text, start, end);
  const originals = places.map((place) => text.slice(place.start, place.end));
  const render = (hunks: readonly Hunk[]): ReadonlyMap<number, string> => {
    const written = new Map(newLines.entries());
    if (folded) for (const hunk of hunks) keepFolded({ hunk, oldLines, originals, written });
    return written;
  };
  return writeMatch({ text, places, render, ...pairLines(oldLines, newLines) }) ?? newText;
}
