import { piecesOf } from '../search/engines/plain-sets.js';
import type { SearchPattern } from '../search/engines/search-pattern.js';

/** What may take the carriage return of a line end before its line feed. */
const TAKES_RETURN = /(?:\\[rsRWD]|\r|(?<!\\)\.|(?<!\\)\[(?:\^|[^\]]*\\[rsWD])[^\]]*\])[?*+]*\)?[?*+]*$/;

/** Code units of the pattern. */
const LOOKED_BACK = 200;

/** True for a pattern with a line feed outside of a set that comes right behind the text of a line: CRLF ends have something between. */
export function wantsBareLineFeed({ pattern, fixedStrings, multiline }: SearchPattern): boolean {
  if (!multiline) return false;
  if (fixedStrings) return /(?<!\r)\n/.test(pattern);
  for (const { kind, start } of piecesOf(pattern)) {
    const isFeed = kind === 'other' && (pattern[start] === '\n' || pattern.startsWith('\\n', start));
    if (isFeed && !TAKES_RETURN.test(pattern.slice(Math.max(0, start - LOOKED_BACK), start))) return true;
  }
  return false;
}
