import { findAnchors, type AnchoredBlock } from './find-anchor.js';
import { foldCharacters } from './fold-characters.js';
import { HUNK_TIERS, lineKey, type HunkTier } from './hunk-lines.js';
import type { Hunk, PatchLine } from './patch.js';
import { reindent, unitOf } from './reindent.js';
import { indentationOf, withoutIndentation } from './text-lines.js';

/** Where a hunk stands: its old lines begin with the line `first`, 0-based. */
export interface Place {
  readonly first: number;
  readonly tier: HunkTier;
  /** Its new lines as they are to be indented, where that is not as the patch has them. */
  readonly added?: readonly string[];
}

/** `lines`: 1-based, the first of them. */
export type Located =
  | { readonly found: 'place'; readonly place: Place }
  | { readonly found: 'several'; readonly tier: HunkTier; readonly places: readonly Place[] }
  | { readonly found: 'no-anchor'; readonly anchor: string }
  | { readonly found: 'several-anchors'; readonly anchor: string; readonly lines: readonly number[] }
  /** Its old lines are there, but not where it says: below its anchor, or at the end of the file. */
  | { readonly found: 'elsewhere'; readonly lines: readonly number[] }
  /** It stands in the file, but its new lines cannot be written there; one sentence. */
  | { readonly found: 'unwritable'; readonly detail: string }
  | { readonly found: 'nowhere' };

export interface LocateRequest {
  /** Of the file, without line ends. */
  readonly lines: readonly string[];
  readonly hunk: Hunk;
  /** The first line that the hunks before have left alone, 0-based. */
  readonly cursor: number;
  /** Whether a hunk that begins at this line would change nothing that another hunk changes. */
  readonly isFree: (first: number) => boolean;
  /** The block of the context after which the hunk continues, if only that comes before it. */
  readonly below?: AnchoredBlock | undefined;
  readonly trustHint: boolean;
}

const MAX_LINES_LISTED = 20;

/** Finds the one place that a hunk can mean. Never chooses between places that are alike but by what the hunk says. */
export function locateHunk(request: LocateRequest): Located {
  const { lines, hunk } = request;
  const anchored = findAnchors(lines, hunk.anchors);
  // The words behind line numbers are a hint as the numbers are.
  const isSoft = hunk.hint !== undefined;
  if (anchored.found === 'none' && !isSoft) return { found: 'no-anchor', anchor: hunk.anchors[anchored.index] ?? '' };
  const blocks = hunk.anchors.length === 0 || anchored.found === 'none' ? undefined : anchored.blocks;
  if (hunk.lines.every(({ kind }) => kind === 'added')) return locateInsertion(request, blocks);
  let elsewhere: readonly Place[] = [];
  for (const tier of HUNK_TIERS) {
    const places = placesAt(lines, hunk, tier);
    const free = places.filter(({ first }) => request.isFree(first));
    const ahead = free.filter(({ first }) => first + firstChange(hunk) >= request.cursor);
    const candidates = ahead.length > 0 ? ahead : free;
    const meant = narrow(request, candidates, blocks);
    if (meant.length === 1 && meant[0] !== undefined) return { found: 'place', place: meant[0] };
    if (meant.length > 1) return { found: 'several', tier, places: meant };
    if (elsewhere.length === 0) elsewhere = candidates;
  }
  return elsewhere.length === 0 ? { found: 'nowhere' } : { found: 'elsewhere', lines: numbersOf(elsewhere) };
}

/** Counts the old lines that a hunk keeps before its first change; 0 if it changes nothing. */
export function firstChange({ lines }: Hunk): number {
  return Math.max(
    0,
    lines.findIndex(({ kind }) => kind !== 'same'),
  );
}

export function numbersOf(places: readonly Place[]): number[] {
  return places.slice(0, MAX_LINES_LISTED).map(({ first }) => first + 1);
}

/** Lines alone go below their anchor; without one to the end of the file. */
function locateInsertion(
  { lines, hunk, cursor, trustHint }: LocateRequest,
  blocks: readonly AnchoredBlock[] | undefined,
): Located {
  const end: Located = { found: 'place', place: { first: lines.length, tier: 'exact' } };
  if (blocks === undefined) {
    if (hunk.hint === undefined || hunk.endOfFile || lines.length === 0) return end;
    // Nothing but a number says where: it must be that of an end.
    if (trustHint && hunk.hint === lines.length) return end;
    return { found: 'nowhere' };
  }
  const ahead = blocks.filter(({ anchor }) => anchor + 1 >= cursor);
  const meant = ahead.length > 0 ? ahead : blocks;
  const [block] = meant;
  if (block === undefined || meant.length > 1) {
    const anchor = hunk.anchors.at(-1) ?? '';
    return { found: 'several-anchors', anchor, lines: meant.slice(0, MAX_LINES_LISTED).map((one) => one.anchor + 1) };
  }
  return { found: 'place', place: { first: block.anchor + 1, tier: 'exact' } };
}

/** Those of the candidates that the hunk can mean, by what it says besides its lines. */
function narrow(
  { lines, hunk, trustHint, below }: LocateRequest,
  candidates: readonly Place[],
  blocks: readonly AnchoredBlock[] | undefined,
): readonly Place[] {
  const size = hunk.lines.filter(({ kind }) => kind !== 'added').length;
  const atEnd = ({ first }: Place): boolean => lines.slice(first + size).every((line) => line.trim() === '');
  let meant = hunk.endOfFile ? candidates.filter(atEnd) : candidates;
  const isSoft = hunk.hint !== undefined;
  if (blocks !== undefined && !(isSoft && meant.length === 1)) {
    const anchored = belowAnchors(lines, meant, blocks, size);
    if (!isSoft || anchored.length === 1) meant = anchored;
  }
  if (meant.length > 1 && isSoft && trustHint) {
    const hinted = meant.filter(({ first }) => first + 1 === hunk.hint);
    if (hinted.length === 1) return hinted;
  }
  if (meant.length > 1 && below !== undefined) {
    const within = meant.filter(({ first }) => first > below.anchor && first < below.end);
    if (within.length === 1) return within;
  }
  return meant;
}

/** In the block of an anchor; where none is, anywhere below the first anchor. */
function belowAnchors(
  lines: readonly string[],
  places: readonly Place[],
  blocks: readonly AnchoredBlock[],
  size: number,
): readonly Place[] {
  const within = places.filter(({ first }) => blocks.some(({ anchor, end }) => first < end && first + size > anchor));
  if (within.length > 0) return within;
  const top = Math.min(...blocks.map(({ anchor }) => anchor));
  return places.filter(({ first }) => first > top && !blocks.every((block) => isInOther(lines, block, first)));
}

/** Whether a line lies in the block of another line than the anchor, which has a block of its own. */
function isInOther(lines: readonly string[], { anchor, end }: AnchoredBlock, first: number): boolean {
  const depthAt = (index: number): number => indentationOf(lines[index] ?? '').length;
  return anchor >= 0 && end > anchor + 1 && first >= end && depthAt(first) > depthAt(anchor);
}

/** Every run of lines that is alike at the tier, in order. */
function placesAt(lines: readonly string[], { lines: all }: Hunk, tier: HunkTier): Place[] {
  const old = all.filter(({ kind }) => kind !== 'added');
  const keys = old.map(({ text }) => lineKey(text, tier));
  // Of context, the column of the sign is often forgotten: then the blank before it is part of the line.
  const others = old.map(({ kind, text }) =>
    tier === 'sign-column' && kind === 'same' ? lineKey(` ${text}`, tier) : undefined,
  );
  const isFirstStripped = tier === 'first-indentation';
  if (isFirstStripped && !mayLackIndentation(all)) return [];
  const isAlike = (line: string, index: number): boolean =>
    line === keys[index] ||
    line === others[index] ||
    (isFirstStripped && index === 0 && withoutIndentation(line) === keys[0]);
  // Blank lines are alike everywhere: the search goes by the longest line.
  const anchor = keys.reduce((best, key, index) => (key.length > (keys[best]?.length ?? 0) ? index : best), 0);
  const file = lines.map((line) => lineKey(line, tier));
  const blank = keys.every((key) => key === '');
  if (blank && tier !== 'exact') return [];
  const places: Place[] = [];
  let fileIndents: { readonly unit: string | undefined } | undefined;
  for (let first = 0; first + keys.length <= file.length; first += 1) {
    if (!isAlike(file[first + anchor] ?? '', anchor)) continue;
    if (!keys.every((_, index) => isAlike(file[first + index] ?? '', index))) continue;
    if (tier !== 'indentation' && tier !== 'indented-look-alikes') {
      places.push({ first, tier });
      continue;
    }
    const wanted = old.map(({ text }) => text);
    const originals = lines.slice(first, first + keys.length);
    // Indentation by other blanks than spaces and tabs cannot be shifted.
    if (tier === 'indented-look-alikes' && [...wanted, ...originals].some(isOddlyIndented)) continue;
    fileIndents ??= { unit: unitOf(lines.length, (index) => lines[index]) };
    const newLines = all.filter(({ kind }) => kind === 'added').map(({ text }) => text);
    const added = reindent({ wanted, originals, newLines, fileIndents: fileIndents.unit });
    if (added !== undefined) places.push({ first, tier, added });
  }
  return places;
}

/** Copied from within its first line; only a line that stays can lack what stands before it. */
function mayLackIndentation([head, ...others]: Hunk['lines']): boolean {
  // Only another line that has its own shows that the first alone lacks it.
  const filled = others.filter(({ text }) => text.trim() !== '');
  const least = Math.min(...filled.flatMap((line) => (line.kind === 'added' ? [] : [depthOf(line)])));
  // Lines added at less depth than those do not go by them.
  const isTold = least !== Infinity && filled.every((line) => line.kind !== 'added' || depthOf(line) >= least);
  return isTold && head?.kind === 'same' && head.text.trim() !== '' && indentationOf(head.text) === '';
}

function depthOf({ text }: PatchLine): number {
  return indentationOf(text).length;
}

function isOddlyIndented(line: string): boolean {
  return indentationOf(foldCharacters(line)) !== indentationOf(line);
}
