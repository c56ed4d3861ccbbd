import { sep } from 'node:path';
import { innermostRoot } from '../../files/ignore-rules.js';
import { folderOf } from '../paths.js';
import { expandBraces } from './expand-braces.js';
import { createGlobMatcher, isExclusion, type GlobMatcher } from './glob-match.js';

export interface FileFilter {
  /** File filters such as `*.ts` or `src/**`; those that begin with `!` exclude. */
  readonly globs: readonly string[];
  /** Judges by the kind of file, see `createTypeFilter`. */
  readonly isOfType?: GlobMatcher | undefined;
}

/**
 * Judges paths relative to `folder`: a file must fit one of the globs (if there are any that do not exclude), none of
 * those that exclude, and the type. A glob may be meant from the folder or from the workspace root, or be absolute:
 * each counts. Without `/` it filters by name, at any depth. Undefined when every file fits.
 * @throws Failure `invalid_pattern`
 */
export function createFileFilter(
  { globs, isOfType }: FileFilter,
  folder: string,
  roots: readonly string[],
): GlobMatcher | undefined {
  const wanted: GlobMatcher[] = [];
  const excluded: GlobMatcher[] = [];
  for (const glob of globs) {
    const excludes = isExclusion(glob);
    if (excludes) excluded.push(coversBelow(glob.slice(1), (bare) => placedMatcher(bare, folder, roots)));
    else wanted.push(placedMatcher(glob, folder, roots));
  }
  if (globs.length === 0 && isOfType === undefined) return undefined;
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) &&
    (isOfType === undefined || isOfType(path)) &&
    !excluded.some((matches) => matches(path));
}

/** An excluded folder is excluded with all that is in it, as in ignore files; with a slash at its end it is a folder for sure. */
function coversBelow(glob: string, matcherOf: (bare: string) => GlobMatcher): GlobMatcher {
  const isFolder = glob.endsWith('/');
  const matches = matcherOf(isFolder ? glob.slice(0, -1) : glob);
  const hasFolder = (path: string): boolean => path !== '' && (matches(path) || hasFolder(folderOf(path)));
  // Files of one folder are asked for one after another.
  let folder = '';
  let isExcluded = false;
  return (path) => {
    const own = folderOf(path);
    if (own !== folder) isExcluded = hasFolder((folder = own));
    return isExcluded || (!isFolder && matches(path));
  };
}

/** A glob that begins with a slash and is no path below the root is meant from the root on. */
function placedMatcher(glob: string, folder: string, roots: readonly string[]): GlobMatcher {
  const root = innermostRoot(folder, roots) ?? folder;
  const way = folder.slice(root.length).split(sep).filter(Boolean).join('/');
  const start = root.endsWith('/') ? root : `${root}/`;
  const alternatives = glob.includes('{') ? expandBraces(glob) : [glob];
  // Together, so that a path that is spelled like the glob matches.
  const texts = alternatives.some((each) => each.startsWith('/')) ? alternatives : [glob];
  const matchers = texts.map((each) => {
    if (!each.startsWith('/')) return { isRooted: false, matches: createGlobMatcher(each, { anyDepth: true }) };
    const rest = each.startsWith(start) ? each.slice(start.length) : each.replace(/^\/+/, '');
    // `./` so that what begins with `!` now is no exclusion.
    return { isRooted: true, matches: createGlobMatcher(`./${rest}`) };
  });
  return (path) =>
    matchers.some(
      ({ isRooted, matches }) =>
        ((way === '' || !isRooted) && matches(path)) || (way !== '' && matches(`${way}/${path}`)),
    );
}
