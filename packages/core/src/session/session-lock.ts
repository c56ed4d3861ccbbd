import { randomBytes } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
import { systemFailure } from '../files/system-failure.js';
import { writePrivateFile } from '../journal/durable-file.js';
import { PathLocks } from '../journal/path-locks.js';
import { isAlive, isProcessMark, ownMark, type ProcessMark } from '../journal/process-mark.js';
import { Failure, systemErrorCode } from '../util/failure.js';

/** Says beside a log, for as long as its process lives, who writes it. */
const SUFFIX = '.open';
const WAIT_MS = 5_000;

export interface SessionLock {
  /** A sentence, when another process may have the session: it cannot be asked. */
  readonly problem?: string;
  /** Does not throw. */
  release(): void;
}

interface Holder extends ProcessMark {
  readonly token: string;
}

/**
 * Makes a session that of this process. That of a process that was killed is taken over. `locks`: the folder of the
 * locks that processes use among themselves. @throws Failure `session_open` when it is another's, also in this process;
 * that of the system where the lock cannot be written
 */
export async function lockSession(file: string, locks: string): Promise<SessionLock> {
  try {
    return await take(file, locks);
  } catch (thrown) {
    // The locks speak of changes to files, which this is not.
    const cause = thrown instanceof Failure ? thrown.cause : thrown;
    if (systemErrorCode(cause) === undefined) throw thrown;
    throw systemFailure(cause, `This session cannot go on, because its lock beside ${file} cannot be written`);
  }
}

async function take(file: string, locks: string): Promise<SessionLock> {
  const path = file + SUFFIX;
  const token = randomBytes(8).toString('hex');
  return new PathLocks(locks, WAIT_MS).holding([path], async () => {
    const holder = readHolder(path);
    const isOpen = holder === undefined ? false : isAlive(holder);
    if (holder !== undefined && isOpen === true) throw isOpenElsewhere(holder);
    const bytes = Buffer.from(JSON.stringify({ ...ownMark(), token } satisfies Holder));
    await writePrivateFile({ temporary: `${path}.${token}`, path, bytes, durable: false });
    const release = (): void => {
      if (readHolder(path)?.token === token) unlinkQuietly(path);
    };
    if (isOpen === false) return { release };
    return {
      release,
      problem: 'Another machine or container may have this session open; what both write gets mixed up.',
    };
  });
}

/** The number of the process that has a session open, or may have it; undefined when none has. */
export function holderOf(file: string): number | undefined {
  const holder = readHolder(file + SUFFIX);
  return holder === undefined || isAlive(holder) === false ? undefined : holder.pid;
}

function isOpenElsewhere({ pid }: ProcessMark): Failure {
  const where = pid === process.pid ? 'by this program' : `in another process (${pid})`;
  return new Failure(
    'session_open',
    `This session is open ${where}. Go on there, end that one, or begin a copy of it with --fork.`,
  );
}

function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isProcessMark(value)) return undefined;
    return { ...value, token: 'token' in value && typeof value.token === 'string' ? value.token : '' };
  } catch {
    return undefined;
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already.
  }
}
