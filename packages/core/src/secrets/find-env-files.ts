import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isEnvFile } from './read-env-file.js';

/** What is looked through at most: calls may wait for it. */
const MOST_FOLDERS = 2000;
const LONGEST_MS = 300;
const DEEPEST = 6;
const AT_ONCE = 16;
/** Hold what others wrote, or what is made. */
const SKIPPED: ReadonlySet<string> = new Set(
  '.git .hg .svn node_modules bower_components .venv venv __pycache__ .tox .cache .next .nuxt .gradle .terraform'.split(
    ' ',
  ),
);

/**
 * The environment files below some folders, those that lie higher up first; not those right in these folders. Links are not
 * followed. Files beyond `most` are left out.
 */
export async function findEnvFiles(folders: readonly string[], most: number): Promise<readonly string[]> {
  const until = performance.now() + LONGEST_MS;
  const files: string[] = [];
  let looked = 0;
  let level = folders;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (let at = 0; at < level.length; at += AT_ONCE) {
      const some = level.slice(at, at + Math.min(AT_ONCE, MOST_FOLDERS - looked));
      if (some.length === 0 || files.length >= most || performance.now() > until) return files.slice(0, most);
      looked += some.length;
      for (const found of await Promise.all(some.map(lookInto))) {
        below.push(...found.folders);
        if (depth > 0) files.push(...found.files);
      }
    }
    level = below;
  }
  return files.slice(0, most);
}

interface Found {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

async function lookInto(folder: string): Promise<Found> {
  const entries = await entriesOf(folder);
  const pathOf = ({ name }: Dirent): string => join(folder, name);
  return {
    folders: entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name)).map(pathOf),
    files: entries.filter((entry) => entry.isFile() && isEnvFile(entry.name)).map(pathOf),
  };
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}
