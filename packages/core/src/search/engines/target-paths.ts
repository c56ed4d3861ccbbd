import { countFiles } from '../content/folder-files.js';
import { pathBelow } from '../paths.js';
import type { SearchTargets } from './search-engine.js';

export function countTargets({ folders, files }: SearchTargets): number {
  return countFiles(folders) + files.length;
}

export function pathsIn({ folders, files }: SearchTargets): string[] {
  return [...folders.flatMap(({ folder, names }) => names.map((name) => pathBelow(folder, name))), ...files];
}
