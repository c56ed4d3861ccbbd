import type { Pause } from './pause.js';

/** Names sorted, or compared, between two looks at the clock. */
const PIECE = 4096;

/** Sorts by code units, in place, with pauses: a million names would hold up everything for a second. */
export async function sortInPieces(names: string[], pause: Pause): Promise<void> {
  let runs: string[][] = [];
  for (let at = 0; at < names.length; at += PIECE) {
    runs.push(names.slice(at, at + PIECE).sort());
    if (pause.isDue()) await pause.take();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [first = [], second = []] = runs.slice(at, at + 2);
      merged.push(second.length === 0 ? first : await merge(first, second, pause));
    }
    runs = merged;
  }
  const [sorted = []] = runs;
  for (const [index, name] of sorted.entries()) {
    names[index] = name;
    if (index % PIECE === 0 && pause.isDue()) await pause.take();
  }
}

async function merge(first: readonly string[], second: readonly string[], pause: Pause): Promise<string[]> {
  const merged: string[] = [];
  let a = 0;
  let b = 0;
  for (;;) {
    const one = first[a];
    const other = second[b];
    if (one === undefined && other === undefined) return merged;
    if (other === undefined || (one !== undefined && one <= other)) {
      merged.push(one ?? '');
      a += 1;
    } else {
      merged.push(other);
      b += 1;
    }
    if (merged.length % PIECE === 0 && pause.isDue()) await pause.take();
  }
}
