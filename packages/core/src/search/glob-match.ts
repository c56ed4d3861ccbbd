import { pathMatcher, type PathStep } from '../util/match-path.js';
import { parseGlob, segmentMatcher } from '../util/match-segment.js';
import { Failure } from '../util/failure.js';
import { expandBraces } from './expand-braces.js';
import { groupMatcher, hasGroup } from './glob-group.js';

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
 * that grows with the length of the path and never explodes. `!pattern` matches everything but; without a `/` it
 * excludes at any depth. A path that is spelled exactly like the pattern always matches, so that
 * `app/[id]/page.tsx` finds the file of that name.
 * @throws Failure `invalid_pattern` for a pattern that is too long or has too many alternatives or groups
 */
export function createGlobMatcher(pattern: string, options: GlobOptions = {}): GlobMatcher {
  if (pattern.startsWith('!') && !pattern.startsWith('!(')) {
    const excluded = createGlobMatcher(pattern.slice(1), { ...options, anyDepth: true });
    return (path) => !excluded(path);
  }
  if (pattern.length > MAX_LENGTH) {
    throw new Failure(
      'invalid_pattern',
      `A pattern may have ${MAX_LENGTH} characters, this one has ${pattern.length}.`,
    );
  }
  const glob = pattern.replace(/^(?:\.\/)+/, '');
  const ignoreCase = options.ignoreCase === true;
  const byLastName = options.anyDepth === true && !glob.includes('/');
  const alternatives = expandBraces(glob).map((alternative) => pathMatcher(stepsOf(alternative, ignoreCase)));
  return (path) => {
    if (path === glob) return true;
    const names = byLastName ? [path.slice(path.lastIndexOf('/') + 1)] : path.split('/');
    return alternatives.some((matches) => matches(names));
  };
}

function stepsOf(glob: string, ignoreCase: boolean): PathStep[] {
  if (!hasGroup(glob)) {
    const segments = parseGlob(glob, { ignoreCase, malformed: 'literal' }) ?? [];
    return segments.map((segment) => (segment.isGlobstar ? '**' : segmentMatcher(segment)));
  }
  return glob.split('/').map((name): PathStep => {
    if (/^\*\*+$/.test(name)) return '**';
    return groupMatcher(name, ignoreCase);
  });
}

/** The leading folders of a pattern that hold no wildcard, and the rest: `src/a/**` gives `src/a` and `**`. */
export function splitStaticFolder(pattern: string): { readonly folder: string; readonly rest: string } {
  if (pattern.startsWith('!')) return { folder: '', rest: pattern };
  const names = pattern.split('/');
  let count = 0;
  while (count < names.length - 1 && !/[*?[\]{}()!+@\\]/.test(names[count] ?? '')) count++;
  const folder = names.slice(0, count).join('/');
  return { folder: count > 0 && folder === '' ? '/' : folder, rest: names.slice(count).join('/') };
}
