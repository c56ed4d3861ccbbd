import { lstatSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareNames } from '../util/compare-names.js';
import { cleanText } from '../util/clean-text.js';
import { SKILL_FILE } from './find-skill-files.js';
import type { OpenedSkill, SkillFile } from './skill-types.js';

const MOST_FILES = 50;
const MOST_ENTRIES = 2000;
const MOST_DEPTH = 4;
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

/** What lies in the folder of a skill beside its `SKILL.md`, by name: links and hidden files are left out. */
export async function listSkillFiles(folder: string): Promise<Pick<OpenedSkill, 'files' | 'more'>> {
  const found: SkillFile[] = [];
  const waiting: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }];
  let entries = 0;
  for (let next = waiting.shift(); next !== undefined && entries < MOST_ENTRIES; next = waiting.shift()) {
    const { path, depth } = next;
    for await (const entry of await entriesOf(join(folder, path))) {
      entries += 1;
      if (entries > MOST_ENTRIES) break;
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.name.startsWith('.') || LEFT_OUT.has(entry.name) || below === SKILL_FILE) continue;
      if (entry.isDirectory() && depth < MOST_DEPTH) waiting.push({ path: below, depth: depth + 1 });
      if (!entry.isFile()) continue;
      // A name that would be another once it is cleaned could not be read by it.
      if (/\n/.test(below) || cleanText(below, { strict: true }).text !== below) continue;
      found.push({ path: below, bytes: sizeOf(join(folder, below)) });
    }
  }
  const files = found.toSorted((one, other) => compareNames(one.path, other.path));
  const isLeast = entries > MOST_ENTRIES;
  return { files: files.slice(0, MOST_FILES), more: { files: Math.max(0, files.length - MOST_FILES), isLeast } };
}

async function entriesOf(folder: string) {
  try {
    return await opendir(folder);
  } catch {
    return [];
  }
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    return 0;
  }
}
