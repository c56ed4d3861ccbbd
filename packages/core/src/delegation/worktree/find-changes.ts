import { lstatSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs';
import { constants, open } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { systemPath } from '../../files/escaped-bytes.js';
import { hashOpenFile } from '../../files/write-handle.js';
import { absoluteBelow } from '../../util/paths-below.js';
import { belowLinks } from './below-link.js';
import { stampOf } from './copy-files.js';
import type { BegunFile, BegunFiles } from './begun-files.js';
import { listFiles } from './list-files.js';
import type { GitPlace } from './run-git.js';

/** What a file is in the worktree now. */
export type FileNow =
  | { readonly kind: 'file'; readonly hash: string; readonly mode: number; readonly size: number }
  | { readonly kind: 'link'; readonly target: string }
  /** A folder or something stranger stands where the file was. */
  | { readonly kind: 'other' }
  | undefined;

/** One path at which the worktree is another than what it began with. Relative to its top, with `/`. */
export interface WorktreeChange {
  readonly path: string;
  readonly before: BegunFile | undefined;
  readonly after: FileNow;
}

export interface FoundChanges {
  /** By path. */
  readonly changes: readonly WorktreeChange[];
  /** What came to be in it and cannot be looked at: other repositories, submodules, names that are no UTF-8. */
  readonly strange: readonly string[];
}

/** A file that changed within so little time of the copying may have kept its times. */
const TIME_GRAIN_MS = 100;
const LOOKS_PER_TURN = 1000;

/**
 * What is another in the worktree than what it began with: what it began with that changed or went, and what came that git does
 * not ignore.
 * @throws Failure `worktree_impossible`; the signal's reason
 */
export async function findChanges(git: GitPlace, begun: BegunFiles, signal: AbortSignal): Promise<FoundChanges> {
  const listed = await listFiles(git, signal);
  const changes: WorktreeChange[] = [];
  const isBelowLink = belowLinks(git.workTree);
  let looks = 0;
  const pause = async (): Promise<void> => {
    looks += 1;
    if (looks % LOOKS_PER_TURN === 0) await breathe();
    signal.throwIfAborted();
  };
  for (const [path, before] of begun.files) {
    await pause();
    const absolute = absoluteBelow(git.workTree, path);
    if (!isBelowLink(path) && isUntouched(absolute, before, begun.finishedMs)) continue;
    const after = isBelowLink(path) ? undefined : await fileAt(absolute);
    if (!isSame(before, after)) changes.push({ path, before, after });
  }
  for (const path of new Set([...listed.tracked.keys(), ...listed.untracked])) {
    if (begun.files.has(path)) continue;
    await pause();
    const after = await fileAt(absoluteBelow(git.workTree, path));
    if (after !== undefined) changes.push({ path, before: undefined, after });
  }
  changes.sort((one, other) => (one.path < other.path ? -1 : 1));
  const strange = [...listed.modules, ...listed.repositories, ...listed.unnamable].filter((path) =>
    isFilled(absoluteBelow(git.workTree, path)),
  );
  return { changes, strange };
}

/** Its times say so, where they can. */
function isUntouched(path: string, before: BegunFile, finishedMs: number): boolean {
  if (before.kind !== 'file' || before.changedMs >= finishedMs - TIME_GRAIN_MS) return false;
  const stat = lookAt(path);
  return stat !== undefined && stampOf(stat) === before.stamp;
}

function isSame(before: BegunFile, after: FileNow): boolean {
  if (before.kind === 'link') return after?.kind === 'link' && after.target === before.target;
  return after?.kind === 'file' && after.hash === before.hash && isRunnable(after.mode) === isRunnable(before.mode);
}

/** All that counts of a mode, as for git. */
export function isRunnable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

/** A file, or a folder with anything in it. */
function isFilled(path: string): boolean {
  const place = systemPath(path);
  try {
    const stat = lstatSync(place, { throwIfNoEntry: false });
    return stat !== undefined && (!stat.isDirectory() || readdirSync(place).length > 0);
  } catch {
    return true;
  }
}

async function fileAt(path: string): Promise<FileNow> {
  const stat = lookAt(path);
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
  if (!stat.isFile()) return { kind: 'other' };
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    const hash = await hashOpenFile(file);
    return { kind: 'file', hash, mode: Number(stat.mode) & 0o777, size: Number(stat.size) };
  } finally {
    await file.close();
  }
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A file stands where a folder was.
    return undefined;
  }
}
