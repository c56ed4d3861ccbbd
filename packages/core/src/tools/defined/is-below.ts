import { isAbsolute, relative, sep } from 'node:path';

/** Within the folder, however deep; not the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
