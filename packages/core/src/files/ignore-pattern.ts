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
  for (const line of text.split('\n')) patterns.push(...parseLine(line, ignoreCase));
  return patterns;
}

/** A line that names whatever lies in the folder of its file. */
const EVERYTHING = /^\/?(?:\*\*\/)?\*+$/;
/** A line that takes back in what only keeps a folder in a repository. */
const KEEPER = /^!\/?\.(?:gitignore|gitkeep|keep)$/;

/** True for the text of an ignore file that hides all that lies in its folder, which is then as good as ignored itself. */
export function hidesEverything(text: string): boolean {
  const lines = text.split('\n').map(patternIn);
  const at = lines.findLastIndex((line) => EVERYTHING.test(line));
  return at !== -1 && lines.slice(at).every((line) => !line.startsWith('!') || KEEPER.test(line));
}

/** What counts of a line: a NUL ends it for git. */
function patternIn(line: string): string {
  return trimTrailingSpaces(line.replace(/\r$/, '').replace(/\0.*$/s, ''));
}

/** One pattern, or several that say the same of different entries. */
function parseLine(line: string, ignoreCase: IgnoreCase): IgnorePattern[] {
  let rest = patternIn(line);
  if (rest === '' || rest.startsWith('#')) return [];
  const negated = rest.startsWith('!');
  if (negated) rest = rest.slice(1);
  const onlyDirectories = rest.endsWith('/');
  if (onlyDirectories) rest = rest.slice(0, -1);
  // A slash at the beginning or in the middle ties the pattern to the folder of its file.
  const anchored = rest.includes('/');
  if (rest.startsWith('/')) rest = rest.slice(1);
  return spelledOut(rest, anchored).flatMap((glob) => {
    const test = testOf(glob, anchored, ignoreCase);
    return test === undefined ? [] : [{ negated, onlyDirectories, test }];
  });
}

/** What stands before the first special character, and does not end with a slash; two stars behind it. */
const STARS_BEHIND_TEXT = /^((?:[^*?[\\]*[^*?[\\/])?)\*\*+(?:\/(?:\*\*+\/)*(.+))?$/s;

/**
 * Git compares the text before the first special character by itself, so that two stars right behind it stand at a beginning: they
 * span folders, though they are a part of a name.
 */
function spelledOut(glob: string, anchored: boolean): readonly string[] {
  const [, text = '', rest] = (anchored && STARS_BEHIND_TEXT.exec(glob)) || [];
  if (text === '') return [glob];
  return rest === undefined ? [`${text}*`, `${text}*/**`] : [`${text}${rest}`, `${text}*/**/${rest}`];
}

/** Characters. No path is nearly as long, and to take more apart takes seconds. */
const LONGEST_GLOB = 64 * 1024;

/** Undefined for what matches nothing. */
function testOf(glob: string, anchored: boolean, ignoreCase: IgnoreCase): IgnorePattern['test'] | undefined {
  const isPossible = glob !== '' && glob.length <= LONGEST_GLOB;
  const segments = !isPossible ? undefined : parseGlob(glob, { ignoreCase, malformed: 'nothing' });
  if (segments === undefined) return undefined;
  const [first, second] = segments;
  // `**/name` is `name` at any depth.
  const name = !anchored ? first : segments.length === 2 && first?.isGlobstar === true ? second : undefined;
  const isName = name !== undefined && (!anchored || !name.isGlobstar);
  return isName ? nameTest(name) : { kind: 'path', steps: pathSteps(segments) };
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
