import { setAt } from '../search/engines/plain-sets.js';
import type { SearchPattern } from '../search/engines/search-pattern.js';

/** What takes no line break: characters that stand for themselves, groups, plain sets, and escapes that are known not to. */
const IN_ONE_LINE =
  /^(?:[^\\.[\](\p{Cc}]|\((?!\?)|\(\?:|\\[bBdwSt]|\\[^\p{Cc}\p{L}\p{N}]|\[(?!\^)[^\\[\]\p{Cc}]+\])*$/u;

/** Certain that no match of it spans lines; false does not mean that one does. */
export function staysInLine({ pattern, fixedStrings }: SearchPattern): boolean {
  return fixedStrings ? !/[\r\n]/.test(pattern) : IN_ONE_LINE.test(pattern);
}

/** What may take the carriage return of a line end before its line feed. */
const TAKES_RETURN = /(?:\\[rsRWD]|\r|(?<!\\)\.|(?<!\\)\[(?:\^|[^\]]*\\[rsWD])[^\]]*\])[?*+]*\)?[?*+]*$/;

/** True for a pattern with a line feed outside of a set that comes right behind the text of a line: CRLF ends have something between. */
export function wantsBareLineFeed({ pattern, fixedStrings, multiline }: SearchPattern): boolean {
  if (!multiline) return false;
  if (fixedStrings) return /(?<!\r)\n/.test(pattern);
  for (let at = 0; at < pattern.length;) {
    const isFeed = pattern[at] === '\n' || pattern.startsWith('\\n', at);
    if (isFeed && !TAKES_RETURN.test(pattern.slice(0, at))) return true;
    at = setAt(pattern, at)?.end ?? at + (pattern[at] === '\\' ? 2 : 1);
  }
  return false;
}
