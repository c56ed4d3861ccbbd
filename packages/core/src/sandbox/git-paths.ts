import { join, resolve } from 'node:path';
import { lookAt, namesIn, readText } from './disk.js';

/** Deeper modules than these are not looked at. */
const MAX_MODULES = 200;
const MAX_DEPTH = 6;

/** What makes git run programs, in a repository's own folder; and whether an empty folder may stand for it. */
const STEERING: readonly (readonly [name: string, mayBeEmpty: boolean])[] = [
  ['config', false],
  ['config.worktree', false],
  ['commondir', false],
  ['hooks', true],
];

export interface GitPaths {
  /** The repository's own folders: `.git`, those of its modules and of its other work trees. */
  readonly folders: readonly string[];
  /** Their files and folders that name or hold programs, whether they exist or not. */
  readonly steering: readonly { readonly path: string; readonly mayBeEmpty: boolean }[];
  /** Where the configuration says hooks are, absolute. */
  readonly hookFolders: readonly string[];
}

/** Of the repository whose work tree is `root`, when `.git` is a real folder there. */
export function gitPathsOf(root: string): GitPaths {
  const top = join(root, '.git');
  if (lookAt(top)?.isDirectory() !== true) return { folders: [], steering: [], hookFolders: [] };
  const worktrees = foldersIn(join(top, 'worktrees')).slice(0, MAX_MODULES);
  const folders = [
    top,
    ...modulesBelow(join(top, 'modules')),
    ...worktrees.map((name) => join(top, 'worktrees', name)),
  ];
  const steering = folders
    .flatMap((folder) =>
      STEERING.map(([name, mayBeEmpty]) => ({ path: join(folder, name), mayBeEmpty: mayBeEmpty && folder === top })),
    )
    .filter(({ path }) => !isOrdinaryCommonFolder(path));
  return { folders, steering, hookFolders: folders.flatMap((folder) => hooksPath(folder, root)) };
}

function modulesBelow(modules: string): string[] {
  const found: string[] = [];
  const visit = (folder: string, depth: number): void => {
    for (const name of foldersIn(folder)) {
      if (found.length >= MAX_MODULES) return;
      const path = join(folder, name);
      const isRepository = lookAt(join(path, 'HEAD')) !== undefined;
      if (isRepository) found.push(path);
      // A module's name may hold slashes, and a module may hold modules.
      if (depth < MAX_DEPTH) visit(isRepository ? join(path, 'modules') : path, depth + 1);
    }
  };
  visit(modules, 0);
  return found;
}

/** Never through a link. */
function foldersIn(folder: string): string[] {
  if (lookAt(folder)?.isDirectory() !== true) return [];
  return namesIn(folder).filter((name) => lookAt(join(folder, name))?.isDirectory() === true);
}

/** What git itself writes into a work tree's own folder. */
function isOrdinaryCommonFolder(path: string): boolean {
  return path.endsWith('/commondir') && path.includes('/worktrees/') && readText(path)?.trim() === '../..';
}

/** Every value counts that some reading of the file could find. */
function hooksPath(folder: string, root: string): string[] {
  const config = readText(join(folder, 'config')) ?? '';
  return Array.from(config.matchAll(/hookspath\s*=\s*"?([^"\r\n#;]+)/gi), ([, value = '']) =>
    resolve(root, value.trim()),
  );
}
