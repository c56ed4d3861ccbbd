import {
  closeSync,
  fstatSync,
  fsync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { systemErrorCode } from '../util/failure.js';

/** Told of each step that leaves a trace on the disk, before and after it; tests stop there. */
export type OnStep = (step: string) => void;

/** Makes a folder that only its owner may look into, and those above it. */
export async function makePrivateFolder(path: string, durable: boolean): Promise<void> {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'EEXIST') return;
    // Not mkdir's own recursion: it hides that a file system is read-only.
    if (code !== 'ENOENT' || dirname(path) === path) throw thrown;
    await makePrivateFolder(dirname(path), durable);
    await makePrivateFolder(path, durable);
    return;
  }
  if (durable) await syncFolder(dirname(path));
}

/** Ten times an entry of as many files as are watched at most; what is larger is none. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The text of a small file of the journal; empty for anything else that stands in its place. One by one and at once: for
 * small files that takes a fraction of the time of asking for many.
 */
export function readPrivateFile(path: string): string {
  // O_NONBLOCK: a FIFO must not be waited for.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(file, 'utf8') : '';
  } finally {
    closeSync(file);
  }
}

interface PrivateFile {
  /** In the folder of `path`, which exists. */
  readonly temporary: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly durable: boolean;
}

/** So little is copied into the system's memory faster than another thread is woken for it. */
const SMALL_BYTES = 64 * 1024;

/** Makes or replaces a file that only its owner may read, whole or not at all. */
export async function writePrivateFile(file: PrivateFile): Promise<void> {
  const { temporary, path, bytes, durable } = file;
  try {
    await (bytes.length <= SMALL_BYTES ? writeSmall(file) : writeLarge(file));
    renameSync(temporary, path);
  } catch (thrown) {
    unlinkIfThere(temporary);
    throw thrown;
  }
  if (durable) await syncFolder(dirname(path));
}

async function writeSmall({ temporary, bytes, durable }: PrivateFile): Promise<void> {
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(file, bytes);
    if (durable) await promisify(fsync)(file);
  } finally {
    closeSync(file);
  }
}

async function writeLarge({ temporary, bytes, durable }: PrivateFile): Promise<void> {
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
}

/** So that names survive a power cut. Not every file system can. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle;
  try {
    folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    return;
  }
  try {
    await folder.sync();
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'EINVAL' && systemErrorCode(thrown) !== 'ENOTSUP') throw thrown;
  } finally {
    await folder.close();
  }
}

/** A file that cannot be removed stays as a stray one in a folder of Tenon's own. */
function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // See above.
  }
}
