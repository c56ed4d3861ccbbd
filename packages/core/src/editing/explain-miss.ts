import { undoArtefacts } from './argument-artefacts.js';
import type { EditStep, Miss, MissCause } from './edit-plan.js';
import { dropLineNumbers } from './line-numbers.js';
import { findLoosely } from './loose-place.js';
import { findMatches } from './match-text.js';
import { likenessOf, linesOf, nearestWindow } from './nearest-window.js';
import { readOmission } from './omission-line.js';
import { flatLines, indentationOf, indexLines, type TextLines } from './text-lines.js';

interface MissRequest {
  readonly text: string;
  readonly step: EditStep;
  /** The text of the file when the caller saw it last, where that is another. */
  readonly seen: string | undefined;
}

const MAX_SHOWN_LINES = 12;
const MAX_SUGGESTED_LINES = 200;
/** Lines that a suggestion may be extended by until it stands in the file once. */
const MAX_EXTENSION = 12;
/** How much alike lines must be to be suggested. */
const SUGGESTED_LIKENESS = 0.7;
const MIN_APPLIED_LENGTH = 8;

/** Where the target was probably meant: a part of the text. */
interface Place {
  readonly cause: MissCause;
  readonly start: number;
  readonly end: number;
  /** False when it is shown only: it may be another that was meant. */
  readonly sure: boolean;
  /** The start of another place that may be meant as well. */
  readonly tied?: number | undefined;
}

/** Why `oldText` was not found, and what stands where it was probably meant (S92). Its cost is bounded. */
export function explainMiss({ text, step, seen }: MissRequest): Miss {
  const lines = indexLines(text);
  const place =
    elidedPlace(text, lines, step) ??
    artefactPlace(text, lines, step) ??
    appliedPlace(text, lines, step) ??
    stalePlace(text, lines, step, seen) ??
    loosePlace(text, step) ??
    nearPlace(text, lines, step, 'near-miss');
  if (place === undefined) return { cause: 'wrong-file', nearest: undefined, suggestion: undefined };
  const first = lines.indexAt(place.start);
  const count = lines.indexAt(Math.max(place.start, place.end - 1)) - first + 1;
  const nearest = { firstLine: first, lines: linesOf(lines, first, Math.min(count, MAX_SHOWN_LINES)) };
  const suggested = place.sure && count <= MAX_SUGGESTED_LINES ? suggest(text, lines, place) : undefined;
  const tied = place.tied === undefined ? {} : { tied: lines.indexAt(place.tied) + 1 };
  return { cause: place.cause, nearest, suggestion: suggested, ...tied };
}

/** A target with its middle left out: all of it, when both ends are found. */
function elidedPlace(text: string, lines: TextLines, step: EditStep): Place | undefined {
  const old = flatLines(step.oldText);
  const isElision = (line: string): boolean => readOmission(line) !== undefined;
  const first = old.findIndex(isElision);
  if (first === -1) return undefined;
  const head = exactPlace(text, lines, old.slice(0, first).join('\n'));
  const tail = exactPlace(text, lines, old.slice(old.findLastIndex(isElision) + 1).join('\n'));
  const cause = 'elided';
  if (head !== undefined && tail !== undefined && tail.start >= head.end) {
    return { cause, start: head.start, end: tail.end, sure: true };
  }
  const some = head ?? tail ?? nearPlace(text, lines, step, cause);
  return some === undefined ? undefined : { ...some, cause, sure: false };
}

/** Where a text stands once, tolerantly. */
function exactPlace(text: string, lines: TextLines, oldText: string): { start: number; end: number } | undefined {
  if (oldText.trim() === '') return undefined;
  const [match, second] = matchesOf(text, lines, oldText);
  return second === undefined ? match : undefined;
}

function matchesOf(text: string, lines: TextLines, oldText: string): readonly { start: number; end: number }[] {
  return findMatches({ text, lines: () => lines, oldText, newText: '', replaceAll: false })?.found ?? [];
}

function artefactPlace(text: string, lines: TextLines, { oldText, newText }: EditStep): Place | undefined {
  for (const { tier, meant, wholeLines, accepts } of undoArtefacts(oldText, newText)) {
    const request = { text, lines: () => lines, ...meant, newText: '', replaceAll: false, wholeLines };
    const [match, second] = findMatches(request)?.found ?? [];
    if (match === undefined) continue;
    // A new text that was damaged too must be sent anew as well.
    const isWhole = meant.newText === newText;
    const sure = isWhole && second === undefined && (tier === 'line-numbers' || accepts(text, match.start, match.end));
    return { cause: tier, start: match.start, end: match.end, sure, tied: second?.start };
  }
  const unnumbered = dropLineNumbers(oldText);
  const place = unnumbered === oldText ? undefined : exactPlace(text, lines, unnumbered);
  return place === undefined ? undefined : { cause: 'line-numbers', start: place.start, end: place.end, sure: true };
}

function appliedPlace(text: string, lines: TextLines, { newText }: EditStep): Place | undefined {
  if (newText.trim().length <= MIN_APPLIED_LENGTH) return undefined;
  const [match, second] = matchesOf(text, lines, newText);
  if (match === undefined) return undefined;
  return { cause: 'already-applied', ...match, sure: false, tied: second?.start };
}

/** The target stood in the file when it was seen: shows what stands there now. */
function stalePlace(text: string, lines: TextLines, step: EditStep, seen: string | undefined): Place | undefined {
  if (seen === undefined || matchesOf(seen, indexLines(seen), step.oldText).length === 0) return undefined;
  const cause = 'stale-copy';
  return nearPlace(text, lines, step, cause) ?? { cause, start: 0, end: 0, sure: false };
}

function loosePlace(text: string, { oldText }: EditStep): Place | undefined {
  for (const looseness of [
    { fold: false, lower: false },
    { fold: true, lower: false },
    { fold: true, lower: true },
  ]) {
    const found = findLoosely(text, oldText, looseness);
    if (found === undefined) continue;
    const { start, end, tied } = withLineEnd(text, oldText, found);
    const cause = looseness.lower
      ? 'letter-case'
      : looseness.fold
        ? 'look-alikes'
        : whiteSpaceCause(text.slice(start, end), oldText);
    return { cause, start, end, sure: tied === undefined, tied };
  }
  return undefined;
}

/** With the white space at its ends that the target has too, so that the new text takes the same place. */
function withLineEnd<P extends { start: number; end: number }>(text: string, oldText: string, place: P): P {
  let { start, end } = place;
  if (/^[ \t]/.test(oldText)) while (start > 0 && ' \t'.includes(text[start - 1] ?? '')) start -= 1;
  if (oldText.endsWith('\n')) {
    while (end < text.length && ' \t\r'.includes(text[end] ?? '')) end += 1;
    if (text[end] === '\n') end += 1;
  }
  return { ...place, start, end };
}

function whiteSpaceCause(found: string, oldText: string): MissCause {
  const flat = (text: string): string => text.replace(/\r\n?/g, '\n');
  if (flat(found) === flat(oldText)) return 'line-ends';
  return found.includes('\t') === oldText.includes('\t') ? 'white-space' : 'tabs';
}

function nearPlace(text: string, lines: TextLines, { oldText }: EditStep, cause: MissCause): Place | undefined {
  const wanted = flatLines(oldText);
  const head = wanted.findIndex((line) => line.trim() !== '');
  const tail = wanted.findLastIndex((line) => line.trim() !== '');
  const content = wanted.slice(head, tail + 1);
  const window = head === -1 ? undefined : nearestWindow(lines, content);
  if (window === undefined) return undefined;
  const firstLine = lines.at(window.first);
  const lastLine = lines.at(window.first + window.count - 1);
  // A target that begins after the indentation, or ends with a line end, is put right by what does so too.
  const stripped = indentationOf(content[0] ?? '') === '' ? indentationOf(lines.textOf(window.first)).length : 0;
  const sure =
    window.tied === undefined &&
    window.likeness >= SUGGESTED_LIKENESS &&
    head === 0 &&
    isLikeEnds(linesOf(lines, window.first, window.count), content);
  const end = tail === wanted.length - 1 ? lastLine.end : lastLine.next;
  const tied = window.tied === undefined ? undefined : lines.at(window.tied).start;
  return {
    cause,
    start: Math.min(firstLine.start + stripped, firstLine.end),
    end: Math.min(end, text.length),
    sure,
    tied,
  };
}

/** Both ends must be recognisable, or the lines may cover too much or too little. */
function isLikeEnds(found: readonly string[], wanted: readonly string[]): boolean {
  const like = (one = '', other = ''): boolean => likenessOf(one.trim(), other.trim()) >= 0.5;
  return like(found[0], wanted[0]) && like(found.at(-1), wanted.at(-1));
}

/** The text of the place as it is, extended by whole lines until it stands in the file once. */
function suggest(text: string, lines: TextLines, place: Place): string | undefined {
  let { start, end } = place;
  for (let extension = 0; extension <= MAX_EXTENSION; extension += 1) {
    const suggestion = text.slice(start, end);
    if (suggestion.trim() === '' || suggestion.length > MAX_SUGGESTED_CHARS) return undefined;
    if (text.indexOf(suggestion) === start && !text.includes(suggestion, start + 1)) return suggestion;
    const first = lines.indexAt(start);
    const last = lines.indexAt(Math.max(start, end - 1));
    if (extension === 0) [start, end] = [lines.at(first).start, lines.at(last).end];
    else if (extension % 2 === 1 && first > 0) ({ start } = lines.at(first - 1));
    else if (last < lines.count - 1) ({ end } = lines.at(last + 1));
  }
  return undefined;
}

const MAX_SUGGESTED_CHARS = 20_000;
