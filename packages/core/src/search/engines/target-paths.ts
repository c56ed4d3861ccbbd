import type { SearchTargets } from './search-engine.js';

export function countFiles({ folders, files }: SearchTargets): number {
  return folders.reduce((sum, { names }) => sum + names.length, files.length);
}

export function pathBelow(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function pathsIn({ folders, files }: SearchTargets): string[] {
  return [...folders.flatMap(({ folder, names }) => names.map((name) => pathBelow(folder, name))), ...files];
}
