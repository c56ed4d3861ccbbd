import { foldName, parseGlob, segmentMatcher } from '../../util/match-segment.js';
import type { PathStep } from '../../util/match-path.js';
import { groupMatcher, hasGroup } from './glob-group.js';

/** True for a pattern, or a part of one, in which no character may mean anything but itself. */
export function isPlain(part: string): boolean {
  return !/[*?[\]{}()!+@\\]/.test(part);
}

/**
 * The steps of a pattern without alternatives, one for each name: most patterns' parts are a star, a text, or a star
 * with a text before or after it, which need no matcher.
 */
export function stepsOf(glob: string, ignoreCase: boolean): PathStep[] {
  const steps = readSteps(glob, ignoreCase);
  // What ends with `**` matches what is in a folder, not a file in the folder's place.
  return steps.at(-1) === '**' ? [...steps, anyName] : steps;
}

/** The step of a star alone. */
export function anyName(): boolean {
  return true;
}

function readSteps(glob: string, ignoreCase: boolean): PathStep[] {
  if (hasGroup(glob)) {
    return glob
      .split('/')
      .map((name) => (isGlobstar(name) ? '**' : (plainTest(name, ignoreCase) ?? groupMatcher(name, ignoreCase))));
  }
  const segments = parseGlob(glob, { ignoreCase, malformed: 'literal' }) ?? [];
  // A slash in a set or after a backslash makes other parts than the eye sees.
  const names = glob.split('/');
  const isAsSeen = names.length === segments.length;
  return segments.map((segment, index) => {
    if (segment.isGlobstar) return '**';
    return (isAsSeen ? plainTest(names[index] ?? '', ignoreCase) : undefined) ?? segmentMatcher(segment);
  });
}

/** Two stars or more and nothing else stand for any number of names. */
function isGlobstar(name: string): boolean {
  return /^\*\*+$/.test(name);
}

function plainTest(part: string, ignoreCase: boolean): ((name: string) => boolean) | undefined {
  const star = part.indexOf('*');
  const before = star === -1 ? part : part.slice(0, star);
  const after = star === -1 ? '' : part.slice(star + 1);
  if (!isPlain(before + after)) return undefined;
  const [start, end] = ignoreCase ? [foldName(before), foldName(after)] : [before, after];
  // Half a pair of surrogates would match within a character.
  if (isHalf(start) || isHalf(end)) return undefined;
  const test = textTest({ start, end, hasStar: star !== -1 });
  return ignoreCase && part !== '*' ? (name) => test(foldName(name)) : test;
}

function isHalf(text: string): boolean {
  return /[\ud800-\udfff]/u.test(text);
}

function textTest({
  start,
  end,
  hasStar,
}: {
  start: string;
  end: string;
  hasStar: boolean;
}): (name: string) => boolean {
  if (!hasStar) return (name) => name === start;
  if (start === '' && end === '') return anyName;
  if (start === '') return (name) => name.endsWith(end);
  if (end === '') return (name) => name.startsWith(start);
  const least = start.length + end.length;
  return (name) => name.length >= least && name.startsWith(start) && name.endsWith(end);
}
