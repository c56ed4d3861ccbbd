import type { JournalEntry } from './journal-entry.js';

/**
 * Ids of the entries that stand: those that no standing entry took back. An undo that was redone stands no longer,
 * so what it had taken back stands again. The order of the entries is of no matter.
 */
export function entriesInForce(entries: readonly JournalEntry[]): ReadonlySet<string> {
  const takenBackBy = new Map<string, string[]>();
  for (const { id, reverts } of entries) {
    for (const target of reverts) {
      const takers = takenBackBy.get(target);
      if (takers === undefined) takenBackBy.set(target, [id]);
      else takers.push(id);
    }
  }
  const known = new Map<string, boolean>();
  for (const { id: first } of entries) {
    // A stack of its own: what a damaged log refers to may be of any depth.
    const waiting = [first];
    for (let id = waiting.at(-1); id !== undefined; id = waiting.at(-1)) {
      const takers = takenBackBy.get(id) ?? [];
      const next = takers.find((taker) => !known.has(taker));
      // Until it is known: entries that take back one another must not go round for ever.
      if (!known.has(id)) known.set(id, true);
      if (next !== undefined) waiting.push(next);
      else {
        known.set(id, !takers.some((taker) => known.get(taker)));
        waiting.pop();
      }
    }
  }
  return new Set(entries.map(({ id }) => id).filter((id) => known.get(id)));
}
