import { foldCharacters } from './fold-characters.js';
import { keepCharacters } from './keep-characters.js';
import { isReindented, reindent } from './reindent.js';
import {
  flatLines,
  indentationOf,
  indexLines,
  withoutIndentation,
  withoutTrailing,
  type TextLine,
  type TextLines,
} from './text-lines.js';
import { writeMatch, type Hunk } from './write-match.js';

/**
 * How whole lines may differ from the target and still match. `trailing-space`: in white space at their ends, and the
 * first line may lack its indentation. `indentation`: besides, all lines are indented by one other amount, or in other
 * units. `look-alikes`: besides, in characters that look the same.
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
}

/** What of the indentation must agree. */
type Lead = 'same' | 'first-stripped' | 'shifted';

interface Variant {
  readonly fold: boolean;
  readonly lead: Lead;
}

const VARIANTS: Readonly<Record<LineWindowTier, readonly Variant[]>> = {
  'trailing-space': [
    { fold: false, lead: 'same' },
    { fold: false, lead: 'first-stripped' },
  ],
  indentation: [{ fold: false, lead: 'shifted' }],
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
    const firsts = findWindows(lines, target, variant, request.limit ?? Infinity);
    if (firsts.length > 0) return firsts.map((first) => writeWindow({ ...request, lines, target, variant, first }));
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
  return lead === 'shifted' ? withoutIndentation(end) : end;
}

/** The first lines of all windows that match, by the algorithm of Knuth, Morris and Pratt: linear in both texts. */
function findWindows(lines: TextLines, { content }: Target, variant: Variant, limit: number): number[] {
  const [head = ''] = content;
  const stripped = variant.lead === 'first-stripped';
  if (stripped && (content.length < 2 || head.trim() === '' || indentationOf(head) !== '')) return [];
  const skipped = stripped ? 1 : 0;
  const ids = new Map<string, number>();
  const wanted = content.slice(skipped).map((line) => {
    const key = keyOf(line, variant);
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  });
  const fallback = fallbacks(wanted);
  const firsts: number[] = [];
  let matched = 0;
  for (let index = skipped; index < lines.count && firsts.length < limit; index += 1) {
    const id = ids.get(keyOf(lines.textOf(index), variant)) ?? -1;
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
  if (variant.lead === 'same') return true;
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

interface Window extends LineWindowRequest {
  readonly lines: TextLines;
  readonly target: Target;
  readonly variant: Variant;
  readonly first: number;
}

function writeWindow({ text, lines, newText, target, variant, first }: Window): LineWindowMatch {
  const places: TextLine[] = target.content.map((_, index) => lines.at(first + index));
  const [head] = places;
  if (head !== undefined && variant.lead === 'first-stripped') {
    places[0] = { ...head, start: head.start + indentationOf(text.slice(head.start, head.end)).length };
  }
  const lastNext = places.at(-1)?.next ?? 0;
  if (target.lines.length > target.content.length) places.push({ start: lastNext, end: lastNext, next: lastNext });
  const newLines = flatLines(newText);
  const originals = places.map(({ start, end }) => text.slice(start, end));
  const render = (hunks: readonly Hunk[]): ReadonlyMap<number, string> | undefined => {
    const indexes = hunks.flatMap(({ newFrom, newTo }) => range(newFrom, newTo));
    const typed = indexes.map((index) => newLines[index] ?? '');
    const indented =
      variant.lead === 'shifted'
        ? reindent({ wanted: target.lines, originals, newLines: typed, fileIndents: unitOf(lines) })
        : typed;
    if (indented === undefined) return undefined;
    const written = new Map(indexes.map((index, at) => [index, indented[at] ?? '']));
    if (variant.fold) for (const hunk of hunks) keepFolded({ hunk, oldLines: target.lines, originals, written });
    return written;
  };
  const whole = writeMatch({ text, oldLines: target.lines, places, newLines, render });
  return { start: places[0]?.start ?? 0, end: places.at(-1)?.end ?? 0, text: whole };
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

const SAMPLED_LINES = 5000;

/** What the lines are indented by, judged by the steps that most lines go deeper than the ones before them. */
function unitOf(lines: TextLines): string | undefined {
  const steps = new Map<string, number>();
  let before = '';
  for (let index = 0; index < Math.min(lines.count, SAMPLED_LINES); index += 1) {
    const line = lines.textOf(index);
    if (line.trim() === '') continue;
    const indentation = indentationOf(line);
    if (indentation.length > before.length && indentation.startsWith(before)) {
      const step = indentation.slice(before.length);
      if (UNIT.test(step)) steps.set(step, (steps.get(step) ?? 0) + 1);
    }
    before = indentation;
  }
  const [first, second] = [...steps].toSorted(([, one], [, other]) => other - one);
  return first === undefined || first[1] === second?.[1] ? undefined : first[0];
}

const UNIT = /^(?:\t| {2,4}| {8})$/;
