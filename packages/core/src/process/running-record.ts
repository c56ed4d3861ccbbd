import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { startOfProcess, type ProcessRoot, type RecordedCommand } from './process-table.js';

/** Where a number of a process means something: this run of the system, this PID namespace. */
export interface NumberSpace {
  readonly boot: string;
  readonly pids: string;
}

/** What one Tenon wrote down, as far as it can be read. */
export interface RecordedCommands {
  readonly space: NumberSpace | undefined;
  readonly commands: readonly RecordedCommand[];
}

/** Lines after which the file is written anew with what still runs. */
const TIDY_AFTER = 500;
/** A file that is longer is nobody's list of running commands. */
const LONGEST_FILE = 4 * 1024 * 1024;
const ENDING = '.jsonl';
/** Of one that is being written and gets its name when it is whole. */
const DRAFT_ENDING = '.new';
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * What this process runs now, in a file of its own that outlives a kill: a line of JSON with the marker of a command before
 * it is started, and one with the number and the start of its process behind that. Writing is best effort: without it,
 * commands run as well.
 */
export class RunningRecord {
  readonly #folder: string;
  /** Without its ending. One process can have several. */
  readonly #path: string;
  readonly #living = new Map<string, RecordedCommand>();
  readonly #ownStart = startOfProcess(process.pid);
  #file: number | undefined;
  #lines = 0;

  /** `folder`: absolute; made when something is to be written. Nobody but Tenon should be able to write to it. */
  constructor(folder: string) {
    this.#folder = folder;
    const owner = `${process.pid}-${this.#ownStart ?? 0}`;
    this.#path = join(folder, `${owner}-${randomBytes(4).toString('hex')}`);
  }

  /** To be called before it is started: whoever is killed between the two leaves nothing that is not known of. */
  announce(marker: string): void {
    const started = this.#ownStart;
    if (started !== undefined) this.#write({ started, marker });
  }

  add({ pid, started, marker }: ProcessRoot): void {
    // Where processes cannot be told apart by their start, nothing could be found again.
    if (started !== undefined) this.#write({ pid, started, marker });
  }

  /** It has ended, or could not be started. */
  remove(marker: string): void {
    this.#living.delete(marker);
  }

  /** Nothing runs any more. More may be added later. */
  close(): void {
    this.#living.clear();
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    attempt(() => closeSync(file));
    attempt(() => unlinkSync(this.#path + ENDING));
  }

  #write(command: RecordedCommand): void {
    this.#living.set(command.marker, command);
    attempt(() => {
      if (this.#file === undefined || this.#lines >= TIDY_AFTER) this.#writeAnew();
      else this.#append(command);
    });
  }

  #append(command: RecordedCommand): void {
    if (this.#file === undefined) return;
    writeSync(this.#file, `${JSON.stringify(command)}\n`);
    this.#lines += 1;
  }

  #writeAnew(): void {
    const previous = this.#file;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const draft = this.#path + DRAFT_ENDING;
    attempt(() => unlinkSync(draft));
    this.#file = openSync(draft, APPEND, 0o600);
    writeSync(this.#file, `${JSON.stringify(numberSpace())}\n`);
    this.#lines = 0;
    for (const command of this.#living.values()) this.#append(command);
    renameSync(draft, this.#path + ENDING);
    if (previous !== undefined) closeSync(previous);
  }
}

/** The Tenon that owns a record, or the draft of one, by the file's name. */
export function ownerOfRecord(name: string): { readonly pid: number; readonly started: number } | undefined {
  const match = /^(\d{1,10})-(\d{1,16})(?:-[\da-f]{8})?\.(?:jsonl|new)$/.exec(name);
  return match === null ? undefined : { pid: Number(match[1]), started: Number(match[2]) };
}

/** Undefined when it cannot be read at all. Lines that are torn or no command's are left out. */
export function readRecord(path: string): RecordedCommands | undefined {
  try {
    if (statSync(path).size > LONGEST_FILE) return { space: undefined, commands: [] };
    const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n').map(parseQuietly);
    const commands = new Map(rest.filter(isCommand).map((command) => [command.marker, command]));
    return { space: isNumberSpace(first) ? first : undefined, commands: [...commands.values()] };
  } catch {
    return undefined;
  }
}

export function numberSpace(): NumberSpace {
  return { boot: textOf('/proc/sys/kernel/random/boot_id'), pids: linkOf('/proc/self/ns/pid') };
}

function isNumberSpace(value: unknown): value is NumberSpace {
  const { boot, pids } = fieldsOf(value);
  return typeof boot === 'string' && typeof pids === 'string';
}

function isCommand(value: unknown): value is RecordedCommand {
  const { pid, started, marker } = fieldsOf(value);
  const isCount = (number: unknown): boolean => Number.isSafeInteger(number) && Number(number) > 0;
  const canBeIts = pid === undefined || (isCount(pid) && pid !== 1);
  return canBeIts && isCount(started) && typeof marker === 'string' && /^[\da-f-]{36}$/.test(marker);
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parseQuietly(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // A disk that is full or a folder that is gone must not keep a command from running.
  }
}
