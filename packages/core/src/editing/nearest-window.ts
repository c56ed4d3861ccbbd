import { distance } from 'fastest-levenshtein';
import type { TextLines } from './text-lines.js';

/** Some lines of a text, 0-based. */
export interface LineWindow {
  readonly first: number;
  readonly count: number;
  /** 0 to 1: how much of the text is the same, white space at both ends of the lines aside. */
  readonly likeness: number;
  /** The first line of another place that is equally near. */
  readonly tied: number | undefined;
}

/** Lines compared by edit distance at most, and characters of them: the cost is bounded. */
const MAX_COMPARED = 5000;
const MAX_COMPARED_LENGTH = 300;
const MAX_JOINED_LENGTH = 3000;
const MAX_WEIGHT = 40;
const SLACK = 2;
const MIN_LIKENESS = 0.45;

/** The lines that are most like the wanted ones, which are trimmed at neither end; undefined when none are. */
export function nearestWindow(lines: TextLines, wanted: readonly string[]): LineWindow | undefined {
  const start = votedStart(lines, wanted) ?? mostAlikeStart(lines, wanted);
  return (start === undefined ? undefined : windowAt(lines, wanted, start)) ?? partWindow(lines, wanted);
}

function windowAt(lines: TextLines, wanted: readonly string[], start: Start): LineWindow | undefined {
  const joined = joinTrimmed(wanted);
  let best: { first: number; count: number; likeness: number } | undefined;
  for (let first = Math.max(0, start.first - SLACK); first <= start.first + SLACK; first += 1) {
    for (let count = Math.max(1, wanted.length - SLACK); count <= wanted.length + SLACK; count += 1) {
      if (first + count > lines.count) break;
      const likeness = likenessOf(joined, joinTrimmed(linesOf(lines, first, count)));
      if (likeness > (best?.likeness ?? 0)) best = { first, count, likeness };
    }
  }
  if (best === undefined || best.likeness < MIN_LIKENESS) return undefined;
  // The best window may be the tied one.
  return { ...best, tied: best.first === start.tied ? start.first : start.tied };
}

export function linesOf(lines: TextLines, first: number, count: number): string[] {
  const end = Math.min(lines.count, first + count);
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => lines.textOf(first + index));
}

/** 0 for texts that have nothing in common, 1 for equal ones. */
export function likenessOf(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  return longest === 0 ? 1 : 1 - distance(one, other) / longest;
}

function joinTrimmed(lines: readonly string[]): string {
  let joined = '';
  for (const line of lines) {
    if (joined.length > MAX_JOINED_LENGTH) break;
    joined += `${line.trim()}\n`;
  }
  return joined.slice(0, MAX_JOINED_LENGTH);
}

interface Start {
  readonly first: number;
  readonly tied: number | undefined;
}

/** Where most of the wanted lines stand in their order; long and rare lines count for more. */
function votedStart(lines: TextLines, wanted: readonly string[]): Start | undefined {
  const positions = new Map<string, number>();
  for (const [index, line] of wanted.entries()) {
    const key = line.trim();
    if (key.length > 2 && !positions.has(key)) positions.set(key, index);
  }
  const places = new Map<string, number[]>();
  for (let index = 0; index < lines.count; index += 1) {
    const key = lines.textOf(index).trim();
    if (!positions.has(key)) continue;
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  const votes = new Map<number, number>();
  for (const [key, found] of places) {
    const weight = Math.min(key.length, MAX_WEIGHT) / Math.sqrt(found.length);
    for (const index of found) {
      const start = Math.max(0, index - (positions.get(key) ?? 0));
      votes.set(start, (votes.get(start) ?? 0) + weight);
    }
  }
  let best: Start | undefined;
  let most = 0;
  for (const [first, weight] of votes) {
    if (weight < most || (weight === most && best === undefined)) continue;
    best = { first, tied: weight === most ? best?.first : undefined };
    most = weight;
  }
  return best;
}

/** By the line that is most like the longest wanted one. */
function mostAlikeStart(lines: TextLines, wanted: readonly string[]): Start | undefined {
  const longest = wanted.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), '');
  const target = longest.trim().slice(0, MAX_COMPARED_LENGTH);
  if (target.length < 4) return undefined;
  const offset = wanted.indexOf(longest);
  let best: Start | undefined;
  let nearest = Math.floor(target.length * 0.5);
  let compared = 0;
  for (let index = 0; index < lines.count && compared < MAX_COMPARED; index += 1) {
    const line = lines.textOf(index).trim();
    // A line of quite another length cannot be near; leaving it out keeps the comparisons for those that can.
    if (Math.abs(line.length - longest.trim().length) > nearest) continue;
    compared += 1;
    const far = distance(target, line.slice(0, MAX_COMPARED_LENGTH));
    if (far > nearest) continue;
    best = { first: Math.max(0, index - offset), tied: far === nearest ? best?.first : undefined };
    nearest = far;
  }
  return best;
}

const MIN_PART = 12;
const MIN_SHARED = 0.6;

/** Finds a line that begins and ends like the longest wanted one. The middle may differ, and either end may be cut off. */
function partWindow(lines: TextLines, wanted: readonly string[]): LineWindow | undefined {
  const longest = wanted.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), '');
  const target = longest.trim().slice(0, MAX_JOINED_LENGTH);
  if (target.length < MIN_PART) return undefined;
  let best: { index: number; share: number; tied: number | undefined } | undefined;
  for (let index = 0; index < lines.count; index += 1) {
    const line = lines.textOf(index).trim();
    const length = Math.min(line.length, target.length);
    const share = length < MIN_PART ? 0 : sharedEnds(target, line) / length;
    if (share < Math.max(MIN_SHARED, best?.share ?? 0)) continue;
    best = { index, share, tied: share === best?.share ? best.index : undefined };
  }
  if (best === undefined) return undefined;
  const first = Math.max(0, best.index - wanted.indexOf(longest));
  const count = Math.min(wanted.length, lines.count - first);
  // Another line may be meant, so it leads to no suggestion.
  return { first, count, likeness: MIN_LIKENESS, tied: best.tied };
}

/** Counts the characters that two texts share at one end, whichever shares more, and then at the other end. */
function sharedEnds(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return start + end;
}
