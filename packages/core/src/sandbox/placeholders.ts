import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../util/failure.js';
import { lookAt, namesIn, readText } from './disk.js';

const LEDGER = 'placeholders-';

/** A folder that was made by us: anything else of the same name is somebody's. Numbers of removed ones are given again at once. */
interface Made {
  readonly device: number;
  readonly inode: number;
  readonly birthtimeMs: number;
  users: number;
}

/**
 * The empty folders on which a sandbox mounts what keeps a name from coming into existence: a mount needs something to
 * stand on, and bubblewrap would make it and leave it. They are on the disk while commands run that need them, and are
 * taken away with the last one unless somebody filled or replaced them.
 */
export class Placeholders {
  readonly #made = new Map<string, Made>();
  readonly #ledger: string;

  /** @param folder where it is written down what was made; out of reach of commands */
  constructor(folder: string) {
    this.#ledger = join(folder, `${LEDGER}${process.pid}.json`);
  }

  /**
   * Makes what is missing, and answers what is held. What cannot be made needs no guard; what somebody else made in this
   * moment is for the next plan.
   * @throws the system's error when the disk is full or broken
   */
  hold(wanted: readonly string[]): string[] {
    // Written down first: a session that is killed in between must not leave what nobody knows of.
    this.#record(wanted.filter((path) => !this.#made.has(path)));
    const held: string[] = [];
    try {
      for (const path of wanted) if (this.#hold(path)) held.push(path);
      return held;
    } catch (thrown) {
      this.release(held);
      throw thrown;
    }
  }

  /** To be called with what `hold` answered. */
  release(held: readonly string[]): void {
    for (const path of held) {
      const made = this.#made.get(path);
      if (made === undefined) continue;
      made.users -= 1;
      if (made.users > 0) continue;
      this.#made.delete(path);
      if (isStill(path, made)) removeEmpty(path);
    }
    if (this.#made.size === 0) rmSync(this.#ledger, { force: true });
  }

  /** Whether a path is a placeholder now: it exists, and counts as missing. */
  readonly isHeld = (path: string): boolean => {
    const made = this.#made.get(path);
    return made !== undefined && isStill(path, made);
  };

  #hold(path: string): boolean {
    const known = this.#made.get(path);
    if (known !== undefined && isStill(path, known)) {
      known.users += 1;
      return true;
    }
    if (!makeEmpty(path)) return false;
    const stats = lookAt(path);
    if (stats === undefined) return false;
    this.#made.set(path, { device: stats.dev, inode: stats.ino, birthtimeMs: stats.birthtimeMs, users: 1 });
    return true;
  }

  /** Tells a later session what one that was killed has left. */
  #record(more: readonly string[]): void {
    if (more.length > 0) writeFileSync(this.#ledger, JSON.stringify([...this.#made.keys(), ...more]), { mode: 0o600 });
  }
}

function isStill(path: string, made: Made): boolean {
  const stats = lookAt(path);
  if (stats === undefined || stats.birthtimeMs !== made.birthtimeMs) return false;
  return stats.ino === made.inode && stats.dev === made.device;
}

function makeEmpty(path: string): boolean {
  try {
    if (lookAt(dirname(path))?.isDirectory() !== true) return false;
    mkdirSync(path, { mode: 0o755 });
    return true;
  } catch (thrown) {
    // A folder that we may not write in is one in which the command cannot make anything either.
    const code = systemErrorCode(thrown);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'EEXIST') return false;
    throw thrown;
  }
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Filled meanwhile, from outside: it is somebody's now.
  }
}

/** Takes away what sessions that were killed have left, as far as it is empty still. */
export function removeLeftPlaceholders(folder: string): void {
  for (const name of namesIn(folder)) {
    const pid = Number(/^placeholders-(\d+)\.json$/.exec(name)?.[1]);
    if (!Number.isSafeInteger(pid) || isAlive(pid)) continue;
    for (const path of parseLedger(readText(join(folder, name)) ?? '')) removeEmpty(path);
    rmSync(join(folder, name), { force: true });
  }
}

function parseLedger(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((path): path is string => typeof path === 'string') : [];
  } catch {
    // Cut short by the kill: nothing was made yet.
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return systemErrorCode(thrown) === 'EPERM';
  }
}
