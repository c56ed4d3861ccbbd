import { lstatSync, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { isWithin } from '../util/paths-below.js';
import { canonicalPath } from '../util/real-path.js';
import type { SkillPlace, SkillProblem } from './skill-types.js';

/** What a skill's file is called. */
export const SKILL_FILE = 'SKILL.md';

/** A file that may be a skill; nothing of it was read. */
export interface SkillCandidate {
  readonly place: SkillPlace;
  /** Absolute, as it was found. */
  readonly file: string;
  /** Canonical. */
  readonly folder: string;
  /** Name of its folder. */
  readonly folderName: string;
}

export interface Limits {
  /** Of one place. */
  readonly skills: number;
  readonly entries: number;
  readonly depth: number;
}

export const SKILL_LIMITS: Limits = { skills: 500, entries: 10_000, depth: 3 };

interface Walk {
  readonly place: SkillPlace;
  readonly limits: Limits;
  readonly candidates: SkillCandidate[];
  readonly problems: SkillProblem[];
  /** Canonical folders: links may lead round in circles. */
  readonly seen: Set<string>;
  entries: number;
  isFull: boolean;
}

/**
 * The skills of one place, by name: folders that hold a `SKILL.md`, also below folders that hold none. What belongs to a
 * skill is not searched for others.
 */
export async function findSkillFiles(
  place: SkillPlace,
  limits: Limits = SKILL_LIMITS,
): Promise<{ readonly candidates: readonly SkillCandidate[]; readonly problems: readonly SkillProblem[] }> {
  const walk: Walk = { place, limits, candidates: [], problems: [], seen: new Set(), entries: 0, isFull: false };
  await visit(walk, { path: place.folder, name: basename(place.folder), depth: 0 });
  if (walk.isFull)
    walk.problems.push({
      file: place.folder,
      message: `${place.folder} holds more than is looked through (${limits.skills} skills, ${limits.entries} entries): the rest is left out.`,
    });
  return { candidates: walk.candidates, problems: walk.problems };
}

interface Visited {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
}

async function visit(walk: Walk, { path, name, depth }: Visited): Promise<void> {
  const folder = canonicalPath(path);
  if (folder === undefined || walk.seen.has(folder) || !isFolder(folder)) return;
  const { within } = walk.place;
  if (within !== undefined && !isWithin(folder, within)) {
    walk.problems.push({ file: path, message: `${path} is left out: it leads out of the project.` });
    return;
  }
  walk.seen.add(folder);
  const file = join(path, SKILL_FILE);
  // A stray file right in the folder for skills must not hide them all.
  if ((depth > 0 || walk.place.mayBeOne === true) && isThere(join(folder, SKILL_FILE))) {
    if (walk.candidates.length >= walk.limits.skills) walk.isFull = true;
    else walk.candidates.push({ place: walk.place, file, folder, folderName: name });
    return;
  }
  if (depth >= walk.limits.depth) return;
  for (const entry of await foldersIn(walk, path, folder)) {
    if (walk.isFull) return;
    await visit(walk, { path: join(path, entry), name: entry, depth: depth + 1 });
  }
}

/** Names of what may be a folder, in order. */
async function foldersIn(walk: Walk, path: string, folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      walk.entries += 1;
      if (walk.entries > walk.limits.entries) {
        walk.isFull = true;
        break;
      }
      if (path !== walk.place.folder && isMisspelled(entry.name) && !entry.isDirectory()) {
        const message = `${join(path, entry.name)} is no skill: it has to be called ${SKILL_FILE}, in capitals.`;
        walk.problems.push({ file: join(path, entry.name), message });
      }
      const mayBeFolder = entry.isDirectory() || entry.isSymbolicLink();
      if (mayBeFolder && !entry.name.startsWith('.') && entry.name !== 'node_modules') names.push(entry.name);
    }
  } catch (thrown) {
    const why = systemErrorCode(thrown) === 'EACCES' ? 'there is no permission to' : errorMessage(thrown);
    walk.problems.push({ file: path, message: `${path} cannot be looked into: ${why}.` });
  }
  return names.toSorted();
}

function isMisspelled(name: string): boolean {
  return name !== SKILL_FILE && name.toLowerCase() === SKILL_FILE.toLowerCase();
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Also a link that leads nowhere: whoever made it wants to know. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
