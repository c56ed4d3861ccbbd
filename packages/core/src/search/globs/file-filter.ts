import { sep } from 'node:path';
import { innermostRoot } from '../../files/ignore-rules.js';
import { folderOf } from '../paths.js';
import { expandBraces } from './expand-braces.js';
import { createGlobMatcher, isExclusion, splitStaticFolder, type GlobMatcher } from './glob-match.js';

export interface FileFilter {
  /** File filters such as `*.ts` or `src/**`; those that begin with `!` exclude. */
  readonly globs: readonly string[];
  /** Judges by the kind of file, see `createTypeFilter`. */
  readonly isOfType?: GlobMatcher | undefined;
  /** Where a folder with which an absolute glob begins really is; where it is written by default. */
  readonly realOf?: (path: string) => string;
}

/** From where globs are meant. */
interface Place {
  readonly folder: string;
  readonly root: string;
  readonly realOf: (path: string) => string;
}

/**
 * Judges paths relative to `folder`: a file must fit one of the globs (if there are any that do not exclude), none of
 * those that exclude, and the type. A glob may be meant from the folder or from the workspace root, or be absolute:
 * each counts, and an absolute one also as what it leads to through links. Without `/` it filters by name, at any depth. Undefined when every file fits.
 * @throws Failure `invalid_pattern`
 */
export function createFileFilter(
  { globs, isOfType, realOf = (path) => path }: FileFilter,
  folder: string,
  roots: readonly string[],
): GlobMatcher | undefined {
  const place: Place = { folder, root: innermostRoot(folder, roots) ?? folder, realOf };
  const wanted: GlobMatcher[] = [];
  const excluded: GlobMatcher[] = [];
  for (const glob of globs) {
    const excludes = isExclusion(glob);
    if (excludes) excluded.push(coversBelow(glob.slice(1), (bare) => placedMatcher(bare, place)));
    else wanted.push(placedMatcher(glob, place));
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
function placedMatcher(glob: string, { folder, root, realOf }: Place): GlobMatcher {
  const way = folder.slice(root.length).split(sep).filter(Boolean).join('/');
  const start = root.endsWith('/') ? root : `${root}/`;
  const alternatives = glob.includes('{') ? expandBraces(glob) : [glob];
  // Together, so that a path that is spelled like the glob matches.
  const texts = alternatives.some((each) => each.startsWith('/')) ? alternatives : [glob];
  const matchers = texts.flatMap((each) => {
    if (!each.startsWith('/')) return [{ isRooted: false, matches: createGlobMatcher(each, { anyDepth: true }) }];
    const written = each.startsWith(start) ? each.slice(start.length) : each.replace(/^\/+/, '');
    const real = realGlob(each, realOf);
    const readings = new Set([written, real.startsWith(start) ? real.slice(start.length) : written]);
    // `./` so that what begins with `!` now is no exclusion.
    return Array.from(readings, (rest) => ({ isRooted: true, matches: createGlobMatcher(`./${rest}`) }));
  });
  return (path) =>
    matchers.some(
      ({ isRooted, matches }) =>
        ((way === '' || !isRooted) && matches(path)) || (way !== '' && matches(`${way}/${path}`)),
    );
}

/** An absolute glob from where its leading folders really are. */
function realGlob(glob: string, realOf: Place['realOf']): string {
  const { folder, rest } = splitStaticFolder(glob);
  const real = realOf(folder);
  return real === folder ? glob : `${real.replaceAll(/[*?[\]{}()!+@\\]/g, '\\$&')}/${rest}`;
}
