import { partitionPoint } from '../util/partition-point.js';

/** Beyond this many comparisons the lines that stand once in both texts come first, and the others between them. */
const MAX_CELLS = 250_000;

/**
 * For each new line the index of the old line that it is, or undefined when it is new: a longest common
 * subsequence, so that an edit can leave the lines alone which it only repeats as context. In texts that are too
 * long for that, a common subsequence that is nearly as long.
 */
export function alignLines(oldLines: readonly string[], newLines: readonly string[]): (number | undefined)[] {
  const aligned: (number | undefined)[] = newLines.map(() => undefined);
  const whole: Block = { oldFrom: 0, oldTo: oldLines.length, newFrom: 0, newTo: newLines.length };
  const rest = alignEnds(oldLines, newLines, whole, aligned);
  if (cellsOf(rest) <= MAX_CELLS) {
    alignBlock(oldLines, newLines, rest, aligned);
    return aligned;
  }
  let { oldFrom, newFrom } = rest;
  for (const [row, column] of [...uniqueCommon(oldLines, newLines, rest), [rest.oldTo, rest.newTo] as const]) {
    const block = alignEnds(oldLines, newLines, { oldFrom, oldTo: row, newFrom, newTo: column }, aligned);
    if (cellsOf(block) <= MAX_CELLS) alignBlock(oldLines, newLines, block, aligned);
    if (column < rest.newTo) aligned[column] = row;
    [oldFrom, newFrom] = [row + 1, column + 1];
  }
  return aligned;
}

/** Some old lines and some new ones. */
interface Block {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

function cellsOf({ oldFrom, oldTo, newFrom, newTo }: Block): number {
  return (oldTo - oldFrom) * (newTo - newFrom);
}

/** Aligns what is the same at both ends; returns what lies between. */
function alignEnds(
  oldLines: readonly string[],
  newLines: readonly string[],
  block: Block,
  aligned: (number | undefined)[],
): Block {
  let { oldFrom, oldTo, newFrom, newTo } = block;
  while (oldFrom < oldTo && newFrom < newTo && oldLines[oldFrom] === newLines[newFrom]) {
    aligned[newFrom] = oldFrom;
    [oldFrom, newFrom] = [oldFrom + 1, newFrom + 1];
  }
  while (oldFrom < oldTo && newFrom < newTo && oldLines[oldTo - 1] === newLines[newTo - 1]) {
    [oldTo, newTo] = [oldTo - 1, newTo - 1];
    aligned[newTo] = oldTo;
  }
  return { oldFrom, oldTo, newFrom, newTo };
}

function alignBlock(
  oldLines: readonly string[],
  newLines: readonly string[],
  { oldFrom, oldTo, newFrom, newTo }: Block,
  aligned: (number | undefined)[],
): void {
  const pairs = longestCommon(oldLines.slice(oldFrom, oldTo), newLines.slice(newFrom, newTo));
  for (const [row, column] of pairs) aligned[newFrom + column] = oldFrom + row;
}

/** Lines that stand once in both texts, as many as do so in the same order. */
function uniqueCommon(
  oldLines: readonly string[],
  newLines: readonly string[],
  { oldFrom, oldTo, newFrom, newTo }: Block,
): (readonly [row: number, column: number])[] {
  const rows = uniqueIn(oldLines, oldFrom, oldTo);
  const pairs: { readonly row: number; readonly column: number; readonly before: number }[] = [];
  /** Index, in pairs, of the lowest last one of the increasing sequences of each length. */
  const tails: number[] = [];
  for (const [line, column] of uniqueIn(newLines, newFrom, newTo)) {
    const row = rows.get(line) ?? -1;
    if (row < 0 || column < 0) continue;
    const length = partitionPoint(tails.length, (at) => (pairs[tails[at] ?? -1]?.row ?? 0) < row);
    pairs.push({ row, column, before: tails[length - 1] ?? -1 });
    tails[length] = pairs.length - 1;
  }
  const chain: (readonly [number, number])[] = [];
  for (let at = pairs[tails.at(-1) ?? -1]; at !== undefined; at = pairs[at.before]) chain.push([at.row, at.column]);
  return chain.toReversed();
}

/** Line → its index, or -1 where it stands more than once. */
function uniqueIn(lines: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let index = from; index < to; index += 1) {
    const line = lines[index] ?? '';
    places.set(line, places.has(line) ? -1 : index);
  }
  return places;
}

function longestCommon(rows: readonly string[], columns: readonly string[]): [row: number, column: number][] {
  const width = columns.length + 1;
  // lengths[r * width + c]: the longest common subsequence of rows from r and columns from c.
  const lengths = new Uint32Array((rows.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    for (let column = columns.length - 1; column >= 0; column -= 1) {
      const same = rows[row] === columns[column];
      lengths[row * width + column] = same
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let row = 0;
  let column = 0;
  while (row < rows.length && column < columns.length) {
    if (rows[row] === columns[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
