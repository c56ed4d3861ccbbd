import { lstatSync } from 'node:fs';
import { absoluteBelow } from '../../util/paths-below.js';

/** Tells of paths relative to `top`, with `/`, whether a folder on their way is a link by now, which leads elsewhere. */
export function belowLinks(top: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isBelow = (path: string): boolean => {
    const slash = path.lastIndexOf('/');
    if (slash === -1) return false;
    const folder = path.slice(0, slash);
    const before = known.get(folder);
    if (before !== undefined) return before;
    const is = isBelow(folder) || isLink(absoluteBelow(top, folder));
    known.set(folder, is);
    return is;
  };
  return isBelow;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}
