/**
 * The level up to which each of several sizes can be met from one budget: what small ones leave over goes to
 * the large ones. Infinity when everything fits.
 */
export function fairShare(sizes: readonly number[], budget: number): number {
  let left = budget;
  let waiting = sizes.length;
  for (const size of [...sizes].sort((a, b) => a - b)) {
    const level = left / waiting;
    if (size > level) return Math.floor(level);
    left -= size;
    waiting -= 1;
  }
  return Infinity;
}
