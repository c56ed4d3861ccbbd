import { partitionPoint } from '../../util/partition-point.js';

/** The largest offset of a page: all lines before a page are read again for it. */
export const MAX_OFFSET = 100_000;

/** Matches that a file shows before the next file has its turn. */
const TURN = 10;

/** Matches `first` to `first + matches - 1` (from 0) of the file at `index`. */
export interface PagePart {
  readonly index: number;
  readonly first: number;
  readonly matches: number;
}

/**
 * The matches `offset` to `offset + limit - 1` of many files, in the order in which they are shown: every file shows
 * its first ten in turn, then every file its next ten, so that one with thousands leaves room for the rest. Pages
 * that follow one another are disjoint and leave nothing out; the parts of one page are in the order of the files.
 * @param counts the matches of each file
 */
export function pageOf(counts: Float64Array, offset: number, limit: number): PagePart[] {
  const before = sharesUpTo(counts, offset);
  const after = sharesUpTo(counts, offset + limit);
  const parts: PagePart[] = [];
  for (const index of counts.keys()) {
    const first = before(index);
    const matches = after(index) - first;
    if (matches > 0) parts.push({ index, first, matches });
  }
  return parts;
}

/** How many of its matches each file has shown when `shown` were shown in all. */
function sharesUpTo(counts: Float64Array, shown: number): (index: number) => number {
  const upToTurn = (turns: number): number => counts.reduce((sum, matches) => sum + Math.min(matches, turns * TURN), 0);
  const allTurns = Math.floor(counts.reduce((most, matches) => Math.max(most, matches), 0) / TURN) + 1;
  const turns = partitionPoint(allTurns + 1, (turn) => upToTurn(turn) <= shown) - 1;
  // In the turn that is not finished, the first files had theirs.
  const shares = new Map<number, number>();
  let left = shown - upToTurn(turns);
  for (const [index, matches] of counts.entries()) {
    if (left <= 0) break;
    const share = Math.min(left, Math.max(0, Math.min(matches, (turns + 1) * TURN) - turns * TURN));
    if (share > 0) shares.set(index, share);
    left -= share;
  }
  return (index) => Math.min(counts[index] ?? 0, turns * TURN) + (shares.get(index) ?? 0);
}
