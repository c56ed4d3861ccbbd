import { foldCharacters, isResizable } from './fold-characters.js';
import { keepCharacters } from './keep-characters.js';
import { indentationMap, type Indenter } from './map-indentation.js';
import { isReindented, reindent, unitOf } from './reindent.js';
import {
  flatLines,
  indentationOf,
  indexLines,
  withoutIndentation,
  withoutTrailing,
  type TextLine,
  type TextLines,
} from './text-lines.js';
import { pairLines, writeMatch, type Hunk, type PairedLines } from './write-match.js';

/**
 * The ways in which whole lines may differ from the target and still match. `trailing-space`: white space at their ends differs, and the
 * first line may lack its indentation. `indentation`: besides, all lines are indented by one other amount, in other units, or in another
 * unambiguous way (`indentationMap`). `look-alikes`: besides, characters differ that look the same.
 */
export type LineWindowTier = 'trailing-space' | 'indentation' | 'look-alikes';

export interface LineWindowMatch {
  readonly start: number;
  readonly end: number;
  /** What to write there: lines that the edit does not change stay as the file has them. Undefined when that is not sure. */
  readonly text: string | undefined;
}

export interface LineWindowRequest {
  readonly text: string;
  /** Of the text, where they are at hand. */
  readonly lines?: TextLines;
  readonly oldText: string;
  readonly newText: string;
  readonly tier: LineWindowTier;
  /** Matches that are enough. Default: all. */
  readonly limit?: number;
  /** Where, sorted, one of the wanted lines stands: no other place is looked at. Without `places`: all are. */
  readonly near?: { readonly index: number; readonly places: readonly number[] | undefined };
}

/** What of the indentation must agree. */
type Lead = 'same' | 'first-stripped' | 'shifted' | 'mapped';

interface Variant {
  readonly fold: boolean;
  readonly lead: Lead;
}

const VARIANTS: Readonly<Record<LineWindowTier, readonly Variant[]>> = {
  'trailing-space': [
    { fold: false, lead: 'same' },
    { fold: false, lead: 'first-stripped' },
  ],
  indentation: [
    { fold: false, lead: 'shifted' },
    { fold: false, lead: 'mapped' },
  ],
  'look-alikes': [
    { fold: true, lead: 'same' },
    { fold: true, lead: 'first-stripped' },
    { fold: true, lead: 'shifted' },
  ],
};

/** Every run of whole lines that matches `oldText` at the tier, in order. Blank targets match nothing. */
export function findLineWindows(request: LineWindowRequest): LineWindowMatch[] {
  const target = targetOf(request.oldText);
  if (target.content.every((line) => line.trim() === '')) return [];
  const lines = request.lines ?? indexLines(request.text);
  for (const variant of VARIANTS[request.tier]) {
    const { near, limit = Infinity } = request;
    const firsts =
      near?.places === undefined
        ? findWindows(lines, target, variant, limit)
        : windowsAt(
            lines,
            target,
            variant,
            near.places.map((place) => lines.indexAt(place) - near.index),
          ).slice(0, limit);
    const isMapped = (first: number): boolean => mapAt(lines, target, first) !== undefined;
    if (firsts.length === 0 || (variant.lead === 'mapped' && !firsts.every(isMapped))) continue;
    const window = { ...request, lines, target, variant, ...pairLines(target.lines, flatLines(request.newText)) };
    const fileIndents = variant.lead === 'shifted' ? unitOf(lines.count, lines.textOf) : undefined;
    return firsts.map((first) => writeWindow({ ...window, fileIndents, first }));
  }
  return [];
}

interface Target {
  /** Ended by an empty line when the target includes the ending of its last line. */
  readonly lines: readonly string[];
  /** The lines to be found. */
  readonly content: readonly string[];
}

function targetOf(text: string): Target {
  const lines = flatLines(text);
  const closed = lines.length > 1 && lines.at(-1) === '';
  return { lines, content: closed ? lines.slice(0, -1) : lines };
}

function keyOf(line: string, { fold, lead }: Variant): string {
  const end = withoutTrailing(fold ? foldCharacters(line) : line);
  return lead === 'shifted' || lead === 'mapped' ? withoutIndentation(end) : end;
}

/** Those of some first lines where a window matches. */
function windowsAt(lines: TextLines, { content }: Target, variant: Variant, firsts: readonly number[]): number[] {
  const skipped = skippedLines(content, variant);
  if (skipped === undefined) return [];
  const wanted = content.slice(skipped).map((line) => keyOf(line, variant));
  return [...new Set(firsts)].filter(
    (first) =>
      first >= 0 &&
      first + content.length <= lines.count &&
      wanted.every((key, index) => keyOf(lines.textOf(first + skipped + index), variant) === key) &&
      accepts(lines, first, content, variant),
  );
}

/** How many lines at the head are judged apart; undefined where the variant does not apply. */
function skippedLines([head = '', ...others]: readonly string[], { lead }: Variant): number | undefined {
  if (lead !== 'first-stripped') return 0;
  // Only another line that has its own indentation shows that the first alone lacks it.
  const isTold = others.some((line) => line.trim() !== '');
  return isTold && head.trim() !== '' && indentationOf(head) === '' ? 1 : undefined;
}

/** The first lines of all windows that match, by the algorithm of Knuth, Morris and Pratt: linear in both texts. */
function findWindows(lines: TextLines, { content }: Target, variant: Variant, limit: number): number[] {
  const skipped = skippedLines(content, variant);
  if (skipped === undefined) return [];
  const ids = new Map<string, number>();
  const wanted = content.slice(skipped).map((line) => {
    const key = keyOf(line, variant);
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  });
  const fallback = fallbacks(wanted);
  const lengths = new Set(Array.from(ids.keys(), (key) => key.trim().length));
  const idOf = (line: string): number => {
    // Most lines need not be folded: folding would not make them as long as any that is wanted.
    if (variant.fold && !lengths.has(line.trim().length) && !isResizable(line)) return -1;
    return ids.get(keyOf(line, variant)) ?? -1;
  };
  const firsts: number[] = [];
  let matched = 0;
  for (let index = skipped; index < lines.count && firsts.length < limit; index += 1) {
    const id = idOf(lines.textOf(index));
    while (matched > 0 && (matched === wanted.length || wanted[matched] !== id)) matched = fallback[matched - 1] ?? 0;
    if (wanted[matched] === id) matched += 1;
    if (matched < wanted.length) continue;
    const first = index - content.length + 1;
    if (accepts(lines, first, content, variant)) firsts.push(first);
  }
  return firsts;
}

function fallbacks(wanted: readonly number[]): Uint32Array {
  const table = new Uint32Array(wanted.length);
  let length = 0;
  for (let index = 1; index < wanted.length; index += 1) {
    while (length > 0 && wanted[length] !== wanted[index]) length = table[length - 1] ?? 0;
    if (wanted[length] === wanted[index]) length += 1;
    table[index] = length;
  }
  return table;
}

function accepts(lines: TextLines, first: number, content: readonly string[], variant: Variant): boolean {
  if (variant.lead === 'same' || variant.lead === 'mapped') return true;
  if (variant.lead === 'first-stripped') {
    const line = lines.textOf(first);
    const loose: Variant = { ...variant, lead: 'shifted' };
    return indentationOf(line) !== '' && keyOf(line, loose) === keyOf(content[0] ?? '', loose);
  }
  const originals = content.map((_, index) => lines.textOf(first + index));
  // Indentation by other blanks than spaces and tabs cannot be shifted.
  const odd = (line: string): boolean => indentationOf(foldCharacters(line)) !== indentationOf(line);
  if (variant.fold && (content.some(odd) || originals.some(odd))) return false;
  return isReindented({ wanted: content, originals });
}

function mapAt(lines: TextLines, { content }: Target, first: number): Indenter | undefined {
  return indentationMap({ wanted: content, originals: content.map((_, index) => lines.textOf(first + index)) });
}

interface Window extends LineWindowRequest, PairedLines {
  readonly lines: TextLines;
  readonly target: Target;
  readonly variant: Variant;
  readonly fileIndents: string | undefined;
  readonly first: number;
}

function writeWindow({ text, lines, target, variant, first, fileIndents, ...paired }: Window): LineWindowMatch {
  const places: TextLine[] = target.content.map((_, index) => lines.at(first + index));
  const [head] = places;
  if (head !== undefined && variant.lead === 'first-stripped') {
    places[0] = { ...head, start: head.start + indentationOf(text.slice(head.start, head.end)).length };
  }
  const lastNext = places.at(-1)?.next ?? 0;
  if (target.lines.length > target.content.length) places.push({ start: lastNext, end: lastNext, next: lastNext });
  const { newLines } = paired;
  const originals = places.map(({ start, end }) => text.slice(start, end));
  const render = (hunks: readonly Hunk[]): ReadonlyMap<number, string> | undefined => {
    const indexes = hunks.flatMap(({ newFrom, newTo }) => range(newFrom, newTo));
    const typed = indexes.map((index) => newLines[index] ?? '');
    const indented =
      variant.lead === 'mapped'
        ? mapped(hunks, newLines, mapAt(lines, target, first))
        : variant.lead === 'shifted'
          ? reindent({ wanted: target.lines, originals, newLines: typed, fileIndents })
          : typed;
    if (indented === undefined) return undefined;
    if (variant.lead === 'first-stripped' && isAskew(target.content, indexes, newLines)) return undefined;
    const written = new Map(indexes.map((index, at) => [index, indented[at] ?? '']));
    if (variant.fold) for (const hunk of hunks) keepFolded({ hunk, oldLines: target.lines, originals, written });
    return written;
  };
  const whole = writeMatch({ text, places, render, ...paired });
  return { start: places[0]?.start ?? 0, end: places.at(-1)?.end ?? 0, text: whole };
}

function mapped(
  hunks: readonly Hunk[],
  newLines: readonly string[],
  indent: Indenter | undefined,
): string[] | undefined {
  const written = hunks.flatMap(({ oldFrom, oldTo, newFrom, newTo }) =>
    range(newFrom, newTo).map((index) => {
      const line = newLines[index] ?? '';
      const near = Math.min(oldFrom + index - newFrom, oldTo - 1);
      return line.trim() === '' ? line : indent?.(line, index, near);
    }),
  );
  return written.every((line) => line !== undefined) ? written : undefined;
}

/**
 * Whether new lines do not go by the old text, of which the first line alone lacks its indentation: the first has one, or
 * another has less than all the others had.
 */
function isAskew([, ...others]: readonly string[], changed: readonly number[], newLines: readonly string[]): boolean {
  const depthOf = (line: string): number => indentationOf(line).length;
  const least = Math.min(...others.filter((line) => line.trim() !== '').map(depthOf));
  return changed.some((index) => {
    const line = newLines[index] ?? '';
    return line.trim() !== '' && (index === 0 ? depthOf(line) > 0 : depthOf(line) < least);
  });
}

interface FoldedHunk {
  readonly hunk: Hunk;
  readonly oldLines: readonly string[];
  readonly originals: readonly string[];
  readonly written: Map<number, string>;
}

/** Gives the changed lines the file's own characters back, where they repeat the lines that they replace. */
export function keepFolded({ hunk, oldLines, originals, written }: FoldedHunk): void {
  const indexes = range(hunk.newFrom, hunk.newTo);
  const contentOf = (line: string): string => withoutIndentation(withoutTrailing(line));
  const old = oldLines.slice(hunk.oldFrom, hunk.oldTo).map((line) => foldedContent(line, contentOf));
  const real = originals.slice(hunk.oldFrom, hunk.oldTo).map((line) => foldedContent(line, contentOf));
  const texts = indexes.map((index) => written.get(index) ?? '');
  const newText = texts.map(withoutIndentation).join('\n');
  const lines = keepCharacters({ oldText: old.join('\n'), original: real.join('\n'), newText }).split('\n');
  for (const [at, index] of indexes.entries()) {
    written.set(index, indentationOf(texts[at] ?? '') + (lines[at] ?? ''));
  }
}

/** The line without what folds to white space at its ends. */
function foldedContent(line: string, contentOf: (line: string) => string): string {
  let content = contentOf(line);
  while (content !== '' && contentOf(foldCharacters(content.slice(-1))) === '')
    content = contentOf(content.slice(0, -1));
  while (content !== '' && contentOf(foldCharacters(content.slice(0, 1))) === '') content = contentOf(content.slice(1));
  return content;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
