import { sep } from 'node:path';
import { innermostRoot } from '../../files/ignore-rules.js';
import { createTypeFilter } from './file-types.js';
import { createGlobMatcher, isExclusion, type GlobMatcher } from './glob-match.js';

export interface FileFilter {
  /** File filters such as `*.ts` or `src/**`; those that begin with `!` exclude. */
  readonly globs: readonly string[];
  /** A kind of files, see `FILE_TYPES`. */
  readonly type?: string | undefined;
}

/**
 * Judges paths relative to `folder`: a file must fit one of the globs (if there are any that do not exclude), none of
 * those that exclude, and the type. A glob may be meant from the folder or from the workspace root, or be absolute:
 * each counts. Without `/` it filters by name, at any depth. Undefined when every file fits.
 * @throws Failure `invalid_pattern`, or `invalid_tool_params` for an unknown type
 */
export function createFileFilter(
  { globs, type }: FileFilter,
  folder: string,
  roots: readonly string[],
): GlobMatcher | undefined {
  const wanted: GlobMatcher[] = [];
  const excluded: GlobMatcher[] = [];
  for (const glob of globs) {
    const excludes = isExclusion(glob);
    (excludes ? excluded : wanted).push(placedMatcher(excludes ? glob.slice(1) : glob, folder, roots));
  }
  const isOfType = type === undefined ? undefined : createTypeFilter(type);
  if (globs.length === 0 && isOfType === undefined) return undefined;
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) &&
    (isOfType === undefined || isOfType(path)) &&
    !excluded.some((matches) => matches(path));
}

function placedMatcher(glob: string, folder: string, roots: readonly string[]): GlobMatcher {
  const root = innermostRoot(folder, roots) ?? folder;
  const way = folder.slice(root.length).split(sep).filter(Boolean).join('/');
  const start = root.endsWith('/') ? root : `${root}/`;
  const fromRoot = glob.startsWith(start) ? glob.slice(start.length) : glob;
  const matches = createGlobMatcher(fromRoot, { anyDepth: true });
  if (way === '') return matches;
  return (path) => matches(path) || matches(`${way}/${path}`);
}
