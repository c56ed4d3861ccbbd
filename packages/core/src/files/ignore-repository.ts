import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Longer files are no pointer to a git folder. */
const MAX_POINTER_BYTES = 8192;

/**
 * The `info/exclude` of the repository whose work tree begins at `folder`, whether or not there is such a file; undefined where no
 * work tree begins. A worktree and a submodule have a file `.git` that names the git folder.
 */
export function excludeFileOf(folder: string): string | undefined {
  const marker = join(folder, '.git');
  try {
    const stat = lstatSync(marker, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const isPointer = stat.isFile() && stat.size <= MAX_POINTER_BYTES;
    const gitFolder = isPointer ? pointedFolder(folder, readFileSync(marker, 'utf8')) : marker;
    if (gitFolder === undefined || statSync(join(gitFolder, 'HEAD'), { throwIfNoEntry: false }) === undefined)
      return undefined;
    return join(commonFolder(gitFolder), 'info', 'exclude');
  } catch {
    return undefined;
  }
}

function pointedFolder(folder: string, text: string): string | undefined {
  const [, path] = /^gitdir: (.+?)\s*$/.exec(text) ?? [];
  return path === undefined ? undefined : resolve(folder, path);
}

/** Where all work trees of a repository keep what they share. */
function commonFolder(gitFolder: string): string {
  const pointer = join(gitFolder, 'commondir');
  try {
    // Most have none, and each walk asks: to read what is not there costs ten times as much as to look.
    if (statSync(pointer, { throwIfNoEntry: false }) === undefined) return gitFolder;
    return resolve(gitFolder, readFileSync(pointer, 'utf8').trimEnd());
  } catch {
    return gitFolder;
  }
}

/** The innermost folder at or above `folder` where a work tree begins. */
export function workTreeTop(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (excludeFileOf(current) !== undefined) return current;
    if (dirname(current) === current) return undefined;
  }
}
