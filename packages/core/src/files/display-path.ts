import { isAbsolute, relative, sep } from 'node:path';

/** A path as people read it: relative to the folder they work in when it lies there. */
export function displayPath(path: string, folder: string): string {
  const short = relative(folder, path);
  const outside = short === '..' || short.startsWith(`..${sep}`) || isAbsolute(short);
  return short === '' || outside ? path : short;
}
