import { accessSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, parse, resolve } from 'node:path';
import { systemErrorCode } from '../util/failure.js';

/**
 * Makes a folder and those above it that are missing, for their owner only, level by level: where the system says
 * of a folder that it is there and that nothing can be made in it (`/proc`), Node's own recursive way tries for ever.
 * Returns the cause in words when there is no folder to write to in the end.
 */
export function makeFolders(folder: string): string | undefined {
  for (const level of levelsOf(resolve(folder))) {
    const problem = makeLevel(level);
    if (problem !== undefined) return problem;
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (thrown) {
    return `${folder} cannot be written to (${systemErrorCode(thrown) ?? 'unknown error'})`;
  }
}

/** The folder and all above it but the root, outermost first. */
function levelsOf(folder: string): string[] {
  const levels: string[] = [];
  for (let level = folder; level !== parse(level).root; level = dirname(level)) levels.unshift(level);
  return levels;
}

function makeLevel(folder: string): string | undefined {
  const found = lookAt(folder);
  if (found !== undefined) return found === 'folder' ? undefined : found;
  try {
    mkdirSync(folder, { mode: 0o700 });
    return undefined;
  } catch (thrown) {
    // Another process may have made it just now.
    const now = lookAt(folder);
    if (now !== undefined) return now === 'folder' ? undefined : now;
    return `${folder} cannot be made (${systemErrorCode(thrown) ?? 'unknown error'})`;
  }
}

/** `folder`, or what is wrong with what stands there; undefined when nothing does. */
function lookAt(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : `${path} is not a folder`;
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code !== 'ENOENT') return `${path} cannot be opened (${code ?? 'unknown error'})`;
    return isLink(path) ? `${path} is a link that leads nowhere` : undefined;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
