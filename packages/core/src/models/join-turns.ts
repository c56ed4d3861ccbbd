/**
 * Turns of one role in a row made one, and empty ones left out: providers want the roles to take turns, all results
 * of one answer together, and nothing empty. `join` adds the second turn's content to the first's.
 */
export function joinTurns<T extends { readonly role: string }>(
  turns: readonly T[],
  isEmpty: (turn: T) => boolean,
  join: (first: T, second: T) => T,
): readonly T[] {
  const result: T[] = [];
  for (const turn of turns) {
    if (isEmpty(turn)) continue;
    const last = result.at(-1);
    if (last?.role === turn.role) result[result.length - 1] = join(last, turn);
    else result.push(turn);
  }
  return result;
}
