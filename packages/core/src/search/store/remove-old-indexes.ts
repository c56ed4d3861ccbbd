import { readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TEMP_ENDING } from './index-file.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Index files of projects that nobody has searched for that long. */
const OLD_MS = 60 * DAY_MS;
/** What a process left that ended while it wrote. */
const LEFT_MS = DAY_MS;
const PROJECTS = 'projects';

/**
 * Removes index files of other projects that were not used for long, and what was left beside this one (`<projects>/<project>/
 * search/index`). Nothing else is touched, and nothing is told.
 */
export async function removeOldIndexes(path: string, now = Date.now()): Promise<void> {
  const folder = dirname(path);
  const name = basename(path);
  const left = (one: string): boolean => one.startsWith(`${name}-`) && one.endsWith(TEMP_ENDING);
  for (const one of (await namesIn(folder)).filter(left)) await removeOlder(join(folder, one), now - LEFT_MS);
  const projects = dirname(dirname(folder));
  if (basename(projects) !== PROJECTS) return;
  for (const project of await namesIn(projects)) {
    const other = join(projects, project, basename(folder), name);
    if (other !== path) await removeOlder(other, now - OLD_MS);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function removeOlder(path: string, than: number): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (mtimeMs < than) await unlink(path);
  } catch {
    // It is not there, or not ours to remove.
  }
}
