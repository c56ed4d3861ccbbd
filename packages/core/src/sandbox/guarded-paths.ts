import { dirname, join } from 'node:path';
import { controlFileReason } from '../policy/control-files.js';
import { canonical, lookAt, namesIn } from './disk.js';
import { isWithin } from '../util/paths-below.js';
import { gitPathsOf } from './git-paths.js';
import { GUARDED_NAMES, HALF_GUARDED_FOLDERS } from './guarded-names.js';
import type { SandboxPlan } from './sandbox-types.js';

/** What must stay as it is in the folders that commands may change. */
export type GuardedPaths = Pick<SandboxPlan, 'protected' | 'pinned' | 'placeholders'>;

/**
 * The control files of the workspace: right in its roots, in its repository, and in the folders on the way. Those of
 * folders further below are the caller's to name (`more`). `isHeld`: a placeholder of ours, which counts as missing.
 */
export function guardedPathsOf(
  roots: readonly string[],
  more: readonly string[] = [],
  isHeld: (path: string) => boolean = () => false,
): GuardedPaths {
  const found = [...new Set([...roots.flatMap(controlFilesOf), ...more])].filter((path) => !isHeld(path));
  const inRoots = (path: string): boolean => roots.some((root) => path !== root && isWithin(path, root));
  const targets = found.flatMap((path) => canonical(path) ?? []).filter(inRoots);
  const git = roots.map(gitPathsOf);
  const gitFolders = git.flatMap(({ folders }) => folders);
  // Git's own folder is written by every commit; what steers git in it is protected by itself.
  const protectedPaths = [...new Set(targets)].filter((path) => !gitFolders.includes(path));
  const placeholders = roots.flatMap((root, index) => placeholdersOf(root, git[index]?.steering ?? [], isHeld));
  const guarded = [...protectedPaths, ...placeholders];
  return {
    protected: protectedPaths,
    pinned: pinnedFor([...guarded, ...gitFolders.map((folder) => join(folder, 'config'))], roots, guarded),
    placeholders,
  };
}

/** Control files that exist in a root, links not followed. */
export function controlFilesOf(root: string): string[] {
  const names = namesIn(root);
  const half = HALF_GUARDED_FOLDERS.map((name) => join(root, name))
    .filter((folder) => lookAt(folder)?.isDirectory() === true)
    .flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  const git = gitPathsOf(root);
  const listed = [...names.map((name) => join(root, name)), ...half].filter((path) => isControlFile(path, root));
  const others = [...git.steering.map(({ path }) => path), ...git.hookFolders].filter(
    (path) => lookAt(path) !== undefined,
  );
  return [...new Set([...listed, ...others.filter((path) => isWithin(path, root))])];
}

/** Where the root lies says nothing: a work tree in a folder of the agent's is a workspace all the same. */
function isControlFile(path: string, root: string): boolean {
  const inRoot = join('/root-of-workspace', path.slice(root === '/' ? 0 : root.length));
  return controlFileReason({ kind: 'write', path: inRoot, requested: inRoot, zone: 'workspace' }) !== undefined;
}

function placeholdersOf(
  root: string,
  steering: readonly { readonly path: string; readonly mayBeEmpty: boolean }[],
  isHeld: (path: string) => boolean,
): string[] {
  const wanted = [
    ...GUARDED_NAMES.map((name) => join(root, name)),
    ...steering.filter(({ mayBeEmpty }) => mayBeEmpty).map(({ path }) => path),
  ];
  return wanted.filter((path) => lookAt(path) === undefined || isHeld(path));
}

/** Renaming a folder takes along what is mounted in it: all between a guarded path and its root is held in place. */
function pinnedFor(guarded: readonly string[], roots: readonly string[], except: readonly string[]): string[] {
  const pinned = new Set<string>();
  for (const path of guarded) {
    const root = roots.filter((each) => isWithin(path, each)).toSorted((a, b) => a.length - b.length)[0];
    if (root === undefined) continue;
    for (let folder = dirname(path); folder !== root && isWithin(folder, root); folder = dirname(folder))
      pinned.add(folder);
  }
  return [...pinned].filter((path) => !except.some((each) => isWithin(path, each)));
}
