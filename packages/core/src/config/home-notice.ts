import { isWithin } from '../util/paths-below.js';
import { realPath } from '../util/real-path.js';

/**
 * Returns a warning if a workspace folder is the user's home folder, or lies above it. The keys, settings and histories of all programs may
 * then be read and changed like project files. `roots`: canonical.
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
