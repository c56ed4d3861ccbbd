import { lstatSync } from 'node:fs';
import { basename } from 'node:path';
import { folderAbove } from '../util/paths-below.js';
import { leadsThroughNoLink } from '../util/real-path.js';
import { namablePart } from './escaped-bytes.js';
import type { IgnoreRules } from './ignore-rules.js';

type Hides = (name: string) => boolean;

/**
 * Judges many files at one moment: true for a regular file that is at its path itself, through no link, and that no rule hides. Each folder is
 * asked once. To be thrown away after that moment.
 *
 * @param rulesFor what holds in a folder; undefined where no file is to be taken
 */
export function judgeInPlace(
  rulesFor: (folder: string) => readonly IgnoreRules[] | undefined,
): (path: string) => boolean {
  const hidesOf = onceEach((folder) => hidesIn(folder, rulesFor(folder)));
  return (path) => !hidesOf(folderAbove(path))(basename(path)) && isFile(path);
}

/**
 * Judges many paths at one moment: true for one whose folder is reached through no link. Each folder is asked once. To be thrown away after
 * that moment.
 */
export function judgeFolders(): (path: string) => boolean {
  const isInPlace = onceEach((folder) => leadsThroughNoLink(namablePart(folder)));
  return (path) => isInPlace(folderAbove(path));
}

/** Asks once for each folder. */
function onceEach<T extends Hides | boolean>(judge: (folder: string) => T): (folder: string) => T {
  const known = new Map<string, T>();
  return (folder) => {
    let verdict = known.get(folder);
    if (verdict === undefined) known.set(folder, (verdict = judge(folder)));
    return verdict;
  };
}

function hidesIn(folder: string, rules: readonly IgnoreRules[] | undefined): Hides {
  if (rules === undefined || !leadsThroughNoLink(folder)) return () => true;
  const inFolder = rules.map((each) => each.inFolder(folder));
  return (name) => inFolder.some((isIgnored) => isIgnored(name, false));
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
