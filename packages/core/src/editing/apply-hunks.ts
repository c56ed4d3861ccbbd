import type { LineSpan } from './edit-plan.js';
import { shownText } from '../util/shown-text.js';
import { hunkEdits, type LineEdit } from './hunk-edits.js';
import { splitLines, type FileLine, type HunkTier } from './hunk-lines.js';
import { endOfBlock, type AnchoredBlock } from './find-anchor.js';
import { firstChange, locateHunk, type Located, type Place } from './locate-hunk.js';
import { isContext, type Hunk } from './patch.js';

export interface HunksRequest {
  readonly text: string;
  readonly hunks: readonly Hunk[];
  /** False: the file is another than the one that the line numbers were taken from. */
  readonly trustHints: boolean;
}

/** `edits`: sorted, in lines of the old text. `tiers`: one for each hunk. */
export interface AppliedHunks {
  readonly text: string;
  readonly tiers: readonly HunkTier[];
  readonly edits: readonly LineEdit[];
}

/** A hunk that has no one place. `lines`: of the file as it is. */
export interface LostHunk {
  readonly hunk: Hunk;
  /** 0-based. */
  readonly index: number;
  readonly located: Exclude<Located, { found: 'place' }>;
}

export type HunksResult =
  { readonly ok: true; readonly applied: AppliedHunks } | { readonly ok: false; readonly lost: readonly LostHunk[] };

/** The text with all of the hunks in it; all or none. No line changes that a hunk does not name. */
export function applyHunks(request: HunksRequest): HunksResult {
  const { text, hunks } = request;
  // What marks the whole file is no part of its first line, unless the patch speaks of it.
  const isMarked = text.startsWith(BOM) && !hunks.some(({ lines }) => lines.some((line) => line.text.startsWith(BOM)));
  if (!isMarked) return applyPlain(request);
  const result = applyPlain({ ...request, text: text.slice(1) });
  return result.ok ? { ok: true, applied: { ...result.applied, text: BOM + result.applied.text } } : result;
}

const BOM = '\ufeff';

function applyPlain({ text, hunks, trustHints }: HunksRequest): HunksResult {
  const lines = splitLines(text);
  // What the caller knows is the text as it was shown.
  const plain = lines.map((line) => shownText(line.text));
  const taken: LineEdit[] = [];
  const tiers: HunkTier[] = [];
  const lost: LostHunk[] = [];
  let open: boolean | undefined;
  for (const [index, located] of locateInOrder(plain, hunks, trustHints).entries()) {
    const hunk = hunks[index];
    if (hunk === undefined) continue;
    if (located.found !== 'place') {
      lost.push({ hunk, index, located });
      continue;
    }
    const edits = hunkEdits(lines, hunk, located.place);
    if ('reason' in edits) {
      lost.push({ hunk, index, located: { found: 'unwritable', detail: edits.detail } });
      continue;
    }
    taken.push(...edits);
    tiers.push(located.place.tier);
    if (endOf(hunk, located.place) === lines.length) open = statedEnd(hunk) ?? open;
  }
  if (lost.length > 0) return { ok: false, lost };
  const edits = taken.toSorted((a, b) => a.first - b.first);
  const joined = joinLines(lines, edits, open ?? lines.at(-1)?.ending === '');
  return { ok: true, applied: { text: joined, tiers, edits } };
}

/**
 * As `applyHunks`; where a hunk stands nowhere, those from it on are looked for in the text that the ones before make of
 * it, and the first of them must be there as it is. Each stage is of the text of the one before; at least one.
 */
export function applyInStages(
  request: HunksRequest,
): { readonly ok: true; readonly stages: readonly AppliedHunks[] } | Extract<HunksResult, { ok: false }> {
  const whole = applyHunks(request);
  if (whole.ok) return { ok: true, stages: [whole.applied] };
  const [first] = whole.lost;
  if (first === undefined || first.index === 0 || whole.lost.some(({ located }) => located.found !== 'nowhere'))
    return whole;
  const { text, hunks, trustHints } = request;
  const head = applyHunks({ text, hunks: hunks.slice(0, first.index), trustHints });
  if (!head.ok) return whole;
  const rest = applyInStages({ text: head.applied.text, hunks: hunks.slice(first.index), trustHints: false });
  const isStrict = rest.ok && ['exact', 'trailing-space'].includes(rest.stages[0]?.tiers[0] ?? '');
  return rest.ok && isStrict ? { ok: true, stages: [head.applied, ...rest.stages] } : whole;
}

/**
 * Finds the place of each hunk. A hunk that fits several places is placed only if the file's order leaves one: the first possible order and
 * the last one agree on it.
 */
function locateInOrder(lines: readonly string[], hunks: readonly Hunk[], trustHint: boolean): Located[] {
  const located = locateAll(lines, hunks, trustHint);
  if (!located.some(({ found }) => found === 'several')) return located;
  const first = inOrder(hunks, located, 'first');
  const last = inOrder(hunks, located, 'last');
  return located.map((one, index) => {
    if (one.found !== 'several') return one;
    const [place, other] = [first[index], last[index]];
    const isContextOnly = hunks[index] !== undefined && isContext(hunks[index]);
    if (place === undefined || other === undefined) return isContextOnly ? firstOf(one) : one;
    const isSure = place.first === other.first && !one.tier.startsWith('indent');
    return isSure || isContextOnly ? { found: 'place', place } : one;
  });
}

function firstOf(several: Extract<Located, { found: 'several' }>): Located {
  const [place] = several.places;
  return place === undefined ? several : { found: 'place', place };
}

function locateAll(lines: readonly string[], hunks: readonly Hunk[], trustHint: boolean): Located[] {
  const taken: Change[] = [];
  let cursor = 0;
  let below: AnchoredBlock | undefined;
  return hunks.map((hunk) => {
    const isFree = (first: number): boolean =>
      changesAt(hunk, first).every((change) => taken.every((other) => areApart(change, other)));
    const located = locateHunk({ lines, hunk, cursor, isFree, trustHint, below });
    below = undefined;
    if (located.found !== 'place') return located;
    const end = endOf(hunk, located.place);
    if (isContext(hunk)) {
      cursor = end;
      below = { anchor: end - 1, end: endOfBlock(lines, end - 1) };
      return located;
    }
    const changes = changesAt(hunk, located.place.first);
    taken.push(...changes);
    cursor = changes.reduce((most, { first, removed }) => Math.max(most, first + removed), 0);
    return located;
  });
}

/** Returns one place for each hunk, each after the one before: the first possible ones, or the last. Undefined if no such order exists. */
function inOrder(
  hunks: readonly Hunk[],
  located: readonly Located[],
  side: 'first' | 'last',
): readonly (Place | undefined)[] {
  const chosen = hunks.map((): Place | undefined => undefined);
  let bound = side === 'first' ? 0 : Infinity;
  const indexes = [...hunks.keys()];
  for (const index of side === 'first' ? indexes : indexes.toReversed()) {
    const [hunk, one] = [hunks[index], located[index]];
    if (hunk === undefined || one === undefined || (one.found !== 'place' && one.found !== 'several')) continue;
    const places = one.found === 'place' ? [one.place] : one.places;
    const place =
      side === 'first'
        ? places.find((candidate) => rangeOf(hunk, candidate).from >= bound)
        : places.findLast((candidate) => rangeOf(hunk, candidate).to <= bound);
    if (place === undefined) return [];
    chosen[index] = place;
    bound = side === 'first' ? rangeOf(hunk, place).to : rangeOf(hunk, place).from;
  }
  return chosen;
}

/** Returns the lines that a hunk changes, or those that it names if it changes none. */
function rangeOf(hunk: Hunk, place: Place): { readonly from: number; readonly to: number } {
  if (isContext(hunk)) return { from: place.first, to: endOf(hunk, place) };
  const ends = changesAt(hunk, place.first).map(({ first, removed }) => first + removed);
  return { from: place.first + firstChange(hunk), to: Math.max(...ends) };
}

function endOf({ lines }: Hunk, { first }: Place): number {
  return first + lines.filter(({ kind }) => kind !== 'added').length;
}

/** Whether the file is left open at its end, where the hunk speaks of that; it must be the last of the file. */
function statedEnd({ lines }: Hunk): boolean | undefined {
  if (!lines.some(({ open }) => open === true)) return undefined;
  return lines.findLast(({ kind }) => kind !== 'removed')?.open === true;
}

type Change = Pick<LineEdit, 'first' | 'removed'>;

/** Which lines a hunk would change if its old lines began at `first`. */
function changesAt({ lines }: Hunk, first: number): Change[] {
  const changes: { first: number; removed: number }[] = [];
  let at = first;
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same' && (index === 0 || lines[index - 1]?.kind === 'same')) changes.push({ first: at, removed: 0 });
    const change = changes.at(-1);
    if (kind === 'removed' && change !== undefined) change.removed += 1;
    if (kind !== 'added') at += 1;
  }
  return changes;
}

/** Lines may be added on either side of lines that go, not among them. */
function areApart(one: Change, other: Change): boolean {
  return one.first + one.removed <= other.first || other.first + other.removed <= one.first;
}

function joinLines(lines: readonly FileLine[], edits: readonly LineEdit[], open: boolean): string {
  const result: FileLine[] = [];
  let at = 0;
  for (const { first, removed, added } of edits) {
    // One by one: a call takes a bounded number of arguments.
    for (const line of lines.slice(at, first)) result.push(line);
    for (const line of added) result.push(line);
    at = first + removed;
  }
  for (const line of lines.slice(at)) result.push(line);
  const usual = lines.findLast(({ ending }) => ending !== '')?.ending ?? '\n';
  return result
    .map(({ text, ending }, index) => {
      const isLast = index === result.length - 1;
      if (isLast) return open ? text : text + (ending === '' ? usual : ending);
      return text + (ending === '' ? usual : ending);
    })
    .join('');
}

/** Where the new lines stand in the new text; where lines only went, the line that is there now. Sorted. */
export function changedSpans({ text, edits }: Pick<AppliedHunks, 'text' | 'edits'>): LineSpan[] {
  const total = Math.max(1, splitLines(text).length);
  const spans: { first: number; last: number }[] = [];
  let shift = 0;
  for (const { first, removed, added } of edits) {
    const from = Math.min(total, first + shift + 1);
    const last = Math.max(from, first + shift + added.length);
    shift += added.length - removed;
    const before = spans.at(-1);
    if (before !== undefined && from <= before.last + 1) before.last = Math.max(before.last, last);
    else spans.push({ first: from, last });
  }
  return spans;
}

/** Where spans of a text stand after it was changed again. */
export function movedSpans(spans: readonly LineSpan[], edits: readonly LineEdit[]): LineSpan[] {
  const moved = (line: number): number =>
    edits
      .filter(({ first }) => first + 1 <= line)
      .reduce((sum, { first, removed, added }) => sum + Math.max(added.length - removed, first - line + 1), line);
  return spans.map(({ first, last }) => ({ first: moved(first), last: Math.max(moved(first), moved(last)) }));
}
