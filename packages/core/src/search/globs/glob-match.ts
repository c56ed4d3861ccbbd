import { pathMatcher, type PathStep } from '../../util/match-path.js';
import { Failure } from '../../util/failure.js';
import { expandBraces } from './expand-braces.js';
import { anyName, isPlain, stepsOf } from './name-test.js';

/** Judges a path relative to the searched folder, with `/`. */
export type GlobMatcher = (relativePath: string) => boolean;

/** Longer ones are no file patterns. */
const MAX_LENGTH = 4096;

export interface GlobOptions {
  /** A pattern without `/` matches the last name at any depth, as a file filter is meant. False by default. */
  readonly anyDepth?: boolean;
  readonly ignoreCase?: boolean;
}

/**
 * Matches `*`, `**`, `?`, `[abc]`, `{js,ts}` (S99) and the groups of `groupMatcher`, dotfiles included, in time
 * that grows with the length of the path and never explodes. `!pattern` matches everything but that and what lies below it; without
 * a `/` it excludes at any depth. A path that is spelled exactly like the pattern always matches, so that
 * `app/[id]/page.tsx` finds the file of that name.
 * @throws Failure `invalid_pattern` for a pattern that is too long or has too many alternatives or groups
 */
export function createGlobMatcher(pattern: string, options: GlobOptions = {}): GlobMatcher {
  const { excludes, glob, byLastName, alternatives } = readGlob(pattern, options);
  if (byLastName && !excludes) {
    const tests = alternatives.map(lastNameTest);
    return (path) => {
      if (path === glob) return true;
      const name = path.slice(path.lastIndexOf('/') + 1);
      return tests.some((test) => test(name));
    };
  }
  const anywhere = alternatives.map((steps) => (byLastName ? ['**' as const, ...steps] : steps));
  const matchers = anywhere.map(pathMatcher);
  const fewest = Math.min(...anywhere.map((steps) => steps.filter((step) => step !== '**').length));
  return (path) => {
    if (path === glob) return !excludes;
    if (!hasNames(path, fewest)) return excludes;
    const names = path.split('/');
    return matchers.some((matches) => matches(names)) !== excludes;
  };
}

function lastNameTest(steps: readonly PathStep[]): (name: string) => boolean {
  const [only] = steps;
  if (steps.length === 1 && typeof only === 'function') return only;
  const matches = pathMatcher(steps);
  return (name) => matches([name]);
}

/** Has a path that many names at least? Most paths are ruled out by it for patterns of folders. */
function hasNames(path: string, count: number): boolean {
  let at = -1;
  for (let left = count; left > 1; left--) {
    at = path.indexOf('/', at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** A pattern taken apart. */
export interface ReadGlob {
  /** It began with `!` (or three of them). */
  readonly excludes: boolean;
  /** Without `!` and `./` before it: a path that is spelled so matches in any case. */
  readonly glob: string;
  /** Only the last name is judged. */
  readonly byLastName: boolean;
  readonly alternatives: readonly (readonly PathStep[])[];
}

/** @throws Failure as `createGlobMatcher` */
export function readGlob(pattern: string, options: GlobOptions = {}): ReadGlob {
  let excludes = false;
  let from = 0;
  while (isExclusion(pattern, from)) {
    excludes = !excludes;
    from += 1;
  }
  const text = pattern.slice(from);
  if (text.length > MAX_LENGTH) {
    throw new Failure('invalid_pattern', `A pattern may have ${MAX_LENGTH} characters, this one has ${text.length}.`);
  }
  const glob = text.replace(/^(?:\.\/+)+/, '');
  const alternatives = expandBraces(glob).flatMap((alternative) =>
    excludes ? withAllBelow(alternative, options) : [stepsIn(alternative, options)],
  );
  // As in ignore files, a slash at the end of what is excluded says that it is a folder, not where it is.
  const placed = excludes ? glob.replace(/\/$/, '') : glob;
  const byLastName = (from > 0 || options.anyDepth === true) && !placed.includes('/');
  return { excludes, glob, byLastName, alternatives };
}

/** What leads nowhere (`./`, doubled slashes) may come of braces: `src/{,sub}/*.ts`. */
function stepsIn(alternative: string, { ignoreCase = false }: GlobOptions): PathStep[] {
  return stepsOf(withoutDetours(alternative), ignoreCase);
}

/** An excluded folder is excluded with all that is in it, as in ignore files; with a slash at its end it is a folder for sure. */
function withAllBelow(alternative: string, options: GlobOptions): PathStep[][] {
  const isFolder = alternative.endsWith('/');
  const steps = stepsIn(isFolder ? alternative.slice(0, -1) : alternative, options);
  const takesAll = steps.at(-1) === anyName && steps.at(-2) === '**';
  if (takesAll) return [steps];
  const below: PathStep[] = [...steps, '**', anyName];
  return isFolder ? [below] : [steps, below];
}

/** Without `./` and doubled slashes. */
export function withoutDetours(pattern: string): string {
  if (!pattern.includes('//') && !/(?:^|\/)\.\//.test(pattern)) return pattern;
  const single = pattern.replace(/\/{2,}/g, '/').replace(/\/(?:\.\/)+/g, '/');
  return single.replace(/^(?:\.\/)+/, '');
}

/** `!(a|b)` is a group. */
export function isExclusion(pattern: string, at = 0): boolean {
  return pattern[at] === '!' && pattern[at + 1] !== '(';
}

/** The leading folders of a pattern that hold no wildcard, and the rest: `src/a/**` gives `src/a` and `**`. */
export function splitStaticFolder(pattern: string): { readonly folder: string; readonly rest: string } {
  const names = pattern.split('/');
  let count = 0;
  while (count < names.length - 1 && isPlain(names[count] ?? '')) count++;
  const folder = names.slice(0, count).join('/');
  return { folder: count > 0 && folder === '' ? '/' : folder, rest: names.slice(count).join('/') };
}
