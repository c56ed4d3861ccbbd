import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Failure, systemErrorCode } from '../util/failure.js';
import { makePrivateFolder } from './durable-file.js';
import { journalFailure } from './journal-failure.js';
import { isAlive, isProcessMark, ownMark, type ProcessMark } from './process-mark.js';

const WAIT_LIMIT_MS = 10_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
/** After it the lock of a process that cannot be asked after is taken: locks are held for milliseconds. */
const STRANGER_LIMIT_MS = 60_000;
/** Where there are no links a lock is made empty, and its holder's mark is written into it at once. */
const EMPTY_LIMIT_MS = 1_000;
/** What a file system says that has no links, or no more of them. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'EOPNOTSUPP',
  'ENOTSUP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
]);

type Link = (existing: string, path: string) => void;

export interface HeldLocks {
  /** @throws Failure `file_busy` when another process has taken one of them: nothing may be changed any more */
  verify(): void;
}

/**
 * Locks by name, held by one holder at a time among all processes that use the folder. A lock is a second name of its
 * holder's own file, so it is there whole or not at all, and its holder can tell it from that of another. Where there are
 * no second names it is a file of its own, which its holder keeps open so that its inode is not given to another.
 */
export class PathLocks {
  readonly #folder: string;
  /** Ends of the queues of this process. */
  readonly #queues = new Map<string, Promise<void>>();
  readonly #waitLimitMs: number;
  readonly #link: Link;

  /** `link`: makes a second name for a file, and throws the system's error where there are none. */
  constructor(folder: string, waitLimitMs: number = WAIT_LIMIT_MS, link: Link = linkSync) {
    this.#folder = folder;
    this.#waitLimitMs = waitLimitMs;
    this.#link = link;
  }

  /** @throws Failure `file_busy` after ten seconds of waiting */
  async holding<T>(names: readonly string[], use: (locks: HeldLocks) => Promise<T>): Promise<T> {
    const deadline = Date.now() + this.#waitLimitMs;
    // In one order for all, so that no two wait for each other.
    const sorted = [...new Set(names)].sort();
    const leave = await this.#enterQueues(sorted);
    try {
      return await this.#holdingFiles(sorted, deadline, use);
    } finally {
      leave();
    }
  }

  async #enterQueues(names: readonly string[]): Promise<() => void> {
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const before = names.flatMap((name) => this.#queues.get(name) ?? []);
    const ends = names.map(
      (name) => [name, Promise.all([left, this.#queues.get(name)]).then(() => undefined)] as const,
    );
    for (const [name, end] of ends) this.#queues.set(name, end);
    await Promise.all(before);
    return () => {
      for (const [name, end] of ends) if (this.#queues.get(name) === end) this.#queues.delete(name);
      leave();
    };
  }

  async #holdingFiles<T>(
    names: readonly string[],
    deadline: number,
    use: (locks: HeldLocks) => Promise<T>,
  ): Promise<T> {
    const own = join(this.#folder, `holder-${process.pid}-${randomBytes(6).toString('hex')}`);
    const held: Held[] = [];
    try {
      try {
        await makePrivateFolder(this.#folder, false);
        writeFileSync(own, JSON.stringify(ownMark()), { flag: 'wx', mode: 0o600 });
        for (const name of names) {
          const path = join(this.#folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`);
          held.push(await take({ own, path, name, deadline, link: this.#link }));
        }
      } catch (thrown) {
        throw journalFailure(thrown, this.#folder);
      }
      return await use({ verify: () => held.forEach(verify) });
    } finally {
      held.forEach(release);
      unlinkQuietly(own);
    }
  }
}

interface Held {
  readonly path: string;
  readonly name: string;
  readonly ino: number;
  /** Open where the lock is a file of its own. */
  readonly file?: number;
}

interface Wanted {
  readonly own: string;
  readonly path: string;
  readonly name: string;
  readonly deadline: number;
  readonly link: Link;
}

async function take(wanted: Wanted): Promise<Held> {
  const { path, name, deadline } = wanted;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const taken = takeIfFree(wanted);
    if (taken !== undefined) return taken;
    const holder = readHolder(path);
    if (holder === undefined) continue;
    if (isDead(holder)) {
      steal(path);
      continue;
    }
    if (Date.now() > deadline) {
      const who = holder.mark === undefined ? 'another process' : `another Tenon process (pid ${holder.mark.pid})`;
      throw new Failure('file_busy', `${name} is being changed by ${who}. Try again when it is done.`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}

/** Undefined when somebody has it. */
function takeIfFree({ own, path, name, link }: Wanted): Held | undefined {
  try {
    try {
      link(own, path);
      return { path, name, ino: lstatSync(own).ino };
    } catch (thrown) {
      if (!NO_LINKS.has(systemErrorCode(thrown))) throw thrown;
    }
    return makeLock(path, name);
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'EEXIST') return undefined;
    throw thrown;
  }
}

function makeLock(path: string, name: string): Held {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, JSON.stringify(ownMark()));
    return { path, name, ino: fstatSync(file).ino, file };
  } catch (thrown) {
    closeSync(file);
    unlinkQuietly(path);
    throw thrown;
  }
}

interface Holder {
  readonly mark: ProcessMark | undefined;
  readonly isEmpty: boolean;
  readonly ageMs: number;
}

/** Undefined when the lock was let go of meanwhile. */
function readHolder(path: string): Holder | undefined {
  try {
    const ageMs = Date.now() - lstatSync(path).mtimeMs;
    const json = readFileSync(path, 'utf8');
    return { mark: parseMark(json), isEmpty: json === '', ageMs };
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

function parseMark(json: string): ProcessMark | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isProcessMark(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isDead({ mark, isEmpty, ageMs }: Holder): boolean {
  if (isEmpty) return ageMs > EMPTY_LIMIT_MS;
  const alive = mark === undefined ? undefined : isAlive(mark);
  return alive === undefined ? ageMs > STRANGER_LIMIT_MS : !alive;
}

/**
 * Takes the lock of a dead process away. Two may do so at once, so that the second takes away the lock of the first: it
 * sees that when it has it, and puts it back; whoever lost a lock learns it from `verify`.
 */
function steal(path: string): void {
  const away = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(path, away);
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return;
    throw thrown;
  }
  const holder = readHolder(away);
  if (holder === undefined || isDead(holder)) unlinkQuietly(away);
  else renameSync(away, path);
}

function verify({ path, ino, name }: Held): void {
  let found: number | undefined;
  try {
    found = lstatSync(path).ino;
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown;
  }
  if (found !== ino) throw new Failure('file_busy', `${name} is being changed by another Tenon process. Try again.`);
}

function release({ path, ino, file }: Held): void {
  try {
    if (lstatSync(path).ino === ino) unlinkSync(path);
  } catch {
    // Taken by another, which `verify` has told of.
  }
  if (file !== undefined) closeSync(file);
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone, or stays as a stray file in a folder of Tenon's own.
  }
}
