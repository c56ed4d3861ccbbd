import { realpathSync, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path';
import { isExecutable } from './is-executable.js';
import { isWithin } from './paths-below.js';

/** A program that is there and may be run. */
export interface FoundProgram {
  /** Absolute, as it was found: what a link is called can decide what a program does. */
  readonly place: string;
  /** Where that leads, every link followed. */
  readonly real: string;
}

export interface ProgramSearch {
  /** Folders, separated as in `PATH`; means nothing for an absolute name. */
  readonly path: string;
  /** Absolute folders whose content somebody else chooses: nothing that lies below them, or leads there, is taken. */
  readonly notBelow?: readonly string[];
  /** Endings that make a file a program, tried in this order where the name has none of them. On Windows `.exe` by itself. */
  readonly endings?: readonly string[];
}

/**
 * A program by its absolute path, or by its name in an absolute folder of a `PATH`. A relative folder or name is never
 * taken: the working directory, and so a project, would choose what runs.
 */
export function findProgram(name: string, search: ProgramSearch): FoundProgram | undefined {
  const { path, notBelow = [], endings = process.platform === 'win32' ? ['.exe'] : [] } = search;
  const isBelow = (place: string): boolean => notBelow.some((root) => isWithin(place, root));
  for (const folder of foldersFor(name, path)) {
    for (const spelling of spellingsOf(name, endings)) {
      const place = folder === undefined ? resolve(spelling) : join(folder, spelling);
      const real = isBelow(place) ? undefined : executableAt(place);
      if (real !== undefined && !isBelow(real)) return { place, real };
    }
  }
  return undefined;
}

/** Undefined stands for a name that needs no folder. */
function foldersFor(name: string, path: string): (string | undefined)[] {
  if (isAbsolute(name)) return [undefined];
  if (name === '' || /[/\\\0]/.test(name)) return [];
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

function spellingsOf(name: string, endings: readonly string[]): string[] {
  if (endings.length === 0 || endings.includes(extname(name).toLowerCase())) return [name];
  return endings.map((ending) => `${name}${ending}`);
}

function executableAt(file: string): string | undefined {
  if (!isExecutable(file)) return undefined;
  try {
    const real = realpathSync(file);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
