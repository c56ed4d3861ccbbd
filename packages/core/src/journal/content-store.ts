import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, stat, utimes, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../util/failure.js';
import { contentHash } from '../files/write-handle.js';
import { makePrivateFolder, syncFolder, writePrivateFile, type OnStep } from './durable-file.js';
import { journalFailure } from './journal-failure.js';

const HASH = /^[0-9a-f]{64}$/;

/**
 * Contents of files by their SHA-256, one file each: `ab/ab34…`. What is there is never written again, except when it
 * is found damaged; keeping it again renews its time, so that what is cleared by age is not what was just asked for.
 */
export class ContentStore {
  readonly #folder: string;
  readonly #onStep: OnStep;

  constructor(folder: string, onStep: OnStep) {
    this.#folder = folder;
    this.#onStep = onStep;
  }

  /** Absolute path of what is kept under a hash, be it there or not. */
  pathOf(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }

  /** Undefined when it is not there or not what it was, and for a hash that is none. @throws Failure of the journal */
  async read(hash: string): Promise<Buffer | undefined> {
    if (!HASH.test(hash)) return undefined;
    try {
      const bytes = await readFile(this.pathOf(hash));
      return contentHash(bytes) === hash ? bytes : undefined;
    } catch (thrown) {
      if (systemErrorCode(thrown) === 'ENOENT') return undefined;
      throw journalFailure(thrown, this.#folder);
    }
  }

  /** @param hash that of `bytes`, when it is known */
  async keep(bytes: Uint8Array, durable: boolean, hash: string = contentHash(bytes)): Promise<string> {
    const path = this.pathOf(hash);
    try {
      if (await isKept(path, bytes, durable)) return hash;
      this.#onStep('before keep');
      await makePrivateFolder(dirname(path), durable);
      const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
      await writePrivateFile({ temporary, path, bytes, durable });
      this.#onStep('after keep');
      return hash;
    } catch (thrown) {
      throw journalFailure(thrown, this.#folder);
    }
  }

  /** The file system that the contents are on. */
  async device(): Promise<number> {
    try {
      await makePrivateFolder(this.#folder, true);
      return (await stat(this.#folder)).dev;
    } catch (thrown) {
      throw journalFailure(thrown, this.#folder);
    }
  }

  /**
   * Takes over a file that nobody has a name for any more, in place of a copy of it. `move`: gives it the path; false
   * when it is not there. Whoever has it open still can write to it: then it is found damaged when it is read.
   */
  async adopt(hash: string, move: (path: string) => boolean): Promise<void> {
    const path = this.pathOf(hash);
    try {
      await makePrivateFolder(dirname(path), true);
      if (!move(path)) return;
      // Another's file that only has to be readable.
      await isolate(path).catch(() => undefined);
      await syncFolder(dirname(path));
    } catch (thrown) {
      throw journalFailure(thrown, this.#folder);
    }
  }
}

async function isolate(path: string): Promise<void> {
  const now = new Date();
  await chmod(path, 0o600);
  await utimes(path, now, now);
}

/** `durable`: it was perhaps kept without care for power cuts, so it is looked through. */
async function isKept(path: string, bytes: Uint8Array, durable: boolean): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return false;
    throw thrown;
  }
  try {
    if ((await file.stat()).size !== bytes.length) return false;
    if (durable) {
      if (Buffer.compare(await file.readFile(), bytes) !== 0) return false;
      await file.sync();
    }
    const now = new Date();
    await file.utimes(now, now);
    // What is cleared away is set aside first, and then looked at once more.
    return (await stat(path)).ino === (await file.stat()).ino;
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return false;
    throw thrown;
  } finally {
    await file.close();
  }
}
