import { isWithin } from '../util/paths-below.js';
import { realPath } from '../util/real-path.js';

/**
 * A warning if a workspace folder is the user's home folder, or lies above it: then keys, settings and histories of all their
 * programs may be read and changed like files of a project. `roots`: canonical.
 */
export function homeNotice(roots: readonly string[], home: string): readonly string[] {
  const real = realPath(home);
  const root = roots.find((each) => isWithin(real, each));
  if (root === undefined) return [];
  const what = root === real ? 'is your home folder' : 'holds your home folder';
  return [
    `The workspace ${root} ${what}: Tenon can read and change keys, settings and histories of all your programs in it. Start Tenon in the folder of a project instead.`,
  ];
}
