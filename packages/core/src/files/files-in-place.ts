import { lstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';
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
  const folders = new Map<string, Hides>();
  return (path) => {
    const folder = dirname(path);
    let hides = folders.get(folder);
    if (hides === undefined) folders.set(folder, (hides = hidesIn(folder, rulesFor(folder))));
    return !hides(basename(path)) && isFile(path);
  };
}

/**
 * Judges many paths at one moment: true for one whose folder is reached through no link. Each folder is asked once. To be thrown away after
 * that moment.
 */
export function judgeFolders(): (path: string) => boolean {
  const folders = new Map<string, boolean>();
  return (path) => {
    const folder = namablePart(dirname(path));
    let isInPlace = folders.get(folder);
    if (isInPlace === undefined) folders.set(folder, (isInPlace = leadsThroughNoLink(folder)));
    return isInPlace;
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
