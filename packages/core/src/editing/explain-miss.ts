import { distance } from 'fastest-levenshtein';
import { findTarget } from './find-target.js';

export interface Miss {
  readonly text: string;
  readonly oldText: string;
  readonly newText: string;
}

export interface MissExplanation {
  /** Why nothing matched, one sentence; empty when it is not known. */
  readonly cause: string;
  /** The lines that come nearest, 0-based; undefined when nothing is like the target. */
  readonly nearest: { readonly firstLine: number; readonly lines: readonly string[] } | undefined;
}

const MAX_SHOWN_LINES = 12;
/** Lines compared by edit distance at most, and how long they may be: the cost of a miss is bounded. */
const MAX_COMPARED = 2000;
const MAX_COMPARED_LENGTH = 300;
/** In a larger text only the nearest lines are looked for. */
const MAX_CAUSE_TEXT = 4_000_000;

/** Why `oldText` was not found, and what stands where it was probably meant (S92). */
export function explainMiss({ text, oldText, newText }: Miss): MissExplanation {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const wanted = trimBlankEnds(oldText.replaceAll('\r\n', '\n').split('\n'));
  const firstLine = nearestWindow(lines, wanted);
  const length = Math.min(wanted.length, MAX_SHOWN_LINES);
  const nearest =
    firstLine === undefined ? undefined : { firstLine, lines: lines.slice(firstLine, firstLine + length) };
  return { cause: causeOf({ text, oldText, newText }), nearest };
}

function causeOf({ text, oldText, newText }: Miss): string {
  if (text.length > MAX_CAUSE_TEXT) return '';
  const finds = (candidate: string): boolean =>
    candidate !== oldText &&
    candidate.trim() !== '' &&
    findTarget({ text, oldText: candidate, newText: '', replaceAll: false }).found !== 'none';
  if (finds(withoutLineNumbers(oldText))) return 'old_string has the line numbers of a listing in it.';
  if (newText.trim().length > 8 && finds(newText)) return 'new_string stands in the file already.';
  if (finds(oldText.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"').replaceAll("\\'", "'")))
    return 'old_string has one level of escaping too many, such as \\n for a line end or \\" for a quote.';
  if (squeeze(text).includes(squeeze(oldText))) return 'It differs from the file in white space only.';
  if (text.toLowerCase().includes(oldText.toLowerCase())) return 'It differs from the file in upper and lower case.';
  return '';
}

/** `12→text` and `12\ttext` as listings show them, when every line has such a number. */
function withoutLineNumbers(text: string): string {
  const lines = text.split('\n');
  const number = /^ *\d+(?:→|\t|: )/;
  if (!lines.every((line, index) => number.test(line) || (line === '' && index > 0))) return text;
  return lines.map((line) => line.replace(number, '')).join('\n');
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

function trimBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** Where most of the wanted lines stand in their order; where none does, the line that is most like the longest. */
function nearestWindow(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const positions = new Map<string, number>();
  for (const [index, line] of wanted.entries()) {
    const key = line.trim();
    if (key.length > 2 && !positions.has(key)) positions.set(key, index);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const position = positions.get(line.trim());
    if (position === undefined) continue;
    const start = Math.max(0, index - position);
    votes.set(start, (votes.get(start) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [start, count] of votes) if (count > (votes.get(best ?? -1) ?? 0)) best = start;
  return best ?? mostAlike(lines, wanted);
}

function mostAlike(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), '');
  const target = longest.trim().slice(0, MAX_COMPARED_LENGTH);
  if (target.length < 4) return undefined;
  let best: { readonly index: number; readonly far: number } | undefined;
  let compared = 0;
  for (const [index, raw] of lines.entries()) {
    if (compared >= MAX_COMPARED) break;
    // A line of quite another length cannot be near; leaving it out keeps the comparisons for those that can.
    if (Math.abs(raw.trim().length - longest.trim().length) > target.length * 0.4) continue;
    compared += 1;
    const far = distance(target, raw.trim().slice(0, MAX_COMPARED_LENGTH));
    if (far <= target.length * 0.4 && far < (best?.far ?? Infinity)) best = { index, far };
  }
  return best === undefined ? undefined : Math.max(0, best.index - wanted.indexOf(longest));
}
