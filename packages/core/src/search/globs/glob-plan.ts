import { isAbsolute, posix, resolve, sep } from 'node:path';
import { isWithin } from '../../util/paths-below.js';
import { lazy } from '../../util/lazy.js';
import { GlobSet, type AnchoredGlob } from './glob-set.js';
import { isExclusion, splitStaticFolder } from './glob-match.js';

/** Where to look, and what for. */
export interface GlobPlan {
  readonly folders: readonly PlannedFolder[];
  readonly globs: readonly AnchoredGlob[];
}

export interface PlannedFolder {
  /** Absolute. */
  readonly path: string;
  /** It was read off a pattern: when it does not exist there are no matches, and no error. */
  readonly mayBeMissing: boolean;
  /** What the patterns say of all that is below it; made when it is first asked for. @throws Failure `invalid_pattern` */
  readonly globSet: () => GlobSet;
}

/**
 * A pattern that is absolute or climbs starts where its leading folders lead; every other one in each of the base
 * folders. `bases` are absolute, none in another. An exclusion never makes a folder to look into.
 */
export function planGlobs(patterns: readonly string[], bases: readonly string[]): GlobPlan {
  const globs: AnchoredGlob[] = [];
  const own: string[] = [];
  let usesBases = patterns.every((pattern) => isExclusion(pattern));
  for (const pattern of patterns) {
    const excludes = isExclusion(pattern);
    const bare = tidy(excludes ? pattern.slice(1) : pattern);
    if (isAbsolute(bare) || bare.startsWith('../')) {
      const { folder, rest } = bases.includes(bare) ? { folder: bare, rest: '' } : splitStaticFolder(bare);
      const anchor = resolve(bases[0] ?? '', folder);
      // `./` so that what begins with `!` now is no exclusion.
      globs.push({ anchor: withSlashes(anchor), pattern: `${excludes ? '!' : ''}./${rest}`, isRooted: true });
      if (!excludes) own.push(anchor);
    } else {
      const tidied = excludes ? `!${bare}` : isExclusion(bare) ? `./${bare}` : bare;
      for (const base of bases) globs.push({ anchor: withSlashes(base), pattern: tidied });
      usesBases ||= !excludes;
    }
  }
  const folderAt = (path: string, mayBeMissing: boolean): PlannedFolder => {
    return { path, mayBeMissing, globSet: lazy(() => new GlobSet(withSlashes(path), globs)) };
  };
  const folders = [
    ...(usesBases ? bases : []).map((path) => folderAt(path, false)),
    ...own.map((path) => folderAt(path, true)),
  ];
  return { folders: folders.filter((folder, index) => !isCovered(folder, index, folders)), globs };
}

/** Without what leads nowhere: `./`, doubled slashes, and `..` after a name without wildcards. */
function tidy(pattern: string): string {
  if (!/\/\/|(?:^|\/)\.{1,2}(?:\/|$)/.test(pattern)) return pattern;
  const { folder, rest } = splitStaticFolder(pattern.replace(/\/{2,}/g, '/').replace(/\/(?:\.\/)+/g, '/'));
  if (folder === '') return rest.replace(/^(?:\.\/)+/, '');
  const leading = posix.normalize(folder);
  return leading === '.' || leading === './' ? rest : posix.join(leading, '/') + rest;
}

/** Another folder holds it, or it was named before. */
function isCovered({ path }: PlannedFolder, index: number, all: readonly PlannedFolder[]): boolean {
  return all.some((other, at) => (other.path === path ? at < index : isWithin(path, other.path)));
}

/** A path of this system as globs see it. */
export function withSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}
