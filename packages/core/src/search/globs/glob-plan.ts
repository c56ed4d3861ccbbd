import { isAbsolute, posix, resolve, sep } from 'node:path';
import { isWithin, withSeparator } from '../../util/paths-below.js';
import { lazy } from '../../util/lazy.js';
import { expandBraces } from './expand-braces.js';
import { GlobSet, type AnchoredGlob } from './glob-set.js';
import { isExclusion, splitStaticFolder, withoutDetours } from './glob-match.js';

/** Where to look, and what for. */
export interface GlobPlan {
  readonly folders: readonly PlannedFolder[];
  readonly globs: readonly AnchoredGlob[];
}

export interface PlannedFolder {
  /** Absolute. */
  readonly path: string;
  /** Where it really is. */
  readonly real: string;
  /** It was read off a pattern: when it does not exist there are no matches, and no error. */
  readonly mayBeMissing: boolean;
  /** What the patterns say of all that is below it; made when it is first asked for. @throws Failure `invalid_pattern` */
  readonly globSet: () => GlobSet;
}

/** What is known of folders. */
export interface FolderFacts {
  /** Where a path really leads, as far as it leads anywhere. */
  readonly realOf: (path: string) => string;
  /** Of what lies in the folder a walk from a folder above shows nothing. */
  readonly isHidden: (realPath: string, from: string) => boolean;
}

/**
 * A pattern that is absolute or climbs starts where its leading folders lead; every other one in each of the base
 * folders. `bases` are absolute. An exclusion never makes a folder to look into; one without a slash holds in all of them.
 * @throws Failure `invalid_pattern`
 */
export function planGlobs(
  patterns: readonly string[],
  bases: readonly string[],
  { realOf, isHidden }: FolderFacts,
): GlobPlan {
  const globs: AnchoredGlob[] = [];
  const namesOut: string[] = [];
  const folderAt = (path: string, mayBeMissing: boolean): PlannedFolder => {
    const real = realOf(path);
    return { path, real, mayBeMissing, globSet: lazy(() => new GlobSet(withSlashes(real), globs)) };
  };
  const add = ({ real }: PlannedFolder, glob: Omit<AnchoredGlob, 'anchor'>): void => {
    globs.push({ ...glob, anchor: withSlashes(real) });
  };
  const baseFolders = bases.map((path) => folderAt(path, false));
  const own: PlannedFolder[] = [];
  let usesBases = patterns.every((pattern) => isExclusion(pattern));
  for (const pattern of patterns) {
    const excludes = isExclusion(pattern);
    for (const bare of placedApart(excludes ? pattern.slice(1) : pattern)) {
      if (isPlaced(bare)) {
        const { folder, rest } = bases.includes(bare) ? { folder: bare, rest: '' } : splitStaticFolder(bare);
        const anchor = folderAt(resolve(bases[0] ?? '', folder), true);
        // `./` so that what begins with `!` now is no exclusion.
        add(anchor, { pattern: `${excludes ? '!' : ''}./${rest}`, isRooted: true });
        if (!excludes) own.push(anchor);
      } else {
        const tidied = excludes ? `!${bare}` : isExclusion(bare) ? `./${bare}` : bare;
        for (const base of baseFolders) add(base, { pattern: tidied });
        if (excludes && !bare.slice(0, -1).includes('/')) namesOut.push(tidied);
        usesBases ||= !excludes;
      }
    }
  }
  for (const folder of own) for (const pattern of namesOut) add(folder, { pattern });
  const folders = [...(usesBases ? baseFolders : []), ...own];
  return { folders: folders.filter((folder, index) => !isCovered(folder, index, folders, isHidden)), globs };
}

/** It says by itself from where on it is meant. */
function isPlaced(bare: string): boolean {
  return isAbsolute(bare) || bare.startsWith('../');
}

/** A pattern as it is; its alternatives each by itself where they are meant from different places. */
function placedApart(pattern: string): readonly string[] {
  const whole = tidy(pattern);
  if (!pattern.includes('{')) return [whole];
  const each = expandBraces(pattern).map(tidy);
  const isApart = each.some((one) => isPlaced(one) && (!isPlaced(whole) || pattern.includes('..')));
  return isApart ? each : [whole];
}

/** Without what leads nowhere: `./`, doubled slashes, and `..` after a name without wildcards. */
function tidy(pattern: string): string {
  const direct = withoutDetours(pattern);
  const { folder, rest } = splitStaticFolder(direct);
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(folder)) return direct;
  const leading = posix.normalize(folder);
  return leading === '.' || leading === './' ? rest : posix.join(leading, '/') + rest;
}

/** Another folder holds it, so that a walk there comes by, or it was named before. */
function isCovered(
  { real }: PlannedFolder,
  index: number,
  all: readonly PlannedFolder[],
  isHidden: FolderFacts['isHidden'],
): boolean {
  return all.some((other, at) => {
    if (other.real === real) return at < index;
    return isWithin(real, other.real) && !isHidden(real, other.real);
  });
}

/** A pattern that begins with the path of a listed folder, as one for what lies in it: with a `/` at its start. Others as they are. */
export function placedIn(folder: string, pattern: string): string {
  const start = withSlashes(withSeparator(folder));
  return pattern.startsWith(start) ? pattern.slice(start.length - 1) : pattern;
}

/** A path of this system as globs see it. */
export function withSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}
