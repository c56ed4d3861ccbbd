import { pathMatcher, type PathStep } from '../util/match-path.js';
import { parseGlob, segmentMatcher, type Segment } from '../util/match-segment.js';

/** One line of an ignore file, compiled (gitignore(5)). Paths are relative to the file's folder and use `/`. */
export interface IgnorePattern {
  /** True for `!pattern`: a match takes the entry back in. */
  readonly negated: boolean;
  /** `relativePath` and its last `name`; whether a folder is meant decides on `pattern/`. */
  matches(relativePath: string, name: string, isDirectory: boolean): boolean;
}

/** The patterns of an ignore file, in the file's order. Lines that git would not understand match nothing. */
export function parseIgnoreText(text: string, ignoreCase = false): IgnorePattern[] {
  const patterns: IgnorePattern[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const pattern = parseLine(line, ignoreCase);
    if (pattern !== undefined) patterns.push(pattern);
  }
  return patterns;
}

function parseLine(line: string, ignoreCase: boolean): IgnorePattern | undefined {
  let rest = trimTrailingSpaces(line.replace(/\r$/, ''));
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
  const matches = anchored ? wholePathMatcher(segments) : nameMatcher(segments);
  return {
    negated,
    matches: (relativePath, name, isDirectory) =>
      (isDirectory || !onlyDirectories) && matches(anchored ? relativePath : name),
  };
}

function nameMatcher([segment]: readonly Segment[]): (name: string) => boolean {
  return segment === undefined ? () => false : segmentMatcher(segment);
}

function wholePathMatcher(segments: readonly Segment[]): (path: string) => boolean {
  const steps = segments.map((segment): PathStep => (segment.isGlobstar ? '**' : segmentMatcher(segment)));
  // `a/**` is what lies in `a`, not `a` itself.
  if (steps.at(-1) === '**') steps.push(() => true);
  const matches = pathMatcher(steps);
  return (path) => matches(path.split('/'));
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
