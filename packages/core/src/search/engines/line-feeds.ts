import { piecesOf } from './plain-sets.js';

/** How a line feed is written in one of ripgrep's engines, or in both. */
const SPELLINGS = [
  String.raw`n`,
  String.raw`x(?:0[aA]|[aA](?![0-9A-Fa-f]))`,
  String.raw`u000[aA]`,
  String.raw`U0000000[aA]`,
  String.raw`[xuU]\{\s*0*[aA]\s*\}`,
  String.raw`o\{\s*0*12\s*\}`,
  String.raw`012`,
  String.raw`c[jJ]`,
  String.raw`N\{U\+0*[aA]\}`,
];
const FEED = new RegExp(String.raw`\\(?:${SPELLINGS.join('|')})`, 'y');
/** Also in octal digits, which in a set are no reference to a group. */
const MEMBER = String.raw`\\(?:${SPELLINGS.join('|')}|12(?![0-7]))`;
const FEEDS_ALONE = new RegExp(String.raw`^\[+(?:${MEMBER}(?:-${MEMBER})?)+\]+$`);
const OCTAL = /\\12(?!\d)/y;

/** What in a regular expression matches a line feed and nothing else, as it is written there; undefined without any. */
export function writtenLineFeed(pattern: string): string | undefined {
  let groups = 0;
  let octal: string | undefined;
  for (const { kind, start, end } of piecesOf(pattern)) {
    if (kind === 'set') {
      const set = pattern.slice(start, end);
      if (FEEDS_ALONE.test(set)) return set;
    } else if (pattern[start] === '(') groups++;
    else if (pattern[start] === '\\' && kind === 'other') {
      const feed = matchAt(FEED, pattern, start);
      if (feed !== undefined) return feed;
      octal ??= matchAt(OCTAL, pattern, start);
    }
  }
  // With so many groups it may be a reference to one.
  return groups < 12 ? octal : undefined;
}

function matchAt(expression: RegExp, pattern: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(pattern)?.[0];
}
