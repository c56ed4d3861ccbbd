import { readlinkSync, statSync } from 'node:fs';
import { decodeEscaped, isUnnamable, systemPath } from '../../files/escaped-bytes.js';
import { systemErrorCode } from '../../util/failure.js';
import type { EntryType } from './visit-entries.js';

/** One entry of a folder as it is listed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'directory' | 'file' | 'special';
  /** What a symbolic link says it leads to. */
  readonly target?: string;
  readonly note?: string;
}

export interface LinkPlace {
  /** Where the link can be asked for. */
  readonly at: string;
  /** Where it is. */
  readonly path: string;
  /** The code of the refusal when that path may not be touched. */
  readonly refusalOf: (path: string) => string | undefined;
}

/** What is no folder, no file and no link: its type says it all. */
export function describeSpecial(name: string, entry: EntryType): FolderEntry {
  return { name, kind: 'special', note: specialName(entry) };
}

/** A link is shown with where it leads, unless that place is hidden by `.qwenignore`. */
export function describeLink(name: string, { at, path, refusalOf }: LinkPlace): FolderEntry | 'ignored' {
  const target = attempt(() => decodeEscaped(readlinkSync(systemPath(at), { encoding: 'buffer' }))) ?? '?';
  // Whether it may be followed is judged by its path, which is no text.
  if (isUnnamable(path)) return { name, kind: 'file', target, note: 'not followed: its name is no UTF-8' };
  const refusal = refusalOf(path);
  if (refusal === 'path_ignored') return 'ignored';
  if (refusal !== undefined) return { name, kind: 'file', target, note: whyRefused(refusal, at) };
  const stat = attempt(() => statSync(at));
  if (stat === undefined) return { name, kind: 'file', target, note: 'broken link' };
  return { name, kind: stat.isDirectory() ? 'directory' : 'file', target };
}

/** What lies outside is not looked at: not even whether it exists. */
function whyRefused(refusal: string, at: string): string {
  if (refusal === 'path_not_in_workspace') return 'leads outside the workspace';
  if (refusal === 'permission_denied') return 'may not be looked at';
  if (refusal === 'path_is_not_a_directory') return 'broken link';
  if (refusal !== 'invalid_path') return 'cannot be followed';
  return isBroken(at) ? 'broken link' : 'too many links on its way';
}

/** Of a link that leads in a circle, or through what is not there. */
function isBroken(at: string): boolean {
  try {
    statSync(at);
    return false;
  } catch (thrown) {
    return systemErrorCode(thrown) !== 'ELOOP';
  }
}

function specialName(entry: EntryType): string {
  if (entry.isFIFO()) return 'FIFO';
  if (entry.isSocket()) return 'socket';
  return entry.isCharacterDevice() || entry.isBlockDevice() ? 'device' : 'special file';
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
