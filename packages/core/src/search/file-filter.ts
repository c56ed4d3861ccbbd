import { createGlobMatcher, type GlobMatcher } from './glob-match.js';
import { innermostRoot } from '../files/ignore-rules.js';

/**
 * Judges paths relative to `folder` by a file filter such as `*.ts` or `src/**`. It may be meant from the
 * folder or from the workspace root: either counts. Without `/` it filters by name, at any depth.
 */
export function createFileFilter(glob: string | undefined, folder: string, roots: readonly string[]): GlobMatcher {
  if (glob === undefined) return () => true;
  const root = innermostRoot(folder, roots) ?? folder;
  const prefix = root === folder ? '' : `${folder.slice(root.length).replace(/^\//, '')}/`;
  const fromRoot = glob.startsWith(`${root}/`) ? glob.slice(`${root}/`.length) : glob;
  const matches = createGlobMatcher(fromRoot, { anyDepth: true });
  if (fromRoot.startsWith('!')) return (path) => matches(path) && matches(prefix + path);
  return (path) => matches(path) || matches(prefix + path);
}
