import { lazy } from './lazy.js';

/** Printable ASCII in the order of the Unicode collation. A capital letter has the rank of its small letter. */
const ASCII_ORDER = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
const RANKS = ranksOf(ASCII_ORDER);

/** Lazy, because it takes milliseconds to create, and few folders need it. */
const collator = lazy(() => new Intl.Collator('en'));

/**
 * Compares names as people sort them: `a.bmp` before `README.md`, `ä` by `a`. The order is total and the same on every machine: the Unicode
 * collation, then code units. ASCII skips the collator, which is several times slower.
 */
export function compareNames(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let byCase = 0;
  for (let at = 0; at < shorter; at += 1) {
    const left = one.charCodeAt(at);
    const right = other.charCodeAt(at);
    if (left === right && left < 128) continue;
    const order = rankOf(one, at) - rankOf(other, at);
    if (Number.isNaN(order)) return byCollation(one, other);
    if (order !== 0) return order;
    if (byCase === 0) byCase = right - left;
  }
  if (one.length === other.length) return byCase;
  const longer = one.length > other.length ? one : other;
  if (Number.isNaN(rankOf(longer, shorter))) return byCollation(one, other);
  return one.length - other.length;
}

/**
 * Returns a character's rank; NaN if the collator must judge it. It must if the character is not printable ASCII, or may combine with the
 * next one.
 */
function rankOf(name: string, at: number): number {
  const isAlone = at + 1 >= name.length || name.charCodeAt(at + 1) < 128;
  return (isAlone ? RANKS[name.charCodeAt(at)] : undefined) ?? NaN;
}

function byCollation(one: string, other: string): number {
  return collator().compare(one, other) || (one < other ? -1 : one > other ? 1 : 0);
}

function ranksOf(order: string): readonly (number | undefined)[] {
  const ranks = Array.from({ length: 128 }, (): number | undefined => undefined);
  for (const [rank, character] of Array.from(order).entries()) {
    for (const each of [character, character.toUpperCase()]) ranks[each.charCodeAt(0)] = rank;
  }
  return ranks;
}
