import { dirname, join, sep } from 'node:path';

/** An absolute path, as that of everything below it begins. */
export function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}

/** A folder's path without a separator at its end; of the topmost one nothing is left. */
export function withoutSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder.slice(0, -1) : folder;
}

/** The absolute path of what is relative to an absolute one, with `/`. `join` for every file costs more than reading the folders. */
export function absoluteBelow(folder: string, relativePath: string): string {
  return withSeparator(folder) + (sep === '/' ? relativePath : relativePath.replaceAll('/', sep));
}

/** `dirname` of a plain absolute path, for many: that one looks at each character by itself. */
export function folderAbove(path: string): string {
  const at = path.lastIndexOf(sep);
  // At the top the separator is part of the folder.
  return at > 2 ? path.slice(0, at) : dirname(path);
}

/** Of absolute paths: somewhere below it. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(withSeparator(folder));
}

/** Of absolute paths: the same, or somewhere below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}

/** The roots that do not lie in another root. */
export function outermostRoots(roots: readonly string[]): string[] {
  return roots.filter((root) => !roots.some((other) => other !== root && root.startsWith(join(other, '/'))));
}
