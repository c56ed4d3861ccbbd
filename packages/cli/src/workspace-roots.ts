import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ExitCode, ExitFailure } from './exit-codes.js';

/**
 * The canonical folders of the workspace, the target folder first, none twice.
 * @throws ExitFailure `WORKSPACE` with one line for what cannot be one.
 */
export async function workspaceRoots(
  cwd: string | undefined,
  chosen: string | undefined,
  addDirs: readonly string[],
): Promise<readonly [string, ...string[]]> {
  if (cwd === undefined && (chosen === undefined || !path.isAbsolute(chosen))) {
    throw refuse('The current folder no longer exists. Go to another one, or give --cwd an absolute path.');
  }
  const base = cwd ?? '/';
  const first = await workspaceRoot(path.resolve(base, chosen ?? '.'), '--cwd');
  const roots = new Set([first]);
  for (const folder of addDirs) roots.add(await workspaceRoot(path.resolve(base, folder), '--add-dir'));
  roots.delete(first);
  return [first, ...roots];
}

type RootOption = '--cwd' | '--add-dir';

async function workspaceRoot(folder: string, option: RootOption): Promise<string> {
  if (folder.includes('\0')) throw refuse('The workspace path holds a NUL character.');
  try {
    const canonical = await realpath(folder);
    if (!(await stat(canonical)).isDirectory())
      throw refuse(`The workspace ${folder} is a file. Name the folder it is in.`);
    if (canonical === path.parse(canonical).root) {
      throw refuse(`The workspace ${folder} is the root of the file system. Choose the folder of a project.`);
    }
    await access(canonical, constants.R_OK | constants.X_OK);
    return canonical;
  } catch (thrown) {
    if (thrown instanceof ExitFailure) throw thrown;
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error';
    throw refuse(workspaceCause(folder, option, code), thrown);
  }
}

function workspaceCause(folder: string, option: RootOption, code: string): string {
  if (code === 'ENOENT') return `The workspace ${folder} does not exist. Make it, or choose another with ${option}.`;
  if (code === 'ENOTDIR') return `The workspace ${folder} lies below a file. Name a folder.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `The workspace ${folder} may not be read. Give yourself permission, or choose another.`;
  return `The workspace ${folder} cannot be used (${code}).`;
}

function refuse(message: string, cause?: unknown): ExitFailure {
  return new ExitFailure(ExitCode.WORKSPACE, message, cause === undefined ? undefined : { cause });
}
