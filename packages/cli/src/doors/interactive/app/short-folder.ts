import path from 'node:path';

/** As people write it: `~` for their home. */
export function shortFolder(folder: string, home: string): string {
  const below = path.relative(home, folder);
  if (below === '') return '~';
  return below.startsWith('..') || path.isAbsolute(below) ? folder : path.join('~', below);
}
