import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { constants, open, type FileHandle } from 'node:fs/promises';
import { Failure, systemErrorCode } from '../util/failure.js';
import type { Walked } from './path-walk.js';
import type { Pin, Pinner } from './pin.js';
import { systemFailure } from './system-failure.js';
import type { Resolved } from './workspace-types.js';

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
   * Replaces the file whole or not at all: temporary file beside it, fsync, rename. Keeps the mode; makes missing
   * folders, which go again when the write fails. `expected`: the SHA-256 (hex) the file must still have, or `missing`.
   * @throws Failure `file_changed`, `permission_denied`, `no_space_left`
   */
  replace(bytes: Uint8Array, expected?: string): Promise<void>;
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

interface Place {
  readonly walked: Walked;
  readonly resolved: Resolved;
  readonly pinner: Pinner;
}

/** Only the gate calls this. `close` lets go of folders that the write made; `walked` stays the caller's. */
export function createWriteHandle(place: Place): { handle: WriteHandle; close: () => void } {
  const held: Pin[] = [];
  const { parent, names } = place.walked;
  const handle: WriteHandle = {
    resolved: place.resolved,
    readExisting: () => withExisting(place, { folder: parent, names }, (file) => file.readFile()),
    useExisting: (use) => withExisting(place, { folder: parent, names }, use),
    replace: async (bytes, expected) => {
      const made: MadeFolder[] = [];
      try {
        const folder = makeFolders(place, held, made);
        await replaceIn({ place, folder, name: lastName(place.walked), bytes, expected });
      } catch (thrown) {
        for (const { within, name } of made.reverse()) removeEmptyFolder(`${within.at}/${name}`);
        throw systemFailure(thrown, `Cannot write ${place.resolved.requested}`);
      }
    },
  };
  return { handle, close: () => held.forEach((pin) => pin.close()) };
}

function lastName(walked: Walked): string {
  const name = walked.names.at(-1);
  if (name === undefined || name === '')
    throw new Failure('target_is_directory', `Path is a folder, not a file: ${walked.path}`);
  return name;
}

interface MadeFolder {
  readonly within: Pin;
  readonly name: string;
}

/** The folder to write in, with those made that are missing; each is held before the next is made in it. */
function makeFolders({ walked, pinner }: Place, held: Pin[], made: MadeFolder[]): Pin {
  let folder = walked.parent;
  for (const name of walked.names.slice(0, -1)) {
    try {
      mkdirSync(`${folder.at}/${name}`);
      made.push({ within: folder, name });
    } catch (thrown) {
      if (systemErrorCode(thrown) !== 'EEXIST') throw thrown;
    }
    folder = pinner.child(folder, name);
    held.push(folder);
    if (!folder.stat.isDirectory()) throw changed(walked.path);
  }
  return folder;
}

interface Replacement {
  readonly place: Place;
  readonly folder: Pin;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: string | undefined;
}

async function replaceIn({ place, folder, name, bytes, expected }: Replacement): Promise<void> {
  const existing = place.walked.object;
  if (existing !== undefined) await refuseUnlessWritable(existing);
  const temporary = `${folder.at}/.tenon-${randomBytes(9).toString('hex')}.tmp`;
  await writeTemporary(temporary, bytes, existing);
  try {
    if (
      expected !== undefined &&
      ((await withExisting(place, { folder, names: [name] }, hashOpenFile)) ?? MISSING) !== expected
    )
      throw changed(place.walked.path);
    if (expected === MISSING) linkExclusively(temporary, `${folder.at}/${name}`, place.walked.path);
    else renameSync(temporary, `${folder.at}/${name}`);
  } catch (thrown) {
    removeQuietly(temporary);
    throw thrown;
  }
  await syncFolder(folder);
}

/** A rename needs no permission on the file it replaces, so ask for it: a read-only file stays as it is (S81). */
async function refuseUnlessWritable(existing: Pin): Promise<void> {
  const file = await open(existing.at, constants.O_WRONLY | constants.O_NONBLOCK);
  await file.close();
}

async function writeTemporary(path: string, bytes: Uint8Array, existing: Pin | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // A new file gets the process' own umask; a replaced one starts closed until its mode is set.
  const file = await open(path, flags, existing === undefined ? 0o666 : 0o600);
  try {
    await writeAll(file, bytes);
    if (existing !== undefined) await keepOwnership(file, existing);
    await file.sync();
  } catch (thrown) {
    removeQuietly(path);
    throw thrown;
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset);
    offset += bytesWritten;
  }
}

async function keepOwnership(file: FileHandle, existing: Pin): Promise<void> {
  const now = await file.stat();
  const { uid, gid, mode } = existing.stat;
  if (now.uid !== uid || now.gid !== gid) {
    try {
      await file.chown(uid, gid);
    } catch (thrown) {
      // Only root may give files away; for everyone else the file becomes theirs, as with any editor that renames.
      if (systemErrorCode(thrown) !== 'EPERM') throw thrown;
    }
  }
  await file.chmod(mode & 0o7777);
}

/** A link fails where a file is: nothing that appeared since is overwritten. */
function linkExclusively(temporary: string, target: string, path: string): void {
  try {
    linkSync(temporary, target);
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'EEXIST') throw changed(path);
    // File systems without hard links: the check of a moment ago has to do.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw thrown;
    renameSync(temporary, target);
    return;
  }
  removeQuietly(temporary);
}

interface Spot {
  readonly folder: Pin;
  readonly names: readonly string[];
}

/** Opens the file that is there now; null when there is none. */
async function withExisting<T>(
  { pinner, walked }: Place,
  { folder, names }: Spot,
  use: (file: FileHandle) => Promise<T>,
): Promise<T | null> {
  const [name] = names;
  if (names.length !== 1 || name === undefined || name === '') return null;
  let pin: Pin;
  try {
    pin = pinner.child(folder, name);
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return null;
    throw thrown;
  }
  try {
    if (!pin.stat.isFile()) throw changed(walked.path);
    const file = await open(pin.at, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      pinner.verify(pin, await file.stat(), walked.path);
      return await use(file);
    } finally {
      await file.close();
    }
  } finally {
    pin.close();
  }
}

/** So that the rename itself survives a power cut. Not every file system can; the data is safe either way. */
async function syncFolder(folder: Pin): Promise<void> {
  try {
    const handle = await open(`${folder.at}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // See above.
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone already, or stays as a stray file with a telling name.
  }
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Something lies in it by now, which is not this write's.
  }
}

function changed(path: string): Failure {
  return new Failure(
    'file_changed',
    `The file changed since it was read: ${path}. Read it again, then repeat the call.`,
  );
}
