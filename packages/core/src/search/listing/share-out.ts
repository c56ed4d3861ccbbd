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

/** How many entries each folder shows, and what that takes of the budget: a share that is too small is lost. */
export function showOut(sizes: readonly number[], budget: number): { shown: number[]; spent: number } {
  const shares = shareOut(sizes, budget);
  const isTooSmall = (share: number, index: number): boolean => share < FEWEST && share < (sizes[index] ?? 0);
  return {
    shown: shares.map((share, index) => (sizes.length > 1 && isTooSmall(share, index) ? 0 : share)),
    spent: shares.reduce((sum, share) => sum + share, 0),
  };
}
