import { randomUUID } from 'node:crypto';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemErrorCode } from '../util/failure.js';

/**
 * Moves a control file that a command made out of the workspace, so that nothing obeys it, and answers where it is now.
 * @throws the system's error when it cannot be moved
 */
export async function putAside(path: string, folder: string): Promise<string> {
  const target = join(folder, `put-aside-${randomUUID()}`, basename(path));
  await mkdir(join(target, '..'), { recursive: true, mode: 0o700 });
  try {
    await rename(path, target);
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'EXDEV') throw thrown;
    // Another file system. A link is moved as a link.
    await cp(path, target, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rm(path, { recursive: true });
  }
  return target;
}
