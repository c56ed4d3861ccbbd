import { foldCharacters, foldText, isAscii } from './fold-characters.js';
import { flattenLineEndings, lineEndingAt } from './line-endings.js';
import { findLineWindows, keepFolded, type LineWindowTier } from './line-windows.js';
import { flatLines, linesBetween, withoutIndentation, withoutTrailing, type TextLines } from './text-lines.js';
import { writeMatch, type Hunk } from './write-match.js';

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
  return (request.wholeLines === true ? undefined : findSubstrings(request)) ?? findLines(request);
}

/** The target letter by letter, line endings aside; `exact` when those agree as well. */
function findSubstrings(request: MatchRequest): Matches | undefined {
  const { text, oldText, replaceAll } = request;
  const crosses = oldText.includes('\n') && (oldText.includes('\r\n') || text.includes('\r\n'));
  // "All" means all, whatever their line endings; and a target that begins at a line end begins before all of it.
  const exact = crosses && (replaceAll || oldText.startsWith('\n')) ? [] : exactSpans(text, oldText, replaceAll);
  if (exact.length > 0) return { tier: 'exact', found: exact.map((span) => asMatch(request, span)) };
  if (!crosses) return undefined;
  const flat = flattenLineEndings(text);
  const spans = exactSpans(flat.text, oldText.replaceAll('\r\n', '\n'), replaceAll).map(({ start, end }) => ({
    start: flat.toOriginal(start),
    end: flat.toOriginal(end),
  }));
  if (spans.length === 0) return undefined;
  const tier = spans.every(({ start, end }) => text.slice(start, end) === oldText) ? 'exact' : 'line-endings';
  return { tier, found: spans.map((span) => asMatch(request, span)) };
}

function findLines(request: MatchRequest): Matches | undefined {
  const { text, oldText, newText, replaceAll } = request;
  const limit = replaceAll ? Infinity : MAX_CANDIDATES;
  const anchor = longestLine(oldText);
  for (const tier of ['trailing-space', 'indentation', 'look-alikes'] as const) {
    if (tier !== 'look-alikes') {
      // Without this no run of lines can match.
      if (!text.includes(anchor)) continue;
    } else {
      if ((isAscii(text) && isAscii(oldText)) || !foldCharacters(text).includes(foldCharacters(anchor).trim()))
        continue;
      const found = request.wholeLines === true ? [] : foldedSpans(request).map((span) => asMatch(request, span, true));
      if (found.length > 0) return { tier, found };
    }
    const windows = findLineWindows({ text, lines: request.lines(), oldText, newText, tier, limit });
    if (windows.length > 0) {
      return { tier, found: windows.map(({ start, end, text: written }) => ({ start, end, write: () => written })) };
    }
  }
  return undefined;
}

/** Without white space at its ends. */
function longestLine(text: string): string {
  let longest = '';
  for (const line of text.split('\n')) {
    const content = withoutIndentation(withoutTrailing(line));
    if (content.length > longest.length) longest = content;
  }
  return longest;
}

/** Every occurrence; those that overlap an earlier one only count when one is looked for, as a second candidate. */
function exactSpans(text: string, oldText: string, replaceAll: boolean): Span[] {
  const spans: Span[] = [];
  const step = replaceAll ? oldText.length : 1;
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + step)) {
    if (!replaceAll && spans.length === MAX_CANDIDATES) break;
    if (!splitsCharacter(text, at) && !splitsCharacter(text, at + oldText.length)) {
      spans.push({ start: at, end: at + oldText.length });
    }
  }
  return spans;
}

/** Whether a place is inside of a character, or between a letter and its mark. */
function splitsCharacter(text: string, at: number): boolean {
  if (at > 0 && MARK.test(text[at] ?? '')) return true;
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

const MARK = /\p{M}/u;
const WORD = /[\p{L}\p{N}\p{M}_$]/u;

/** Occurrences but for look-alikes, never a part of a word. */
function foldedSpans({ text, oldText, replaceAll }: MatchRequest): Span[] {
  const flat = flattenLineEndings(text);
  const folded = foldText(flat.text);
  const wanted = foldText(oldText.replaceAll('\r\n', '\n')).text;
  if (wanted.trim() === '') return [];
  const spans: Span[] = [];
  for (const { start, end } of exactSpans(folded.text, wanted, replaceAll)) {
    const [from, to] = [folded.toOriginal(start), folded.toOriginal(end)];
    if (folded.toFolded(from) !== start || folded.toFolded(to) !== end) continue;
    if (isWholeWords(folded.text, start, end)) spans.push({ start: flat.toOriginal(from), end: flat.toOriginal(to) });
  }
  return spans;
}

/** Whether a place begins and ends where words do. */
export function isWholeWords(text: string, start: number, end: number): boolean {
  const joined = (at: number): boolean => WORD.test(text[at - 1] ?? ' ') && WORD.test(text[at] ?? ' ');
  return !joined(start) && !joined(end);
}

function asMatch(request: MatchRequest, span: Span, folded = false): Match {
  return { ...span, write: () => (folded ? writeFitted(request, span, true) : writeExact(request, span)) };
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
  return writeMatch({ text, oldLines, places, newLines, render }) ?? newText;
}
