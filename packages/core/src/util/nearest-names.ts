import { distance } from 'fastest-levenshtein';

/** Comparing takes time by the product of the lengths, and nobody means a name by a longer text. */
const MAX_LENGTH = 200;
/** Longer lists are judged by their first entries. */
const MAX_COMPARED = 5000;

export interface NearestOptions {
  /** Default 3. */
  readonly most?: number;
  /** True: a name that holds the other is near as well, such as `config.ts` for `config`. */
  readonly parts?: boolean;
}

/**
 * The known names that a mistyped one was most likely meant to be, the most alike first. Alike: at most one slip
 * for every three letters; case does not count.
 */
export function nearestNames(typed: string, known: readonly string[], options: NearestOptions = {}): string[] {
  if (typed.length > MAX_LENGTH) return [];
  const wanted = typed.toLowerCase();
  return known
    .slice(0, MAX_COMPARED)
    .filter((name) => name.length <= MAX_LENGTH)
    .map((name) => ({ name, slips: slipsBetween(wanted, name.toLowerCase(), options.parts === true) }))
    .filter(({ name, slips }) => slips <= Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3)))
    .sort((a, b) => a.slips - b.slips || (a.name < b.name ? -1 : 1))
    .slice(0, options.most ?? 3)
    .map(({ name }) => name);
}

export function nearestName(typed: string, known: readonly string[]): string | undefined {
  return nearestNames(typed, known, { most: 1 })[0];
}

function slipsBetween(left: string, right: string, parts: boolean): number {
  const isHeld = parts && Math.min(left.length, right.length) >= 3 && (left.includes(right) || right.includes(left));
  if (isHeld) return Math.min(1, Math.abs(left.length - right.length));
  const slips = distance(left, right);
  // Two letters swapped are one slip, as a typist sees it; Levenshtein counts two.
  return slips === 2 && sortedLetters(left) === sortedLetters(right) ? 1 : slips;
}

function sortedLetters(text: string): string {
  return Array.from(text).toSorted().join('');
}
