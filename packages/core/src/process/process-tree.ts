import { setTimeout as sleep } from 'node:timers/promises';
import { findDescendants, startOfProcess, type ProcessRoot, type ProcessRow } from './process-table.js';

/** How often a tree that was told to end is looked at. */
const POLL_MS = 10;
/** After KILL only a process stuck in the kernel is left; waiting longer would not help. */
const GIVE_UP_MS = 700;

/** Everything that one command started, as long as it lives. Signals go only to processes that were just verified. */
export class ProcessTree {
  readonly root: ProcessRoot;
  readonly #known = new Map<number, number>();
  #rootExited = false;

  /** Call it in the same turn as `spawn`, while even a command that ended at once was not reaped. */
  constructor(pid: number, marker: string) {
    this.root = { pid, started: startOfProcess(pid), marker };
  }

  /** From now on the command's own pid may belong to somebody else. */
  rootExited(): void {
    this.#rootExited = true;
  }

  /** The living processes, the command's own only while it was not reaped. */
  living(): ProcessRow[] {
    const rows = findDescendants(this.root, this.#known);
    for (const row of rows) this.#known.set(row.pid, row.started);
    return rows;
  }

  /** How many processes outlived the command; where they cannot be listed, 1 stands for a group that is not empty. */
  leftRunning(): number {
    if (this.root.started !== undefined) return this.living().length;
    return send(-this.root.pid, 0) ? 1 : 0;
  }

  /** Sends a signal to all of it. */
  signal(name: NodeJS.Signals): void {
    const rows = this.living();
    // Until it is reaped, nobody else can have the group's number. Elsewhere than on Linux there is nothing better.
    if (!this.#rootExited || this.root.started === undefined) send(-this.root.pid, name);
    for (const { pid } of rows) send(pid, name);
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
    if (this.root.started !== undefined) return this.living().length > 0 || !this.#rootExited;
    return send(-this.root.pid, 0);
  }
}

/** False when there is no such process, or it is not ours to signal. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
