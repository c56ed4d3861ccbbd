import type { PathStep } from '../util/match-path.js';
import { parseGlob, segmentMatcher, type IgnoreCase, type Segment } from '../util/match-segment.js';
import { pathSteps } from './ignore-steps.js';

/** One line of an ignore file, compiled (gitignore(5)). */
export interface IgnorePattern {
  /** True for `!pattern`: a match takes the entry back in. */
  readonly negated: boolean;
  /** True for `pattern/`. */
  readonly onlyDirectories: boolean;
  readonly test: NameTest | PathTest;
}

/** Judges an entry of any depth by its name alone. */
export type NameTest =
  | { readonly kind: 'exact' | 'suffix'; readonly text: string }
  | { readonly kind: 'name'; readonly matches: (name: string) => boolean };

/** Judges an entry by the names on the way to it from the folder of the ignore file. */
export interface PathTest {
  readonly kind: 'path';
  /** The last one is never `**`. */
  readonly steps: readonly PathStep[];
}

/** The patterns of an ignore file, in the file's order. Lines that git would not understand match nothing. */
export function parseIgnoreText(text: string, ignoreCase: IgnoreCase = false): IgnorePattern[] {
  const patterns: IgnorePattern[] = [];
  for (const line of text.split('\n')) {
    const pattern = parseLine(line, ignoreCase);
    if (pattern !== undefined) patterns.push(pattern);
  }
  return patterns;
}

function parseLine(line: string, ignoreCase: IgnoreCase): IgnorePattern | undefined {
  // A NUL ends the line for git.
  let rest = trimTrailingSpaces(line.replace(/\r$/, '').replace(/\0.*$/s, ''));
  if (rest === '' || rest.startsWith('#')) return undefined;
  const negated = rest.startsWith('!');
  if (negated) rest = rest.slice(1);
  const onlyDirectories = rest.endsWith('/');
  if (onlyDirectories) rest = rest.slice(0, -1);
  // A slash at the beginning or in the middle ties the pattern to the folder of its file.
  const anchored = rest.includes('/');
  if (rest.startsWith('/')) rest = rest.slice(1);
  const segments = rest === '' ? undefined : parseGlob(rest, { ignoreCase, malformed: 'nothing' });
  if (segments === undefined) return undefined;
  const [first, second] = segments;
  // `**/name` is `name` at any depth.
  const name = !anchored ? first : segments.length === 2 && first?.isGlobstar === true ? second : undefined;
  const isName = name !== undefined && (!anchored || !name.isGlobstar);
  return { negated, onlyDirectories, test: isName ? nameTest(name) : { kind: 'path', steps: pathSteps(segments) } };
}

function nameTest(segment: Segment): NameTest {
  const [first, second] = segment.tokens;
  const count = segment.tokens.length;
  if (count === 1 && typeof first === 'string') return { kind: 'exact', text: first };
  // The only token that is neither text nor a test of one character is the star.
  if (count === 2 && typeof first === 'symbol' && typeof second === 'string') return { kind: 'suffix', text: second };
  return { kind: 'name', matches: segmentMatcher(segment) };
}

/** Spaces at the end do not count unless a backslash stands before them. */
function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0;
  while (text[index - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}
