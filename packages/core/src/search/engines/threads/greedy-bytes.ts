/**
 * Which bytes of a text in UTF-8 a pattern may repeat without end: 1 for each that it may, and for all that are not ASCII.
 * Undefined when it repeats nothing so. From one place, the pattern looks no further than such bytes follow each other.
 *
 * @param greedy see `SafePattern`
 */
export function greedyBytes(greedy: readonly string[]): Uint8Array | undefined {
  if (greedy.length === 0) return undefined;
  const table = new Uint8Array(256).fill(1);
  // What a group may hold is not looked at.
  if (greedy.some((source) => source.startsWith('('))) return table;
  const one = new RegExp(`^(?:${greedy.join('|')})$`, 'is');
  for (let code = 0; code < 128; code++) table[code] = one.test(String.fromCharCode(code)) ? 1 : 0;
  return table;
}
