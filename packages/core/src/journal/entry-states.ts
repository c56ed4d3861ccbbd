import type { JournalEntry } from './journal-entry.js';

/**
 * Ids of the entries that stand: those that no standing entry took back. An undo that was redone stands no longer,
 * so what it had taken back stands again. The order of the entries is of no matter.
 */
export function entriesInForce(entries: readonly JournalEntry[]): ReadonlySet<string> {
  const takenBackBy = new Map<string, string[]>();
  for (const { id, reverts } of entries) {
    for (const target of reverts) takenBackBy.set(target, [...(takenBackBy.get(target) ?? []), id]);
  }
  const known = new Map<string, boolean>();
  const stands = (id: string): boolean => {
    const found = known.get(id);
    if (found !== undefined) return found;
    // Until it is known: entries of a damaged log that take back one another must not go round for ever.
    known.set(id, true);
    const result = !(takenBackBy.get(id) ?? []).some(stands);
    known.set(id, result);
    return result;
  };
  return new Set(entries.map(({ id }) => id).filter(stands));
}
