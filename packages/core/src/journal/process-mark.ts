import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemErrorCode } from '../util/failure.js';

/** A process, so that it is not taken for a later one of the same number. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, in the system's own count; empty where that cannot be known. */
  readonly start: string;
  /** The machine or container that the number is of. */
  readonly realm: string;
}

export function ownMark(): ProcessMark {
  return { pid: process.pid, start: startOf(process.pid) ?? '', realm: realm() };
}

/** Undefined: it belongs to another machine or container, so it cannot be known. */
export function isAlive({ pid, start, realm: itsRealm }: ProcessMark): boolean | undefined {
  if (itsRealm !== realm()) return undefined;
  const now = startOf(pid);
  if (now !== undefined) return start === '' || now === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemErrorCode(thrown) === 'EPERM';
  }
}

export function isProcessMark(value: unknown): value is ProcessMark {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, start, realm: itsRealm } = value as Partial<Record<keyof ProcessMark, unknown>>;
  return Number.isSafeInteger(pid) && typeof start === 'string' && typeof itsRealm === 'string';
}

/** Undefined where it cannot be known, or there is no such process; a zombie is none. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}

/** Numbers of processes mean something only within a name space of one start of a machine. */
function realm(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
