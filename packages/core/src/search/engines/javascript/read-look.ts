import { notation } from './backtracking/notation.js';
import { lookAround } from './extent.js';
import { isPcre2, leaveToMatcher, LeftToPcre2, PatternProblem, type PatternReader } from './pattern-reader.js';

/** In PCRE2: characters that a branch behind which is looked may match, unless all its matches are as long. */
const MAX_BEHIND = 255;

/** The rest of a group, with the bracket that closes it. `sharesNumbers`: the groups of each branch are counted from the same number on. */
export type ReadRest = (reader: PatternReader, open: number, sharesNumbers?: boolean) => string;

/** `kind`: `?=`, `?!`, `?<=`, `?<!`, and `?*` and `?<*` for those that give back. */
export function readAround(reader: PatternReader, kind: string, open: number, readRest: ReadRest): string {
  if (!isPcre2(reader))
    throw new LeftToPcre2('look-around, including look-ahead and look-behind, is not supported', open);
  const { isBehind, isAround, isUnlimited, givesBack, certain } = reader;
  const direction = kind.startsWith('?<') ? 'behind' : 'ahead';
  const inner = { isBehind: direction === 'behind', isAround: true, givesBack: givesBack || kind.endsWith('*') };
  Object.assign(reader, { ...inner, isUnlimited: false, hasPlaces: false });
  const source = readRest(reader, open);
  // Of what follows the place PCRE2 then sees nothing.
  if (reader.isBehind && reader.varies && reader.hasPlaces) leaveToMatcher(reader);
  const { least: shortest, most: longest } = reader.extent;
  const isChecked = reader.isBehind && !reader.dialect.isDraft && !reader.isLeftOut;
  if (isChecked && (longest === Infinity || reader.isUnlimited))
    throw new PatternProblem('length of lookbehind assertion is not limited', open);
  if (isChecked && longest > MAX_BEHIND && longest > shortest)
    throw new PatternProblem('branch too long in variable-length lookbehind assertion', open);
  Object.assign(reader, { isBehind, isAround, isUnlimited, givesBack, hasPlaces: true });
  reader.extent = lookAround(reader.extent, direction, !kind.endsWith('!'));
  if (kind.endsWith('!')) reader.certain = certain;
  return kind.endsWith('*') ? notation.givingBack(kind.replace(/^\?|\*$/g, ''), source) : `(${kind}${source})`;
}
