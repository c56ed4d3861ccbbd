import { patternTrigrams } from '../content/pattern-trigrams.js';
import type { TrigramQuery } from '../content/trigram-query.js';
import type { SearchPattern } from './search-pattern.js';

/** More rules out hardly anything. */
export const MAX_PIECE = 32;
const MAX_PIECES = 4;
const MAX_BRANCHES = 8;

/**
 * What every text holds in which the pattern is found, likely to be rarest first: printable ASCII and tabs, letters as small
 * ones. Case is to be ignored, also that of the Kelvin sign and the long s.
 */
export function neededPieces(wanted: SearchPattern): readonly string[] {
  return rarestOf(patternTrigrams(wanted)?.all ?? []);
}

/** Of these, as they are described above, every text holds at least one in which the pattern is found. Undefined when nothing is certain. */
export function neededChoice(wanted: SearchPattern): readonly string[] | undefined {
  const query = patternTrigrams(wanted);
  return query && choiceOf(query);
}

/** The whole pattern, where it is nothing but printable ASCII within one line. */
export function wholeText({ pattern, fixedStrings, multiline }: SearchPattern): string | undefined {
  const isText = fixedStrings ? /^[ -~]+$/u.test(pattern) : /^[\w -]+$/u.test(pattern);
  return isText && !multiline ? pattern : undefined;
}

function choiceOf({ all, any }: TrigramQuery): readonly string[] | undefined {
  const [piece] = rarestOf(all);
  if (piece !== undefined) return [piece];
  for (const branches of any) {
    const pieces = branches.flatMap((branch) => rarestOf(branch.all).slice(0, 1));
    if (pieces.length === branches.length && pieces.length <= MAX_BRANCHES) return pieces;
  }
  return undefined;
}

function rarestOf(pieces: readonly string[]): readonly string[] {
  return pieces
    .map((piece) => piece.slice(0, MAX_PIECE))
    .filter((piece) => piece !== '')
    .toSorted((one, other) => rarity(other) - rarity(one))
    .slice(0, MAX_PIECES);
}

/** Words are common; with what stands between words, they are less so. */
function rarity(piece: string): number {
  return piece.length + (/^\w+$/u.test(piece) ? 0 : 4);
}
