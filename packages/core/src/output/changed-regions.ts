import { numberLines } from './numbered-lines.js';

/** 1-based, both inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

const MAX_LISTED = 10;

/** `line 2`, `lines 3-5, 9`: the first of the ranges. */
export function listRanges(ranges: readonly LineRange[]): string {
  const listed = ranges
    .slice(0, MAX_LISTED)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  const isOne = ranges.length === 1 && ranges[0]?.first === ranges[0]?.last;
  return `${isOne ? 'line' : 'lines'} ${listed.join(', ')}${ranges.length > MAX_LISTED ? ', …' : ''}`;
}

export interface RegionRequest {
  readonly text: string;
  /** In order. */
  readonly ranges: readonly LineRange[];
}

const CONTEXT_LINES = 2;
const MAX_LINES = 40;
const MAX_LINE_LENGTH = 300;

/** The lines around changes with their numbers, a few of them: enough to see that the right place was met. */
export function showRegions({ text, ranges }: RegionRequest): string {
  const lines = text.split('\n');
  // What follows the last line end is no line.
  if (lines.at(-1) === '') lines.pop();
  const blocks: string[] = [];
  let shown = 0;
  let next = 0;
  for (const { first, last } of ranges) {
    if (shown >= MAX_LINES) break;
    const from = Math.max(next, first - 1 - CONTEXT_LINES);
    const to = Math.min(lines.length, last + CONTEXT_LINES, from + MAX_LINES - shown);
    if (from >= to) continue;
    // Neighbours make one block.
    const separator = blocks.length === 0 ? '' : from === next ? '\n' : '\n…\n';
    blocks.push(separator + numberLines(lines.slice(from, to).map(clip), from + 1));
    shown += to - from;
    next = to;
  }
  const last = ranges.at(-1);
  const complete = last === undefined || last.last <= next || next >= lines.length;
  return blocks.join('') + (complete ? '' : '\n…');
}

function clip(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (text.length <= MAX_LINE_LENGTH) return text;
  // A high surrogate at the border goes with its other half.
  return `${text.slice(0, MAX_LINE_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
