import { piecesOf } from './plain-sets.js';
import type { SearchPattern } from './search-pattern.js';

/** A character that ends lines, and how a regular expression names it. */
interface NamedEnd {
  /** By an escape, at the sticky place. */
  readonly escape: RegExp;
  /** In octal digits, which mean a group where there are so many. */
  readonly octal: RegExp;
  readonly groups: number;
  /** By an escape in a set, where no group is meant. */
  readonly member: string;
}

const FEED = namedEnd({ letter: 'n', hex: '[aA]', octal: '12', control: '[jJ]' });
const RETURN = namedEnd({ letter: 'r', hex: '[dD]', octal: '15', control: '[mM]' });
const FEEDS_ALONE = new RegExp(String.raw`^\[+(?:${FEED.member}(?:-${FEED.member})?)+\]+$`);
const RETURN_IN_SET = new RegExp(String.raw`(?<!\\)(?:\\\\)*${RETURN.member}`);
/** In a set: what is in it may be what is not matched. */
const TAKES_AWAY = /\[\^|--|&&|~~/;

/** The spellings of one of ripgrep's engines, or of both. */
function namedEnd({
  letter,
  hex,
  octal,
  control,
}: Readonly<Record<'letter' | 'hex' | 'octal' | 'control', string>>): NamedEnd {
  const spellings = [
    letter,
    String.raw`x(?:0${hex}|${hex}(?![0-9A-Fa-f]))`,
    String.raw`u000${hex}`,
    String.raw`U0000000${hex}`,
    String.raw`[xuU]\{\s*0*${hex}\s*\}`,
    String.raw`o\{\s*0*${octal}\s*\}`,
    `0${octal}`,
    `c${control}`,
    String.raw`N\{U\+0*${hex}\}`,
  ];
  return {
    escape: new RegExp(String.raw`\\(?:${spellings.join('|')})`, 'y'),
    octal: new RegExp(String.raw`\\${octal}(?!\d)`, 'y'),
    groups: Number(octal),
    member: String.raw`\\(?:${spellings.join('|')}|${octal}(?![0-7]))`,
  };
}

/** What in a regular expression matches a line feed and nothing else, as it is written there; undefined without any. */
export function writtenLineFeed(pattern: string): string | undefined {
  return writtenEnd(pattern, FEED, (set) => FEEDS_ALONE.test(set));
}

/**
 * Whether the pattern says itself where carriage returns stand (`\r$`): of every line it then sees the one that ends it, as with plain
 * `rg`. Otherwise none is part of a line's text. What a set leaves out (`[^\r\n]`) is not looked for.
 */
export function namesReturn({ pattern, fixedStrings, multiline }: SearchPattern): boolean {
  if (fixedStrings || multiline || !pattern.includes('\\')) return false;
  return writtenEnd(pattern, RETURN, (set) => RETURN_IN_SET.test(set) && !TAKES_AWAY.test(set)) !== undefined;
}

function writtenEnd(pattern: string, named: NamedEnd, isNamedIn: (set: string) => boolean): string | undefined {
  let groups = 0;
  let octal: string | undefined;
  for (const { kind, start, end } of piecesOf(pattern)) {
    if (kind === 'set') {
      const set = pattern.slice(start, end);
      if (isNamedIn(set)) return set;
    } else if (pattern[start] === '(') groups++;
    else if (pattern[start] === '\\' && kind === 'other') {
      const escape = matchAt(named.escape, pattern, start);
      if (escape !== undefined) return escape;
      octal ??= matchAt(named.octal, pattern, start);
    }
  }
  return groups < named.groups ? octal : undefined;
}

function matchAt(expression: RegExp, pattern: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(pattern)?.[0];
}
