import { lstatSync, statfsSync, statSync, type Stats } from 'node:fs';
import { systemPath } from '../../files/escaped-bytes.js';

/** What proves that a folder's entries are the same: taken before they were read. */
export interface FolderStamp {
  readonly dev: number;
  readonly ino: number;
  readonly ctimeMs: number;
  readonly mtimeMs: number;
}

export function isSameStamp(one: FolderStamp, other: FolderStamp): boolean {
  return (
    one.ctimeMs === other.ctimeMs && one.ino === other.ino && one.mtimeMs === other.mtimeMs && one.dev === other.dev
  );
}

/** A change may be stamped with the time of the clock's last tick, at most 10 ms ago; ten times that is safe. */
const CLOCK_GRAIN_MS = 100;
/** Some file systems keep whole seconds. */
const COARSE_GRAIN_MS = 2100;

/**
 * Does any change since the moment `before` (of `Date.now`) show in the times? Not when the last change is so recent that the next could
 * bear the same time.
 */
export function provesChanges(stat: { readonly ctimeMs: number; readonly mtimeMs: number }, before: number): boolean {
  const isCoarse = stat.ctimeMs % 1000 === 0;
  return before - stat.ctimeMs >= (isCoarse ? COARSE_GRAIN_MS : CLOCK_GRAIN_MS);
}

/** statfs(2): ext2/3/4, xfs, btrfs, tmpfs, f2fs, overlayfs, zfs. Others may keep times elsewhere, or not at all. */
const TRUSTED_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x794c7630, 0x2fc12fc1,
]);

/** Do the times of folders on this folder's file system tell every change of their entries? */
export function hasTrueTimes(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return TRUSTED_FILE_SYSTEMS.has(statfsSync(systemPath(folder)).type);
  } catch {
    return false;
  }
}

/** Undefined when there is nothing, or nothing that may be looked at. */
export function statOf(path: string, follow = false): Stats | undefined {
  try {
    return (follow ? statSync : lstatSync)(systemPath(path), QUIET);
  } catch {
    return undefined;
  }
}

/** The same of a path as the file system takes it, for many. */
export function lookAt(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, QUIET);
  } catch {
    return undefined;
  }
}

const QUIET = { throwIfNoEntry: false } as const;
