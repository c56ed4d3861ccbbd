import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findDescendants,
  lowestNewPid,
  readProcesses,
  startOfProcess,
  type ProcessRoot,
  type ProcessRow,
} from './process-table.js';
import { treeLife, treeSignal, type TreeState } from './tree-signal.js';

/** How often a tree that was told to end is looked at. */
const POLL_MS = 10;
/** After KILL only a process stuck in the kernel is left; waiting longer would not help. */
const GIVE_UP_MS = 700;
/** The longest that a program of the system, which ends processes, is waited for. */
const PROGRAM_MS = 2_000;

/** Everything that one command started, as long as it lives. Signals go only to processes that were just verified. */
export class ProcessTree {
  readonly root: ProcessRoot;
  readonly #known = new Map<number, number>();
  readonly #begin = performance.now();
  readonly #platform: NodeJS.Platform;
  #rootExited = false;

  /** Call it in the same turn as `spawn`, while even a command that ended at once was not reaped. */
  constructor(pid: number, marker: string, platform: NodeJS.Platform = process.platform) {
    this.root = { pid, started: startOfProcess(pid), marker };
    this.#platform = platform;
  }

  /** From now on the command's own pid may belong to somebody else. */
  rootExited(): void {
    this.#rootExited = true;
  }

  /** The living processes, the command's own only while it was not reaped. */
  living(): ProcessRow[] {
    const lowest = lowestNewPid(this.root.pid, performance.now() - this.#begin);
    const rows = findDescendants(this.root, this.#known, readProcesses(lowest));
    for (const row of rows) this.#known.set(row.pid, row.started);
    return rows;
  }

  /** How many processes outlived the command; where they cannot be listed, 1 stands for a group that is not empty. */
  leftRunning(): number {
    const state = this.#state();
    return treeLife({ ...state, hasExited: true }, this.#platform) === 'group'
      ? Number(this.#hasGroup())
      : state.living.length;
  }

  /** Sends a signal to all of it. */
  signal(name: NodeJS.Signals): void {
    const { pids, program } = treeSignal(this.#state(), name, this.#platform);
    if (program === undefined || !succeeds(program)) for (const pid of pids) send(pid, name);
  }

  /** TERM, and KILL to what is left after `graceMs`. Resolves when nothing is left, or nothing more can be done. */
  async end(graceMs: number): Promise<void> {
    this.signal('SIGTERM');
    // A stopped process acts on TERM only once it goes on.
    this.signal('SIGCONT');
    const begin = performance.now();
    while (this.#isAlive() && performance.now() - begin < graceMs) await sleep(POLL_MS);
    const killed = performance.now();
    while (this.#isAlive() && performance.now() - killed < GIVE_UP_MS) {
      // Again in every round: a process may have been born between the look and the signal.
      this.signal('SIGKILL');
      await sleep(POLL_MS);
    }
  }

  #isAlive(): boolean {
    const life = treeLife(this.#state(), this.#platform);
    return life === 'group' ? this.#hasGroup() : life === 'alive';
  }

  #hasGroup(): boolean {
    return send(-this.root.pid, 0);
  }

  #state(): TreeState {
    const { pid, started } = this.root;
    const living = this.living().map((row) => row.pid);
    return { pid, hasExited: this.#rootExited, isListed: started !== undefined, living };
  }
}

/** Whether a program of the system could be run and says that it did its work. Synchronous: this process may be about to end. */
function succeeds([file, ...args]: readonly [string, ...string[]]): boolean {
  return spawnSync(file, args, { stdio: 'ignore', windowsHide: true, timeout: PROGRAM_MS }).status === 0;
}

/** False when there is no such process, or it is not ours to signal. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
