import { flattenLineEndings, lineEndingAt, withLineEnding } from './line-endings.js';
import { findLineWindows, type LineWindowTier } from './line-windows.js';

/** How strictly the target was matched; the first tier that finds anything decides (K16). */
export type MatchTier = 'exact' | 'line-endings' | LineWindowTier;

/** What to write in place of `text.slice(start, end)`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface TargetRequest {
  readonly text: string;
  /** Not empty. */
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type TargetResult =
  | { readonly found: 'one-or-all'; readonly tier: MatchTier; readonly replacements: readonly Replacement[] }
  /** Several candidates at the same tier: never guess between them. `starts` holds the first places. */
  | { readonly found: 'several'; readonly tier: MatchTier; readonly count: number; readonly starts: readonly number[] }
  | { readonly found: 'none' };

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where `oldText` stands in the text and what is to be written there. Everything outside the spans stays as it is. */
export function findTarget(request: TargetRequest): TargetResult {
  const { text, oldText, newText, replaceAll } = request;
  // "All" means all, whatever their line endings, so the strictest tier is not enough.
  const mixed = replaceAll && oldText.includes('\n') && text.includes('\r\n');
  const exact = mixed ? [] : exactSpans(text, oldText, replaceAll);
  if (exact.length > 0) {
    return judge(request, 'exact', exact, (span) => fitLineEndings(request, span));
  }
  if (oldText.includes('\n') && (text.includes('\r\n') || oldText.includes('\r\n'))) {
    const flat = flattenLineEndings(text);
    const spans = exactSpans(flat.text, oldText.replaceAll('\r\n', '\n'), replaceAll).map(({ start, end }) => ({
      start: flat.toOriginal(start),
      end: flat.toOriginal(end),
    }));
    const tier = spans.every(({ start, end }) => text.slice(start, end) === oldText) ? 'exact' : 'line-endings';
    if (spans.length > 0) return judge(request, tier, spans, (span) => fitLineEndings(request, span));
  }
  for (const tier of ['trailing-space', 'indentation'] as const) {
    const windows = findLineWindows({ text, oldText, newText, tier });
    if (windows.length > 0) return judge(request, tier, windows, (window) => window.text);
  }
  return { found: 'none' };
}

/** Every occurrence; those that overlap an earlier one only count when one is looked for, as a second candidate. */
function exactSpans(text: string, oldText: string, replaceAll: boolean): Span[] {
  const spans: Span[] = [];
  const step = replaceAll ? oldText.length : 1;
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + step)) {
    if (!replaceAll && spans.length === MAX_CANDIDATES) break;
    spans.push({ start: at, end: at + oldText.length });
  }
  return spans;
}

/** Candidates counted at most when only one is wanted. */
export const MAX_CANDIDATES = 1000;
const STARTS_REPORTED = 10;

function judge<S extends Span>(
  { replaceAll }: TargetRequest,
  tier: MatchTier,
  spans: readonly S[],
  write: (span: S) => string,
): TargetResult {
  if (spans.length > 1 && !replaceAll) {
    const starts = spans.slice(0, STARTS_REPORTED).map(({ start }) => start);
    return { found: 'several', tier, count: spans.length, starts };
  }
  const disjoint = spans.filter((span, index) => index === 0 || span.start >= (spans[index - 1]?.end ?? 0));
  if (disjoint.length < spans.length) {
    return { found: 'several', tier, count: spans.length, starts: spans.slice(0, STARTS_REPORTED).map((s) => s.start) };
  }
  const replacements = spans.map((span) => ({ start: span.start, end: span.end, text: write(span) }));
  return { found: 'one-or-all', tier, replacements };
}

/**
 * The new text with the line endings of the place it goes to (S89). Taken as it is when it replaces the whole
 * file, when line endings are all that changes, or when both texts spell their line endings out.
 */
function fitLineEndings({ text, oldText, newText }: TargetRequest, { start, end }: Span): string {
  if (!newText.includes('\n') || (start === 0 && end === text.length && oldText === text)) return newText;
  if (oldText.replaceAll('\r\n', '\n') === newText.replaceAll('\r\n', '\n')) return newText;
  const spelled = oldText.includes('\r\n') && newText.includes('\r\n');
  if (spelled && text.slice(start, end) === oldText) return newText;
  const ending = lineEndingAt(text, start, end);
  return ending === undefined ? newText : withLineEnding(newText, ending);
}

/** The text with the replacements in it, which are sorted and do not overlap. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const replacement of replacements) {
    pieces.push(text.slice(at, replacement.start), replacement.text);
    at = replacement.end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** 1-based number of the line that a place lies in. */
export function lineNumberAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
