import { createHash, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Failure } from '../util/failure.js';
import { changed, openEntry, targetSteps, type Place, type TargetSteps } from './target-steps.js';
import type { Resolved } from './workspace-types.js';
import { pathRefusals } from './path-refusals.js';
import { writeFailure } from './write-failure.js';

const HASH_CHUNK_BYTES = 1024 * 1024;

/** What `expected` says when no file may be there. */
export const MISSING = 'missing';

/** A place to write, held by its parent folder. */
export interface WriteHandle {
  readonly resolved: Resolved;
  /** The bytes of the file as it is now; null when there is none. */
  readExisting(): Promise<Buffer | null>;
  /** Opens the file as it is now while `use` runs; null when there is none. */
  useExisting<T>(use: (file: FileHandle) => Promise<T>): Promise<T | null>;
  /**
   * Replaces the file whole or not at all: temporary file beside it, fsync, rename. Keeps the mode, owner and attributes;
   * what cannot be replaced with all of that, or has several names, is overwritten in place. Makes missing folders,
   * which go again when the write fails. `expected`: the SHA-256 (hex) the file must still have, or `missing`.
   * @throws Failure `file_changed`, `permission_denied`, `no_space_left`
   */
  replace(bytes: Uint8Array, expected?: string): Promise<void>;
  /** The single steps, for transactions. */
  readonly steps: TargetSteps;
}

/** SHA-256 of the bytes, hex; `missing` for no file. */
export function contentHash(bytes: Uint8Array | null): string {
  return bytes === null ? MISSING : createHash('sha256').update(bytes).digest('hex');
}

/** The SHA-256 (hex) of an open file, from its start, in memory that does not grow with it. */
export async function hashOpenFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(HASH_CHUNK_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** All bytes of an open file, in one piece: many times fewer steps than `readFile` makes. */
export async function readOpenFile(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
    // It has grown meanwhile. The file's own place is its start still.
    if (filled === buffer.length) return file.readFile();
  }
}

/** What the gate holds for a target. */
export interface HeldTarget extends Place {
  readonly resolved: Resolved;
}

/** Only the gate calls this. `close` lets go of folders that the write made; `walked` stays the caller's. */
export function createWriteHandle(target: HeldTarget): { handle: WriteHandle; close: () => void } {
  const { walked, resolved } = target;
  const { steps, close } = targetSteps(target);
  const name = walked.names.at(-1);
  const useExisting = async <T>(use: (file: FileHandle) => Promise<T>): Promise<T | null> => {
    if (walked.names.length !== 1 || name === undefined || name === '') return null;
    return openEntry({ place: target, folder: walked.parent, name, use });
  };
  const handle: WriteHandle = {
    resolved,
    steps,
    useExisting,
    readExisting: () => useExisting(readOpenFile),
    replace: async (bytes, expected) => {
      if (name === undefined || name === '')
        throw new Failure('target_is_directory', pathRefusals.isFolder(walked.path).message);
      try {
        await replace({ steps, bytes, expected, path: walked.path, name });
      } catch (thrown) {
        steps.unmakeFolders();
        throw writeFailure(thrown, `Cannot write ${resolved.requested}`);
      }
    },
  };
  return { handle, close };
}

interface Replacement {
  readonly steps: TargetSteps;
  readonly bytes: Uint8Array;
  readonly expected: string | undefined;
  readonly path: string;
  readonly name: string;
}

async function replace({ steps, bytes, expected, path, name }: Replacement): Promise<void> {
  await steps.refuseUnlessWritable();
  steps.makeFolders();
  const temporary = `.tenon-${randomBytes(9).toString('hex')}.tmp`;
  const several = steps.stat !== undefined && steps.stat.nlink > 1;
  const staged = several ? undefined : await steps.stage({ name: temporary, bytes });
  try {
    await staged?.synced;
    if (expected !== undefined && ((await steps.use(name, hashOpenFile)) ?? MISSING) !== expected) throw changed(path);
    if (staged === undefined) await steps.overwrite(bytes);
    else if (expected === MISSING) steps.putNew(temporary);
    else steps.put(temporary);
  } catch (thrown) {
    if (staged !== undefined) steps.discard(temporary);
    throw thrown;
  }
  await steps.syncFolder();
}
