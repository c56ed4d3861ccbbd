import { lstatSync } from 'node:fs';
import { namablePart, systemPath } from '../files/escaped-bytes.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';

/**
 * The gate has the last word on every file that is shown: allowed, and really where it was found. One that is gone has
 * nothing to show; in the place of one there may be by now what must not be opened.
 */
export function showableAmong(gate: WorkspaceGate, paths: readonly string[]): ReadonlySet<string> {
  const inPlace = gate.filesInPlace(paths);
  return new Set(paths.filter((path) => inPlace.has(path) || isShowable(gate, path)));
}

function isShowable(gate: WorkspaceGate, path: string): boolean {
  // The gate takes no names that are no text; such a file is judged by the folder it lies in.
  const judged = namablePart(path);
  try {
    const { path: real, kind } = gate.resolve(judged, { toRead: true });
    return real === judged && (judged === path ? kind === 'file' || kind === 'missing' : isFileOrGone(path));
  } catch {
    return false;
  }
}

function isFileOrGone(path: string): boolean {
  return lstatSync(systemPath(path), { throwIfNoEntry: false })?.isFile() !== false;
}

interface Identity {
  readonly dev: number;
  readonly ino: number;
  readonly birthtimeMs: number;
  readonly ctimeMs: number;
  readonly mtimeMs: number;
}

/** Undefined when it is no regular file. */
export function identityOf(path: string): Identity | undefined {
  try {
    const stats = lstatSync(systemPath(path));
    return stats.isFile() ? stats : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An engine opens a file by its name: what stood there meanwhile may have been a link to anywhere. The same file before
 * and after was there all the time, or was put back, which changes its `ctime` alone; what is written changes both.
 */
export function isSameFile(before: Identity | undefined, after: Identity | undefined): boolean {
  if (before === undefined || before.dev !== after?.dev || before.ino !== after.ino) return false;
  // Numbers of removed files are used again at once.
  if (before.birthtimeMs !== after.birthtimeMs) return false;
  return before.ctimeMs === after.ctimeMs || before.mtimeMs !== after.mtimeMs;
}
