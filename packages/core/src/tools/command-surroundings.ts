import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hiddenBelow } from '../files/ignore-below.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import type { CommandSurroundings } from '../shell/command-effects.js';
import { isExecutable } from '../util/is-executable.js';
import { realPath } from '../util/real-path.js';

/** What the analysis of a command may ask about this machine; `environment` is that of the command. */
export function commandSurroundings(
  gate: WorkspaceGate,
  environment: Readonly<Record<string, string>>,
  isTrustedRepository: (folder: string) => boolean = () => false,
): CommandSurroundings {
  const { HOME, PATH = '' } = environment;
  const systemFolders = PATH.split(':').filter((folder) => folder.startsWith('/') && !gate.contains(folder));
  const projectFolders = PATH.split(':').filter((folder) => folder.startsWith('/') && gate.contains(folder));
  return {
    ...(HOME !== undefined && HOME.startsWith('/') && { home: HOME }),
    resolve: (path) => {
      if (gate.check(path) === null) return gate.resolve(path);
      const real = realPath(path);
      return { path: real, zone: gate.contains(path) && gate.contains(real) ? 'workspace' : 'outside' };
    },
    list: listNames,
    refuse: (path, isTree) => {
      const refusal = gate.check(path);
      if (refusal?.code === 'path_ignored') return `a path that .qwenignore keeps from the agent (${basename(path)})`;
      const hidden = isTree ? hiddenBelow(path, gate.roots) : undefined;
      return hidden && `a folder in which ${hidden}`;
    },
    isTrustedRepository,
    // The system's folders come first on the PATH of commands.
    isSystemProgram: (name) =>
      projectFolders.length === 0 || isInOneOf(systemFolders, name) || !isInOneOf(projectFolders, name),
  };
}

/** More names than these are not looked through. */
const MOST_NAMES = 5_000;

function listNames(folder: string): readonly string[] | undefined {
  try {
    const names = readdirSync(folder);
    return names.length > MOST_NAMES ? undefined : names;
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : undefined;
  }
}

function isInOneOf(folders: readonly string[], name: string): boolean {
  return folders.some((folder) => isExecutable(join(folder, name)));
}
