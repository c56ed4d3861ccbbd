/** Beyond this many comparisons only the lines at both ends are aligned. */
const MAX_CELLS = 250_000;

/**
 * For each new line the index of the old line that it is, or undefined when it is new: a longest common
 * subsequence, so that an edit can leave the lines alone which it only repeats as context.
 */
export function alignLines(oldLines: readonly string[], newLines: readonly string[]): (number | undefined)[] {
  const aligned: (number | undefined)[] = newLines.map(() => undefined);
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) {
    aligned[head] = head;
    head += 1;
  }
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) {
    tail += 1;
    aligned[newLines.length - tail] = oldLines.length - tail;
  }
  const rows = oldLines.slice(head, oldLines.length - tail);
  const columns = newLines.slice(head, newLines.length - tail);
  if (rows.length * columns.length > MAX_CELLS) return aligned;
  for (const [row, column] of longestCommon(rows, columns)) aligned[head + column] = head + row;
  return aligned;
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
