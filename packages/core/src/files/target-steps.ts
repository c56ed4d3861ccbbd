import { existsSync, linkSync, mkdirSync, renameSync, rmdirSync, unlinkSync, type Stats } from 'node:fs';
import { constants, open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure, systemErrorCode } from '../util/failure.js';
import type { AttributeCopier } from './keep-attributes.js';
import type { Walked } from './path-walk.js';
import type { Pin, Pinner } from './pin.js';

/** A place to write, judged and held. */
export interface Place {
  readonly walked: Walked;
  readonly pinner: Pinner;
  readonly attributes: AttributeCopier;
}

/** A file that was written beside its target. */
export interface Staged {
  readonly mode: number;
  /** Ends when it is on the disk. It may fail, also when nobody waits for it. */
  readonly synced: Promise<void>;
}

export interface StagedFile {
  /** A free name in the target's folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Permission bits; by default those of the file that is there, for a new one those that the process gives. */
  readonly mode?: number | undefined;
}

/**
 * The single steps of a change of one file, for those who write down each before they make it. A `name` is that of
 * another entry of the target's folder. They throw the system's errors, and `file_changed`.
 */
export interface TargetSteps {
  /** The file as it was when it was judged; undefined when there was none. */
  readonly stat: Stats | undefined;
  /** Folders that were missing on the way then: canonical, outermost first. */
  readonly missingFolders: readonly string[];
  /** Makes the missing folders; gives those that it made and not somebody else. They stay. */
  makeFolders(): readonly string[];
  /** Removes those again that it made, where they are empty. */
  unmakeFolders(): void;
  /** A rename needs no permission on the file it replaces: this asks for it (S81). */
  refuseUnlessWritable(): Promise<void>;
  /**
   * Writes a file beside the target, with the owner, mode and attributes of the one that is there. Undefined, and no
   * file: not all of these could be kept, so the target must be overwritten in place.
   */
  stage(file: StagedFile): Promise<Staged | undefined>;
  /** Opens an entry beside the target; null when there is none. */
  use<T>(name: string, use: (file: FileHandle) => Promise<T>): Promise<T | null>;
  /** The entry takes the target's place. */
  put(name: string): void;
  /** The entry becomes the target, where nothing is yet. @throws Failure `file_changed` when there is something */
  putNew(name: string): void;
  /** A second name for the target; false where the file system has no such thing. */
  linkAside(name: string): boolean;
  /** Another name for the target. */
  moveAside(name: string): void;
  /** Writes over the bytes of the file that was judged, in place: all its names show them. Not whole or not at all. */
  overwrite(bytes: Uint8Array, mode?: number): Promise<void>;
  remove(): void;
  /** Takes the entry out of the folder, to an absolute path on the same file system; false when it is not there. */
  moveOut(name: string, path: string): boolean;
  /** Removes the entry if it is there. */
  discard(name: string): void;
  /** Puts the names in the target's folder on the disk. Not every file system can. */
  syncFolder(): Promise<void>;
}

/** `close` lets go of folders that were made; `place` stays the caller's. */
export function targetSteps(place: Place): { steps: TargetSteps; close: () => void } {
  const { walked } = place;
  const held: Pin[] = [];
  const made: MadeFolder[] = [];
  let folder = walked.names.length === 1 ? walked.parent : undefined;
  const name = walked.names.at(-1) ?? '';
  const at = (entry: string): string => `${folderOf(folder, walked).at}/${entry}`;
  const steps: TargetSteps = {
    stat: walked.object?.stat,
    missingFolders: missingFolders(walked),
    makeFolders: () => {
      folder = makeFolders(place, held, made);
      return made.map(({ path }) => path);
    },
    unmakeFolders: () => {
      for (const { within, name: entry } of made.splice(0).reverse()) removeIfEmpty(`${within.at}/${entry}`);
    },
    refuseUnlessWritable: () => refuseUnlessWritable(walked.object),
    stage: (file) => stage(at(file.name), file, place),
    use: async (entry, use) => (folder === undefined ? null : openEntry({ place, folder, name: entry, use })),
    put: (entry) => renameSync(at(entry), at(name)),
    putNew: (entry) => linkExclusively(at(entry), at(name), walked.path),
    linkAside: (entry) => linkIfPossible(at(name), at(entry)),
    moveAside: (entry) => renameSync(at(name), at(entry)),
    overwrite: (bytes, mode) => overwrite(place, bytes, mode),
    remove: () => unlinkSync(at(name)),
    moveOut: (entry, path) => folder !== undefined && renameIfThere(at(entry), path),
    discard: (entry) => {
      if (folder !== undefined) unlinkIfThere(at(entry));
    },
    syncFolder: () => syncHeldFolder(folder),
  };
  return { steps, close: () => held.forEach((pin) => pin.close()) };
}

function folderOf(folder: Pin | undefined, walked: Walked): Pin {
  if (folder !== undefined) return folder;
  throw new Failure('file_changed', `The folder of ${walked.path} is not there. Try the call again.`);
}

function missingFolders({ path, names }: Walked): string[] {
  const folders: string[] = [];
  for (let [folder, left] = [dirname(path), names.length - 1]; left > 0; left -= 1) {
    folders.unshift(folder);
    folder = dirname(folder);
  }
  return folders;
}

interface MadeFolder {
  readonly within: Pin;
  readonly name: string;
  readonly path: string;
}

/** The folder to write in, with those made that are missing; each is held before the next is made in it. */
function makeFolders({ walked, pinner }: Place, held: Pin[], made: MadeFolder[]): Pin {
  let folder = walked.parent;
  let path = missingFolders(walked).map(dirname)[0] ?? dirname(walked.path);
  for (const name of walked.names.slice(0, -1)) {
    path = join(path, name);
    try {
      mkdirSync(`${folder.at}/${name}`);
      made.push({ within: folder, name, path });
    } catch (thrown) {
      if (systemErrorCode(thrown) !== 'EEXIST') throw thrown;
    }
    folder = pinner.child(folder, name);
    held.push(folder);
    if (!folder.stat.isDirectory()) throw changed(walked.path);
  }
  return folder;
}

/** Removes an empty folder by its held parent; false when it is not there or something lies in it. */
export function removeFolderIfEmpty({ parent, object, names }: Walked): boolean {
  const name = names.at(-1);
  if (object === undefined || name === undefined || name === '' || object === parent) return false;
  return removeIfEmpty(`${parent.at}/${name}`);
}

function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    // It is gone already, or something lies in it by now.
    return false;
  }
}

async function refuseUnlessWritable(existing: Pin | undefined): Promise<void> {
  if (existing === undefined) return;
  const file = await open(existing.at, constants.O_WRONLY | constants.O_NONBLOCK);
  await file.close();
}

async function stage(path: string, wanted: StagedFile, place: Place): Promise<Staged | undefined> {
  const existing = place.walked.object;
  let file: FileHandle;
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    // A new file gets the process' own umask; a replaced one starts closed until its mode is set.
    file = await open(path, flags, existing === undefined ? 0o666 : 0o600);
  } catch (thrown) {
    // A file may be writable in a folder that is not.
    if (existing !== undefined && systemErrorCode(thrown) === 'EACCES') return undefined;
    throw thrown;
  }
  let mode: number | undefined;
  try {
    mode = await fill(file, { path, wanted, place });
  } finally {
    if (mode === undefined) {
      await file.close();
      unlinkIfThere(path);
    }
  }
  if (mode === undefined) return undefined;
  const synced = syncAndClose(file);
  synced.catch(() => undefined);
  return { mode, synced };
}

async function syncAndClose(file: FileHandle): Promise<void> {
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

interface Filling {
  readonly path: string;
  readonly wanted: StagedFile;
  readonly place: Place;
}

/** Gives the mode. Undefined: not all of the old file's nature could be kept. */
async function fill(file: FileHandle, { path, wanted, place }: Filling): Promise<number | undefined> {
  const { walked, attributes } = place;
  const existing = walked.object;
  const keeping = existing === undefined ? Promise.resolve(true) : keepNature(file, { existing, path, attributes });
  const [kept] = await Promise.all([keeping, writeAll(file, wanted.bytes)]);
  if (!kept) return undefined;
  const mode = wanted.mode ?? (existing === undefined ? undefined : existing.stat.mode & 0o7777);
  // Last, because a change of owner and a write both take bits away.
  if (mode !== undefined) await file.chmod(mode);
  return (await file.stat()).mode & 0o7777;
}

interface Nature {
  readonly existing: Pin;
  readonly path: string;
  readonly attributes: AttributeCopier;
}

/** Owner, attributes and access control lists. False when they cannot all be kept. */
async function keepNature(file: FileHandle, { existing, path, attributes }: Nature): Promise<boolean> {
  const now = await file.stat();
  const { uid, gid } = existing.stat;
  if (now.uid !== uid || now.gid !== gid) {
    try {
      await file.chown(uid, gid);
    } catch (thrown) {
      // Only root may give files away.
      if (systemErrorCode(thrown) === 'EPERM') return false;
      throw thrown;
    }
  }
  return attributes.copy(existing.at, path);
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset, offset);
    offset += bytesWritten;
  }
}

/** In order from the start, and cut last: until it is done each byte is the old or the new one of its place. */
async function overwrite({ walked, pinner }: Place, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const pin = walked.object;
  if (pin === undefined) throw changed(walked.path);
  const file = await open(pin.at, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    pinner.verify(pin, await file.stat(), walked.path);
    await writeAll(file, bytes);
    await file.truncate(bytes.length);
    // A write takes bits away, so this one too is last.
    await file.chmod(mode ?? pin.stat.mode & 0o7777).catch((thrown: unknown) => {
      if (mode !== undefined && (pin.stat.mode & 0o7777) !== mode) throw thrown;
    });
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A link fails where a file is: nothing that appeared since is overwritten. */
function linkExclusively(from: string, target: string, path: string): void {
  try {
    if (linkIfPossible(from, target)) unlinkIfThere(from);
    // Without links the check of a moment ago has to do.
    else if (existsSync(target)) throw changed(path);
    else renameSync(from, target);
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'EEXIST') throw changed(path);
    throw thrown;
  }
}

function linkIfPossible(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS' || code === 'EMLINK')
      return false;
    throw thrown;
  }
}

interface Opening<T> {
  readonly place: Place;
  readonly folder: Pin;
  readonly name: string;
  readonly use: (file: FileHandle) => Promise<T>;
}

/** Opens the regular file that has the name now; null when there is none. */
export async function openEntry<T>({ place: { pinner, walked }, folder, name, use }: Opening<T>): Promise<T | null> {
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
      pinner.verify(pin, await file.stat(), join(dirname(walked.path), name));
      return await use(file);
    } finally {
      await file.close();
    }
  } finally {
    pin.close();
  }
}

async function syncHeldFolder(folder: Pin | undefined): Promise<void> {
  if (folder === undefined) return;
  let handle: FileHandle;
  try {
    handle = await open(`${folder.at}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    // Folders that may be written in but not listed cannot be opened.
    return;
  }
  try {
    await handle.sync();
  } catch {
    // Not every file system can.
  } finally {
    await handle.close();
  }
}

function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown;
  }
}

export function changed(path: string): Failure {
  return new Failure(
    'file_changed',
    `The file changed since it was read: ${path}. Read it again, then repeat the call.`,
  );
}
