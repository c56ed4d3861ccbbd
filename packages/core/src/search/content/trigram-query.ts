/** What a text must hold to match. Pieces are printable ASCII with A-Z as a-z, three characters or more. */
export interface TrigramQuery {
  readonly all: readonly string[];
  /** Of each of these lists at least one must hold. */
  readonly any: readonly (readonly TrigramQuery[])[];
}

/** What a part of a pattern matches: one of a few texts exactly, or many, of which something may be known. */
export type PatternPart = { readonly exact: readonly string[] } | ManyTexts;

interface ManyTexts {
  readonly exact?: undefined;
  /** All hold this; undefined: nothing certain. */
  readonly query: TrigramQuery | undefined;
  /** Each begins with one of these, and ends with one of those. */
  readonly start: readonly string[];
  readonly end: readonly string[];
}

/** Any text. */
export const ANY_TEXT: ManyTexts = { query: undefined, start: [''], end: [''] };
/** Matches, but no text: an anchor, say. */
export const NO_TEXT: PatternPart = { exact: [''] };

/** More alternatives than that are no longer told apart. */
const MAX_EXACT = 16;
const MAX_EXACT_LENGTH = 2000;
const MIN_PIECE = 3;
const MAX_COMPARED = 200;
const TAB = 9;
const UPPER_A = 65;
const UPPER_Z = 90;

/**
 * The character as it stands in a fingerprint; undefined for one that is not in any: control characters (also line
 * ends, so that nobody cares how lines end) and all beyond ASCII.
 */
export function foldedCharacter(code: number): string | undefined {
  if (code !== TAB && (code < 0x20 || code > 0x7e)) return undefined;
  return String.fromCharCode(code >= UPPER_A && code <= UPPER_Z ? code + 32 : code);
}

/** One character of a pattern that stands for itself. */
export function literalPart(code: number): PatternPart {
  const folded = foldedCharacter(code);
  return folded === undefined ? ANY_TEXT : { exact: [folded] };
}

/** One of several: the branches of an alternation, the characters of a class. */
export function anyOf(parts: readonly PatternPart[]): PatternPart {
  const exact = parts.flatMap((part) => part.exact ?? []);
  const isExact = parts.every((part) => part.exact !== undefined);
  if (isExact && new Set(exact).size <= MAX_EXACT) return { exact: distinct(exact) };
  const queries = parts.map(partQuery).filter((query) => query !== undefined);
  return {
    query: queries.length < parts.length ? undefined : { all: [], any: [queries] },
    start: distinct(parts.flatMap((part) => part.exact ?? part.start)),
    end: distinct(parts.flatMap((part) => part.exact ?? part.end)),
  };
}

/** One after the other: what ends one part stands before what begins the next. */
export function inSequence(parts: readonly PatternPart[]): PatternPart {
  let start: readonly string[] | undefined;
  let run: readonly string[] = [''];
  const queries: (TrigramQuery | undefined)[] = [];
  const breakOff = (next: readonly string[]): void => {
    queries.push(exactQuery(run));
    start ??= run;
    run = next;
  };
  const append = (texts: readonly string[]): void => {
    const joined = product(run, texts);
    if (joined === undefined) breakOff(texts);
    else run = joined;
  };
  for (const part of parts) {
    append(part.exact ?? part.start);
    if (part.exact !== undefined) continue;
    breakOff(part.end);
    queries.push(part.query);
  }
  if (start === undefined) return { exact: run };
  return { query: allOf([...queries, exactQuery(run)]), start, end: run };
}

/** Between `min` and `max` times the same. */
export function repeated(part: PatternPart, min: number, max: number): PatternPart {
  if (min === 1 && max === 1) return part;
  if (min === 0) {
    return max === 1 && part.exact !== undefined ? anyOf([NO_TEXT, part]) : ANY_TEXT;
  }
  if (part.exact === undefined) return part;
  if (min === max && min <= 4) return inSequence(Array.from({ length: min }, () => part));
  // The first stands next to what comes before, the last next to what follows; with one time it is the same one.
  return inSequence([part, ANY_TEXT, part]);
}

/** What a text with such a part must hold; undefined: nothing certain. */
export function partQuery(part: PatternPart): TrigramQuery | undefined {
  return part.exact === undefined ? part.query : exactQuery(part.exact);
}

function exactQuery(texts: readonly string[]): TrigramQuery | undefined {
  if (texts.some((text) => text.length < MIN_PIECE)) return undefined;
  const pieces = shortestOf(texts).map((text) => ({ all: [text], any: [] }));
  const [first] = pieces;
  if (first === undefined) return undefined;
  return pieces.length === 1 ? first : { all: [], any: [pieces] };
}

/** Without those that hold another one: they add nothing. */
function shortestOf(texts: readonly string[]): string[] {
  return texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
}

function allOf(queries: readonly (TrigramQuery | undefined)[]): TrigramQuery | undefined {
  const certain = queries.filter((query) => query !== undefined);
  if (certain.length === 0) return undefined;
  const pieces = certain.flatMap((query) => query.all);
  return { all: longestOf(pieces), any: certain.flatMap((query) => query.any) };
}

/** Without those that another one holds, and without what is said twice. */
function longestOf(pieces: readonly string[]): string[] {
  if (pieces.length > MAX_COMPARED) return [...pieces];
  const different = Array.from(new Set(pieces));
  return different.filter((piece) => !different.some((other) => other !== piece && other.includes(piece)));
}

/** Each once; too many are as good as any. */
function distinct(texts: readonly string[]): readonly string[] {
  const set = new Set(texts);
  return set.size > MAX_EXACT ? [''] : Array.from(set);
}

function product(left: readonly string[], right: readonly string[]): string[] | undefined {
  if (left.length * right.length > MAX_EXACT) return undefined;
  const joined = new Set<string>();
  for (const start of left) for (const end of right) joined.add(start + end);
  return Array.from(joined).some((text) => text.length > MAX_EXACT_LENGTH) ? undefined : Array.from(joined);
}
