import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Longer files are no pointer to a git folder. */
const MAX_POINTER_BYTES = 8192;

/** A repository, as one of its work trees leads to it. */
export interface Repository {
  readonly workTree: string;
  /** Of this work tree alone. */
  readonly gitFolder: string;
  /** What all of its work trees share. */
  readonly commonFolder: string;
}

/**
 * The repository whose work tree begins at `folder`; undefined where none begins. A worktree and a submodule have a file `.git` that
 * names the git folder.
 */
export function repositoryAt(folder: string): Repository | undefined {
  const marker = join(folder, '.git');
  try {
    const stat = statSync(marker, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const isPointer = stat.isFile() && stat.size <= MAX_POINTER_BYTES;
    const gitFolder = isPointer ? pointedFolder(folder, readFileSync(marker, 'utf8')) : marker;
    if (gitFolder === undefined || !isThere(join(gitFolder, 'HEAD'))) return undefined;
    const commonFolder = commonFolderOf(gitFolder);
    const isWhole = isThere(join(commonFolder, 'objects')) && isThere(join(commonFolder, 'refs'));
    return isWhole ? { workTree: folder, gitFolder, commonFolder } : undefined;
  } catch {
    return undefined;
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function pointedFolder(folder: string, text: string): string | undefined {
  const [, path] = /^gitdir: (.+?)\s*$/.exec(text) ?? [];
  return path === undefined ? undefined : resolve(folder, path);
}

function commonFolderOf(gitFolder: string): string {
  const pointer = join(gitFolder, 'commondir');
  try {
    // Most have none, and each walk asks: to read what is not there costs ten times as much as to look.
    if (!isThere(pointer)) return gitFolder;
    return resolve(gitFolder, readFileSync(pointer, 'utf8').trimEnd());
  } catch {
    return gitFolder;
  }
}

/** The repository in whose work tree `folder` is, the innermost one. */
export function repositoryAround(folder: string): Repository | undefined {
  for (let current = folder; ; current = dirname(current)) {
    const repository = repositoryAt(current);
    if (repository !== undefined || dirname(current) === current) return repository;
  }
}
