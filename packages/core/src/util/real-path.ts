import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where a path leads, every link followed; undefined when it leads nowhere. */
export function canonicalPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** An absolute path that leads to something, with no link on its way. A fraction of what following it step by step takes. */
export function leadsThroughNoLink(path: string): boolean {
  return canonicalPath(path) === path;
}

/** Where a path leads, or would lead once what is missing at its end is made. */
export function realPath(path: string): string {
  const real = canonicalPath(path);
  const folder = dirname(path);
  return real ?? (folder === path ? path : join(realPath(folder), basename(path)));
}
