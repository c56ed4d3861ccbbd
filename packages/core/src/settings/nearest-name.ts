import { distance } from 'fastest-levenshtein';

/**
 * The known name that a mistyped one was most likely meant to be, or undefined when none is close.
 * Close: at most one slip for every three letters, or the same letters in another case or order.
 */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  let best: { readonly name: string; readonly slips: number } | undefined;
  for (const name of known) {
    const slips = slipsBetween(wanted, name.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
    if (slips <= allowed && (best === undefined || slips < best.slips)) best = { name, slips };
  }
  return best?.name;
}

/** Two letters swapped are one slip, as a typist sees it; Levenshtein counts two. */
function slipsBetween(left: string, right: string): number {
  const slips = distance(left, right);
  return slips === 2 && sortedLetters(left) === sortedLetters(right) ? 1 : slips;
}

function sortedLetters(text: string): string {
  return Array.from(text).toSorted().join('');
}
