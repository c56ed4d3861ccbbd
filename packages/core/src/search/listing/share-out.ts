/** Of a folder that holds more, fewer entries than this are not worth their lines. */
const FEWEST = 4;

/**
 * Shares a budget out among folders that hold so many entries: small ones get all that they hold, large ones the same
 * each, so that a huge one does not use up everything. In the order of `sizes`; a greater budget gives none of them less.
 */
export function shareOut(sizes: readonly number[], budget: number): number[] {
  const shares = sizes.map(() => 0);
  const bySize = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  let left = budget;
  for (const [position, { size, index }] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (bySize.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/**
 * How many entries each folder shows, and what that takes of the budget. Where there are not a few for each, as many folders as
 * can have them show a few, and the others none.
 */
export function showOut(sizes: readonly number[], budget: number): { shown: number[]; spent: number } {
  const few = sizes.map((size) => Math.min(size, FEWEST));
  const isEnough = sizes.length === 1 || sum(few) <= budget;
  const shown = isEnough ? shareOut(sizes, budget) : fewOfSome(sizes, few, budget);
  return { shown, spent: sum(shown) };
}

/** The smallest first, then in order. What is left goes to the first that has more. */
function fewOfSome(sizes: readonly number[], few: readonly number[], budget: number): number[] {
  const shown = sizes.map(() => 0);
  let left = budget;
  const bySize = [...few.entries()].sort(([, a], [, b]) => a - b);
  for (const [index, share] of bySize) {
    if (share > left) break;
    shown[index] = share;
    left -= share;
  }
  for (const [index, share] of shown.entries()) {
    const more = share === 0 ? 0 : Math.min(left, (sizes[index] ?? 0) - share);
    shown[index] = share + more;
    left -= more;
  }
  return shown;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
