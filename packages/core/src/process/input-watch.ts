import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { arch } from 'node:os';
import type { CommandStdin } from './command-stdin.js';
import { plainOutput } from './plain-output.js';
import { activityOf } from './process-table.js';
import type { ProcessTree } from './process-tree.js';

/** What a look at the processes of a command says. */
export interface TreeLook {
  /** Share of one processor used since the look before; 0 at the first. */
  readonly load: number;
  /** Nothing ran since the look before, and a process waits for somebody to type. */
  readonly waitsForInput: boolean;
}

interface InputWatchTarget {
  readonly tree: ProcessTree;
  readonly stdin: CommandStdin | undefined;
  /** The newest output. */
  readonly newest: (limit: number) => string;
}

/** Clock ticks in a second, as the system counts processor time for `/proc` (USER_HZ). */
const TICKS_PER_SECOND = 100;
const MAX_THREADS = 64;
const LONGEST_PROMPT = 300;
/** `read`, and the calls that wait for one of several descriptors, by number (Linux, see syscalls(2)). */
const CALLS: Readonly<Record<string, { readonly read: readonly string[]; readonly wait: readonly string[] }>> = {
  x64: { read: ['0', '17', '19'], wait: ['7', '23', '232', '270', '271', '281', '441'] },
  arm64: { read: ['63', '65', '67'], wait: ['22', '72', '73', '441'] },
};
/** Where a process sleeps in the kernel that reads a terminal or a pipe. */
const READING = /^(?:n_tty_read|(?:anon_)?pipe_read|wait_woken)$/;
/** The end of a line that asks: `Password:`, `[y/N]`, `(y/n)?`, `>>>`, `name: (demo)`. */
const ASKS = /[:?>\])$#%]\s*$/;

/**
 * Finds out whether a command waits for input: nothing of it used the processor since the last look, and one of its
 * processes reads the command's own stdin or a terminal, or waits for several things with stdin among them after
 * having printed a line that asks. Linux only; elsewhere it never does.
 */
export class InputWatch {
  readonly #target: InputWatchTarget;
  #ticks: ReadonlyMap<number, number> | undefined;
  #at = 0;

  constructor(target: InputWatchTarget) {
    this.#target = target;
  }

  look(): TreeLook {
    const { tree, stdin, newest } = this.#target;
    const rows = tree.living().flatMap(({ pid }) => {
      const activity = activityOf(pid);
      return activity === undefined ? [] : [{ pid, ...activity }];
    });
    const before = this.#ticks;
    const elapsed = performance.now() - this.#at;
    this.#ticks = new Map(rows.map(({ pid, ticks }) => [pid, ticks]));
    this.#at = performance.now();
    if (before === undefined) return { load: 0, waitsForInput: false };
    const used = rows.reduce((sum, { pid, ticks }) => sum + ticks - (before.get(pid) ?? 0), 0);
    const load = used / TICKS_PER_SECOND / (Math.max(elapsed, 1) / 1000);
    const isIdle = used === 0 && rows.every(({ pid, sleeps }) => sleeps && before.has(pid));
    if (!isIdle) return { load, waitsForInput: false };
    const asks = ASKS.test(promptOf(newest(LONGEST_PROMPT)));
    const pids = rows.map(({ pid }) => pid);
    return { load, waitsForInput: pids.some((pid) => waits(pid, stdin, asks)) && !pids.some(ownsTerminal) };
  }
}

/** The last, unfinished line of an output: where a program asks. Empty when it ended its line. */
export function promptOf(output: string): string {
  const line = plainOutput(output).split('\n').at(-1) ?? '';
  return line.slice(-LONGEST_PROMPT).trim();
}

/** Whether some thread of a process waits for what somebody may type. */
function waits(pid: number, stdin: CommandStdin | undefined, asks: boolean): boolean {
  return namesIn(`/proc/${pid}/task`)
    .slice(0, MAX_THREADS)
    .some((thread) => threadWaits(pid, thread, stdin, asks));
}

function threadWaits(pid: number, thread: string, stdin: CommandStdin | undefined, asks: boolean): boolean {
  const [call = '', first = ''] = readQuietly(`/proc/${pid}/task/${thread}/syscall`).split(' ');
  const calls = CALLS[arch()];
  if (calls !== undefined && /^\d+$/.test(call)) {
    if (calls.read.includes(call)) return isInput(pid, Number.parseInt(first, 16), stdin);
    return asks && calls.wait.includes(call) && isInput(pid, 0, stdin);
  }
  // The system hides the calls of other processes: where the thread sleeps has to do.
  if (!isInput(pid, 0, stdin)) return false;
  return asks || READING.test(readQuietly(`/proc/${pid}/task/${thread}/wchan`));
}

/**
 * Whether a process has the other side of a terminal: what reads there is answered from within the command, as tests of
 * terminal programs do, however long they take.
 */
function ownsTerminal(pid: number): boolean {
  return namesIn(`/proc/${pid}/fd`).some((name) => /^\/dev\/(?:pts\/)?ptmx$/.test(linkOf(`/proc/${pid}/fd/${name}`)));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Whether a descriptor is the command's own stdin as we gave it, or any terminal. */
function isInput(pid: number, descriptor: number, stdin: CommandStdin | undefined): boolean {
  const path = `/proc/${pid}/fd/${descriptor}`;
  if (/^\/dev\/(?:pts\/\d+|tty\w*|console)$/.test(linkOf(path))) return true;
  try {
    if (stdin?.pipe === undefined) return false;
    const { dev, ino } = statSync(path);
    return dev === stdin.pipe.dev && ino === stdin.pipe.ino;
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
