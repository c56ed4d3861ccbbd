import { parseGlob, segmentMatcher } from '../../util/match-segment.js';
import type { ShellWord } from './shell-word.js';

/** The names in a folder, without `.` and `..`; none where it is no folder; undefined when they cannot be told, or are too many. */
export type ListNames = (folder: string) => readonly string[] | undefined;

/** More paths than these are not stated one by one. */
const MOST_PATHS = 500;

/**
 * The paths that a wildcard stands for, as bash finds them: `pattern` is absolute, with a backslash before each character
 * that stands for itself. A name that begins with a dot is met only by a pattern that does. Rather one too many.
 * Undefined when they cannot be told.
 */
export function matchNames(pattern: string, list: ListNames): readonly string[] | undefined {
  const steps = pattern.split('/').slice(1);
  let places: string[] = [''];
  let isListed = false;
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    if (!hasWildcard(step)) {
      const name = unescaped(step);
      const isThere = (place: string): boolean =>
        name === '' || name === '.' || name === '..' || !isListed || list(place || '/')?.includes(name) !== false;
      places = places.filter(isThere).map((place) => (name === '' && !isLast ? place : `${place}/${name}`));
      continue;
    }
    const matches = matcherOf(step);
    if (matches === undefined) return undefined;
    const found: string[] = [];
    for (const place of places) {
      const names = list(place || '/');
      if (names === undefined) return undefined;
      for (const name of ['.', '..', ...names]) if (matches(name)) found.push(`${place}/${name}`);
      if (found.length > MOST_PATHS) return undefined;
    }
    places = found;
    isListed = true;
  }
  return places;
}

/** Nothing that any program takes for an option, a part of an expression or an assignment. */
const PLAIN_NAME = /^[\p{L}\p{N}_.][^=]*$/u;

/** The word, and whether names that are there now can make an option of it. `folders`: where the shell puts them in its place. */
export function withNames(
  word: ShellWord,
  folders: readonly string[] | undefined,
  list: ListNames | undefined,
): ShellWord {
  const { text, pattern, wildcardAt } = word;
  if (wildcardAt !== 0 || text === undefined || pattern === undefined || word.splits) return word;
  if (folders === undefined || list === undefined) return word;
  const isPlain = folders.every((folder) => {
    const below = `${folder === '/' ? '' : asPattern(folder)}/`;
    const found = matchNames(below + pattern, list);
    return found?.every((path) => PLAIN_NAME.test(path.slice(folder === '/' ? 1 : folder.length + 1))) === true;
  });
  return isPlain ? { ...word, isNoOption: true } : word;
}

/** More names than these, counted as often as they are asked for, are not compared with wildcards. */
const MOST_NAMES = 30_000;

/** The same for one text: each folder is read once, and what takes too long cannot be told. */
export function countedList(list: ListNames): ListNames {
  const known = new Map<string, readonly string[] | undefined>();
  let left = MOST_NAMES;
  return (folder) => {
    const names = known.has(folder) ? known.get(folder) : list(folder);
    known.set(folder, names);
    // A folder that holds nothing takes its time as well.
    left -= 10 + (names?.length ?? 0);
    return left >= 0 ? names : undefined;
  };
}

/** The text with a backslash before each character that a pattern would read as something else. */
export function asPattern(text: string): string {
  return text.replaceAll(/[*?[\]\\!^-]/g, '\\$&');
}

function hasWildcard(step: string): boolean {
  return /[*?[]/.test(step.replaceAll(/\\./gs, ''));
}

function unescaped(step: string): string {
  return step.replaceAll(/\\(.)/gs, '$1');
}

function matcherOf(step: string): ((name: string) => boolean) | undefined {
  const [segment, ...more] = parseGlob(step.replaceAll(/\*+/g, '*'), { malformed: 'literal' }) ?? [];
  if (segment === undefined || more.length > 0) return undefined;
  const matches = segmentMatcher(segment);
  const takesDot = /^\\?\./.test(step);
  // How many characters there are, and what lies between two of them, depends on the locale.
  const [loose] = parseGlob(step.replaceAll(SINGLE, keptOrStar), { malformed: 'literal' }) ?? [];
  const mayMatch = loose === undefined ? matches : segmentMatcher(loose);
  return (name) =>
    (takesDot || !name.startsWith('.')) && (matches(name) || (/[^\0-\x7f]/.test(name) && mayMatch(name)));
}

/** What stands for one character; characters behind a backslash are met first, so that they stay. */
const SINGLE = /\\.|\[[!^]?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\?/gs;

function keptOrStar(text: string): string {
  return text.startsWith('\\') ? text : '*';
}
