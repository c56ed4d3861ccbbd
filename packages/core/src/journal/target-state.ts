import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { WorkspaceGate, WriteHandle } from '../files/workspace-gate.js';
import { contentHash, hashOpenFile, readOpenFile } from '../files/write-handle.js';
import { writeFailure } from '../files/write-failure.js';
import type { FileState } from './journal-entry.js';

/** Larger files are not read again where their size and time say that nobody wrote to them. */
const ALWAYS_HASHED_BYTES = 1024 * 1024;
/** A file that was written to so shortly before it was read may be written to again without a new time. */
const TIME_GRAIN_MS = 40;

/** A content as it was read. */
export interface Seen {
  readonly hash: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Date.now() before it was read. */
  readonly readAt: number;
}

/** Holds a target by its canonical path. @throws Failure */
export async function atTarget<T>(
  gate: WorkspaceGate,
  path: string,
  use: (handle: WriteHandle) => Promise<T>,
  spelling: string = path,
): Promise<T> {
  try {
    return await gate.withTarget(spelling, use, { expected: path });
  } catch (thrown) {
    throw writeFailure(thrown, `Cannot change ${path}`);
  }
}

/** The file as it is now, with its bytes; null when there is none. */
export async function readTarget(handle: WriteHandle): Promise<{ bytes: Buffer; seen: Seen; mode: number } | null> {
  return handle.useExisting(async (file) => {
    const readAt = Date.now();
    const stat = await file.stat();
    const bytes = await readOpenFile(file);
    const seen = { hash: contentHash(bytes), size: bytes.length, mtimeMs: stat.mtimeMs, readAt };
    return { bytes, seen, mode: stat.mode & 0o7777 };
  });
}

/** What is at the target now, in memory that does not grow with it. */
export async function stateOf(handle: WriteHandle): Promise<FileState> {
  const describe = async (file: FileHandle): Promise<FileState> => {
    const { size, mode } = await file.stat();
    return { kind: 'file', hash: await hashOpenFile(file), bytes: size, mode: mode & 0o7777 };
  };
  return (await handle.useExisting(describe)) ?? { kind: 'missing' };
}

/** Whether an open file still has the content that was seen. */
export async function isStill(file: FileHandle, seen: Seen): Promise<boolean> {
  const { size, mtimeMs } = await file.stat();
  if (size !== seen.size) return false;
  const timeProves = mtimeMs === seen.mtimeMs && mtimeMs < seen.readAt - TIME_GRAIN_MS;
  return (size > ALWAYS_HASHED_BYTES && timeProves) || (await hashOpenFile(file)) === seen.hash;
}

/** Whether the target still has the content and the mode that were seen. */
export async function isTargetStill(handle: WriteHandle, seen: Seen, mode: number): Promise<boolean> {
  const { stat } = handle.steps;
  if (stat === undefined || (stat.mode & 0o7777) !== mode) return false;
  return (await handle.steps.use(basename(handle.resolved.path), (file) => isStill(file, seen))) === true;
}

/** Whether an overwriting that was cut short may have left this: each byte is the old or the new one of its place. */
export function isMixture(now: Buffer, before: Buffer, after: Buffer): boolean {
  if (now.length < Math.min(before.length, after.length) || now.length > Math.max(before.length, after.length))
    return false;
  // A power cut may leave zeros where the file was to grow.
  for (let at = 0; at < now.length; at += 1) {
    const byte = now[at];
    if (byte !== before[at] && byte !== after[at] && !(byte === 0 && at >= before.length)) return false;
  }
  return true;
}
