import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isEnvFile } from './read-env-file.js';

/** What is looked through at most: it is waited for. */
const MOST_FOLDERS = 2000;
const LONGEST_MS = 150;
const DEEPEST = 6;
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
export function findEnvFiles(folders: readonly string[], most: number): readonly string[] {
  const until = performance.now() + LONGEST_MS;
  const files: string[] = [];
  let looked = 0;
  let level = folders;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      if (looked === MOST_FOLDERS || files.length >= most || performance.now() > until) return files.slice(0, most);
      looked += 1;
      for (const entry of entriesOf(folder)) {
        if (entry.isDirectory()) {
          if (!SKIPPED.has(entry.name)) below.push(join(folder, entry.name));
        } else if (depth > 0 && entry.isFile() && isEnvFile(entry.name)) files.push(join(folder, entry.name));
      }
    }
    level = below;
  }
  return files.slice(0, most);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}
