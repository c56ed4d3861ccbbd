import { NO_SUCH_GROUP } from '../pattern-problem.js';
import { notation } from './backtracking/notation.js';
import { inSequence, NOTHING, type Extent } from './extent.js';
import { leaveToMatcher, PatternProblem, spellsCase, take, widen, type PatternReader } from './pattern-reader.js';

/** `\1`, `\g{-1}`, `\k<name>` and their like in PCRE2; undefined where none is. Several digits may be an octal number, which they are given to. */
export function takeReference(
  reader: PatternReader,
  readOctal: (digits: string) => string | undefined,
): string | undefined {
  const start = reader.at;
  const match = take(
    reader,
    /\\(?:g(?:([+-]?\d+)|\{([+-]?\d+)\}|\{([A-Za-z_]\w*)\})|([1-9]\d*)|k(?:<(\w+)>|\{(\w+)\}|'(\w+)'))/y,
  );
  if (match === undefined) return undefined;
  const [, short, braced, called, digits, ...names] = match;
  const name = called ?? names.find((each) => each !== undefined);
  if (name !== undefined) return backReference(reader, numbersOf(reader, name), start);
  const octal = digits === undefined || digits.length === 1 ? undefined : readOctal(digits);
  return octal ?? backReference(reader, [groupNumber(reader, short ?? braced ?? digits ?? '')], start);
}

/** The groups that have the name; none where that is not known yet. */
export function numbersOf({ found, known }: PatternReader, name: string): readonly number[] {
  return (known ?? found).names.get(name) ?? [];
}

/** The first group that has the name; -1 where there is none. */
export function namedGroup(reader: PatternReader, name = ''): number {
  return numbersOf(reader, name)[0] ?? -1;
}

/** Counted from the start, or with a sign from the place of the reader; -1 where there is none. */
export function groupNumber({ found }: PatternReader, text: string): number {
  const number = Number(text);
  if (text.startsWith('+')) return found.groups + number;
  if (!text.startsWith('-')) return number;
  const counted = found.groups + 1 + number;
  // 0 would be the whole pattern.
  return counted > 0 ? counted : -1;
}

/** JavaScript takes a group that took no part for an empty one; in PCRE2 nothing matches it. */
export function backReference(reader: PatternReader, numbers: readonly number[], start: number): string {
  if (reader.dialect.own) return ownReference(reader, numbers, start);
  const [number] = numbers;
  if (number === undefined || number < 1 || number > reader.found.groups) {
    if (!/[([]/.test(reader.pattern.slice(reader.at))) throw new PatternProblem(NO_SUCH_GROUP, start);
    leaveToMatcher(reader);
  }
  if (number === undefined || !reader.certain.has(number) || reader.isBehind) leaveToMatcher(reader);
  reader.needsGroups = true;
  if (spellsCase(reader)) leaveToMatcher(reader);
  widen(reader, 0, Infinity);
  return `\\k<g${number}>`;
}

function ownReference(reader: PatternReader, numbers: readonly number[], start: number): string {
  checkGroups(reader, numbers, start);
  // Which of several groups is meant is not known before.
  if (reader.known?.sharesNumbers === true || numbers.length > 1) reader.isUnlimited = true;
  const extents = numbers.map((number) => extentOf(reader, number));
  widen(reader, Math.min(...extents.map(({ least }) => least)), Math.max(...extents.map(({ most }) => most)));
  reader.hasPlaces = true;
  return notation.reference(numbers, reader.flags.ignoreCase);
}

/** @throws PatternProblem where there is no such group, once all are known */
export function checkGroups({ known, dialect }: PatternReader, numbers: readonly number[], start: number): void {
  if (known === undefined || dialect.isDraft) return;
  const isThere = (number: number): boolean => number >= 1 && number <= known.groups;
  if (numbers.length === 0 || !numbers.every(isThere)) throw new PatternProblem(NO_SUCH_GROUP, start);
}

/** The group once more; 0 is the whole pattern. */
export function callGroup(reader: PatternReader, number: number, start: number): string {
  if (number !== 0) checkGroups(reader, [number], start);
  reader.extent = inSequence(reader.extent, extentOf(reader, number));
  reader.hasPlaces = true;
  return notation.call(number);
}

/** Nothing is known of a group that is open, or comes back to one that is. */
function extentOf(reader: PatternReader, number: number): Extent {
  const { reaches } = reader.found;
  for (const open of reader.open) reaches.set(open, (reaches.get(open) ?? new Set()).add(number));
  const known = comesBack(reader, number) ? undefined : reader.known?.extents.get(number);
  const extent = known ?? { ...NOTHING, most: Infinity };
  if (extent.most === Infinity) reader.isUnlimited = true;
  return extent;
}

function comesBack({ known, open }: PatternReader, number: number): boolean {
  const reached = new Set([number]);
  for (const each of reached) {
    if (open.has(each)) return true;
    for (const next of known?.reaches.get(each) ?? []) reached.add(next);
  }
  return false;
}
