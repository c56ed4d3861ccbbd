import { neededPieces, wholeText } from '../needed-pieces.js';
import { escapeLiteral } from '../pattern-problem.js';
import type { SearchPattern } from '../search-pattern.js';

/** How letters may be spelled for which there is another way than ASCII's. */
type Spelling = Readonly<Record<string, string>>;

/** Where case is ignored, the Kelvin sign and the long s are ASCII letters too. */
const IN_UTF8: Spelling = { k: String.raw`(?:k|\xe2\x84\xaa)`, s: String.raw`(?:s|\xc5\xbf)` };
/** The same in any encoding: each high byte may be, or begin, one of these. */
const IN_ANY: Spelling = { k: String.raw`(?:k|[\x80-\xff][^]{0,3})`, s: String.raw`(?:s|[\x80-\xff][^]{0,3})` };

/**
 * What to look for in the bytes of UTF-8 texts, read as Latin-1, instead of decoding them, which takes longer than all
 * else. Case is ignored unless `isCased` is set.
 */
export interface ByteSearch {
  /** Those that are likely to be rarest first. Each is in every text in which the pattern is found, and at most one where `isAll`. */
  readonly sources: readonly string[];
  readonly isCased: boolean;
  /** The first is the whole pattern: its matches are those. */
  readonly isAll: boolean;
}

/**
 * An expression that matches within the bytes, read as Latin-1, of every text in which the pattern is found, whichever
 * encoding it is in that has ASCII's characters in ASCII's places. Undefined when nothing is certain.
 */
export function legacyBytes(wanted: SearchPattern): RegExp | undefined {
  const [piece] = neededPieces(wanted);
  return piece === undefined ? undefined : new RegExp(spelled(piece, IN_ANY), 'i');
}

/** Undefined when nothing is certain. */
export function byteSearch(wanted: SearchPattern): ByteSearch | undefined {
  const { caseSensitive } = wanted;
  const text = wholeText(wanted);
  if (text !== undefined)
    return {
      sources: [caseSensitive ? escapeLiteral(text) : spelled(text, IN_UTF8)],
      isCased: caseSensitive,
      isAll: true,
    };
  const sources = neededPieces(wanted).map((piece) => spelled(piece, IN_UTF8));
  return sources.length === 0 ? undefined : { sources, isCased: false, isAll: false };
}

function spelled(text: string, spelling: Spelling): string {
  return Array.from(text, (character) => spelling[character.toLowerCase()] ?? escapeLiteral(character)).join('');
}
