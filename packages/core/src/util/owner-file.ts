import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, Failure, systemErrorCode } from './failure.js';

const LARGEST = 8 * 1024 * 1024;
const LOCK_WAIT_MS = 5000;
const LOCK_STALE_MS = 10_000;

/** What a file that only its owner may write holds; `problem`: why it cannot be believed. */
export type OwnerText = { readonly text: string } | { readonly problem: string } | undefined;

/** Undefined when there is no such file. A link, and a file that others own or may change, is not believed. `largest`: bytes. */
export function readOwnerFile(file: string, largest: number = LARGEST): OwnerText {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { problem: code === 'ELOOP' ? 'the file is a symbolic link' : errorMessage(thrown) };
  }
  try {
    const info = fstatSync(descriptor);
    if (!info.isFile()) return { problem: 'it is not a regular file' };
    if (info.size > largest) return { problem: 'the file is too large' };
    if (process.getuid !== undefined && info.uid !== process.getuid())
      return { problem: 'the file is of another user' };
    if (process.platform !== 'win32' && (info.mode & 0o022) !== 0)
      return { problem: 'other users may change the file (chmod 600 it after checking its content)' };
    return { text: readFileSync(descriptor, 'utf8') };
  } catch (thrown) {
    return { problem: errorMessage(thrown) };
  } finally {
    closeSync(descriptor);
  }
}

/** How a file is changed. */
interface OwnerFileChange {
  /** Whether a text is one that this program wrote, whole. */
  readonly isSound: (text: string) => boolean;
  /** May be called again with what another process wrote meanwhile. */
  readonly change: (text: string | undefined) => string;
  /** Bytes that are read at most. */
  readonly largest?: number;
  /** What is thrown where the file is not believed, in place of setting it aside. */
  readonly refuse?: (problem: string) => Failure;
}

/**
 * Replaces the file by what `change` makes of it, whole or not at all, one writer at a time over processes. A file that is
 * not believed, or that `isSound` refuses, is set aside as `….damaged-…` and `change` gets undefined.
 * @throws Failure `file_locked`, and the system's errors
 */
export async function changeOwnerFile(
  file: string,
  { isSound, change, largest = LARGEST, refuse }: OwnerFileChange,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lock = `${file}.lock`;
  const end = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const token = await takeLock(lock, end);
    try {
      await removeLeftovers(file);
      const read = readOwnerFile(file, largest);
      const text = read !== undefined && 'text' in read && isSound(read.text) ? read.text : undefined;
      if (read !== undefined && text === undefined) {
        if (refuse !== undefined) throw refuse('problem' in read ? read.problem : 'it is damaged');
        await setAside(file);
      }
      if (await replaceFile(file, change(text), async () => holds(lock, token))) return;
    } finally {
      if (await holds(lock, token)) await rm(lock, { force: true });
    }
    // The lock was taken over: this process was stopped for long. What others wrote meanwhile is read again.
    if (performance.now() > end) throw locked(lock);
  }
}

/**
 * Runs `work` while this process alone holds the lock, over all processes. The lock of one that is gone is taken over at
 * once, that of one that lives after `staleMs`. @throws Failure `file_locked` after `waitMs`
 */
export async function withFileLock<T>(
  lock: string,
  { waitMs, staleMs }: { readonly waitMs: number; readonly staleMs: number },
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  const token = await takeLock(lock, performance.now() + waitMs, staleMs);
  try {
    return await work();
  } finally {
    if (await holds(lock, token)) await rm(lock, { force: true });
  }
}

/** False when the lock was lost before the new content was in place. */
async function replaceFile(file: string, content: string, isHeld: () => Promise<boolean>): Promise<boolean> {
  const temporary = join(dirname(file), `${prefixOf(file)}${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await isHeld())) return false;
    await rename(temporary, file);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

function prefixOf(file: string): string {
  return `.${basename(file)}.`;
}

/** What a process that was killed while it wrote left: nobody else writes while the lock is held. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder);
  for (const name of names)
    if (name.startsWith(prefixOf(file)) && name.endsWith('.tmp')) await rm(join(folder, name), { force: true });
}

/** `link` never overwrites, so an earlier damaged file stays as well. */
async function setAside(file: string): Promise<void> {
  const aside = `${file}.damaged-${randomUUID().slice(0, 8)}`;
  try {
    await link(file, aside);
    await rm(file);
  } catch {
    // No hard links here, or a folder stands in the way: the name is new, so renaming loses nothing either.
    await rename(file, aside);
  }
}

/** Returns the token that the lock holds. The lock of a process that is gone is taken over at once. */
async function takeLock(lock: string, end: number, staleMs: number = LOCK_STALE_MS): Promise<string> {
  const token = `${process.pid} ${randomUUID()}`;
  for (;;) {
    try {
      const handle = await open(lock, 'wx', 0o600);
      try {
        await handle.writeFile(token);
      } finally {
        await handle.close();
      }
      return token;
    } catch (thrown) {
      if (systemErrorCode(thrown) !== 'EEXIST') throw thrown;
    }
    if (await isLeftBehind(lock, staleMs)) {
      const gone = `${lock}.${randomUUID()}`;
      await rename(lock, gone).catch(() => undefined);
      await rm(gone, { force: true });
    } else if (performance.now() > end) throw locked(lock);
    else await sleep(15);
  }
}

async function isLeftBehind(lock: string, staleMs: number): Promise<boolean> {
  const info = await stat(lock).catch(() => undefined);
  if (info === undefined) return false;
  if (Date.now() - info.mtimeMs > staleMs) return true;
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split(' ')[0]);
  // Between its making and its filling it is empty.
  return Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemErrorCode(thrown) !== 'ESRCH';
  }
}

async function holds(lock: string, token: string): Promise<boolean> {
  return (await readFile(lock, 'utf8').catch(() => '')) === token;
}

function locked(lock: string): Failure {
  return new Failure('file_locked', `${lock} is held by another process`);
}
