import { basename, dirname, resolve } from 'node:path';
import type { CommandSurroundings } from '../shell/command-effects.js';

/** A machine without links that holds just these files, absolute, on which all below `root` is the workspace. */
export function plainSurroundings(root: string, home: string, files: readonly string[] = []): CommandSurroundings {
  const names = new Map<string, Set<string>>();
  for (const file of files)
    for (let path = file; path !== dirname(path); path = dirname(path))
      names.set(dirname(path), (names.get(dirname(path)) ?? new Set<string>()).add(basename(path)));
  return {
    home,
    list: (folder) => [...(names.get(resolve(folder)) ?? [])],
    resolve: (given) => {
      const path = resolve(given);
      const isInside = path === root || path.startsWith(`${root}/`);
      return { path, zone: isInside ? 'workspace' : 'outside' };
    },
  };
}
