/**
 * How many items at the start of a list meet a test that none meets after the first that does not: where a sorted list
 * parts in two. `test` is asked by index, about as often as the length has binary digits.
 */
export function partitionPoint(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
