import { sep } from 'node:path';
import { innermostRoot } from '../../files/ignore-rules.js';
import { isBelow } from '../../util/paths-below.js';
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
  /** Globs are meant from the workspace roots in the folder as well. */
  readonly fromRootsBelow?: boolean;
}

/** A path of the searched folder as it is seen from another one; undefined where it does not lie in that. */
type View = (path: string) => string | undefined;

/** From where globs are meant. */
interface Place {
  /** The workspace root that holds the folder. */
  readonly root: string;
  /** From it first, then from those below. */
  readonly fromRoots: readonly View[];
  /** From the folder itself too. */
  readonly fromAll: readonly View[];
  readonly realOf: (path: string) => string;
}

/**
 * Judges paths relative to `folder`: a file must fit one of the globs (if there are any that do not exclude), none of
 * those that exclude, and the type. A glob may be meant from the folder or from the workspace root, or be absolute:
 * each counts, and an absolute one also as what it leads to through links. Without `/` it filters by name, at any depth. Undefined when every file fits.
 * @throws Failure `invalid_pattern`
 */
export function createFileFilter(
  { globs, isOfType, realOf = (path) => path, fromRootsBelow = false }: FileFilter,
  folder: string,
  roots: readonly string[],
): GlobMatcher | undefined {
  const place = placeOf(folder, roots, { realOf, fromRootsBelow });
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

function placeOf(
  folder: string,
  roots: readonly string[],
  { realOf, fromRootsBelow }: Required<Pick<FileFilter, 'realOf' | 'fromRootsBelow'>>,
): Place {
  const root = innermostRoot(folder, roots) ?? folder;
  const asItIs: View = (path) => path;
  const way = wayTo(folder, root);
  const fromRoot: View = way === '' ? asItIs : (path) => `${way}/${path}`;
  const below = fromRootsBelow ? roots.filter((each) => isBelow(each, folder)) : [];
  const fromBelow = below.map((each): View => {
    const start = `${wayTo(each, folder)}/`;
    return (path) => (path.startsWith(start) ? path.slice(start.length) : undefined);
  });
  const fromAll = [...(way === '' ? [] : [asItIs]), fromRoot, ...fromBelow];
  return { root, fromRoots: [fromRoot, ...fromBelow], fromAll, realOf };
}

/** The names between a folder and one that holds it. */
function wayTo(folder: string, above: string): string {
  return folder.slice(above.length).split(sep).filter(Boolean).join('/');
}

/** A glob that begins with a slash and is no path below the root is meant from the roots on. */
function placedMatcher(glob: string, { root, fromRoots, fromAll, realOf }: Place): GlobMatcher {
  const start = root.endsWith('/') ? root : `${root}/`;
  const alternatives = glob.includes('{') ? expandBraces(glob) : [glob];
  // Together, so that a path that is spelled like the glob matches.
  const texts = alternatives.some((each) => each.startsWith('/')) ? alternatives : [glob];
  const matchers = texts.flatMap((each) => {
    if (!each.startsWith('/')) return [{ views: fromAll, matches: createGlobMatcher(each, { anyDepth: true }) }];
    // `./` so that what begins with `!` now is no exclusion.
    const rooted = (rest: string, views: readonly View[]) => ({ views, matches: createGlobMatcher(`./${rest}`) });
    const absolute = [each, realGlob(each, realOf)].filter((path) => path.startsWith(start));
    const placed = Array.from(new Set(absolute), (path) => rooted(path.slice(start.length), fromRoots.slice(0, 1)));
    return each.startsWith(start) ? placed : [rooted(each.replace(/^\/+/, ''), fromRoots), ...placed];
  });
  return (path) => matchers.some(({ views, matches }) => views.some((view) => fits(matches, view(path))));
}

function fits(matches: GlobMatcher, path: string | undefined): boolean {
  return path !== undefined && matches(path);
}

/** An absolute glob from where its leading folders really are. */
function realGlob(glob: string, realOf: Place['realOf']): string {
  const { folder, rest } = splitStaticFolder(glob);
  const real = realOf(folder);
  return real === folder ? glob : `${real.replaceAll(/[*?[\]{}()!+@\\]/g, '\\$&')}/${rest}`;
}
