// A real source tree: the packages that this repository has installed, without ignore files of their own.
import { cpSync, existsSync, lstatSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const IGNORE_FILES = new Set(['.gitignore', '.ignore', '.rgignore', '.qwenignore']);

/** Copies it to `folder` unless it stands there already. */
export function makeRealTree(folder) {
  if (existsSync(folder)) return folder;
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
  cpSync(packages, folder, {
    recursive: true,
    filter: (path) =>
      !IGNORE_FILES.has(basename(path)) && !lstatSync(path).isSymbolicLink() && basename(path) !== '.vite',
  });
  return folder;
}
