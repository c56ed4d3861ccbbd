import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { PipedExit, PipedProcess } from './piped-process.js';
import type { ProcessTree } from './process-tree.js';
import { waitForStragglers } from './wait-for-stragglers.js';

/** How long a program has to end by itself once its input is closed, where nobody says otherwise. */
const DEFAULT_GRACE_MS = 2_000;
/** From TERM to KILL, for the program itself and for what outlived it. */
const TERM_GRACE_MS = 1_000;
const LEFT_GRACE_MS = 100;
/** How long the last output is awaited when something out of reach holds it open. */
const DRAIN_MS = 100;
const POLL_MS = 20;
/** Who started it may have more to do before it reads: what a program wrote that ended at once is kept for so long. */
const UNREAD_MS = 10_000;

export type PipedStreams = Pick<PipedProcess, 'stdin' | 'stdout' | 'stderr'>;

/** A program that was started with three pipes. What it started ends with it, however it ends. */
export class LivePiped implements PipedProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<PipedExit>;
  /** Nothing that it started is left. Never rejects. */
  readonly gone: Promise<void>;
  readonly #tree: ProcessTree;
  #hasExited = false;
  #mayLiveUntil = Number.POSITIVE_INFINITY;
  #ending: Promise<void> | undefined;

  /** To be made in the same turn as the child. */
  constructor(child: ChildProcess, tree: ProcessTree, { stdin, stdout, stderr }: PipedStreams) {
    this.#tree = tree;
    this.pid = tree.root.pid;
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    // Whoever listens is told too; without a listener the error of a closed pipe would end this process.
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      const settle = (code: number | null, signal: string | null): void => {
        this.#hasExited = true;
        tree.rootExited();
        resolve({ code, signal });
      };
      child.once('exit', settle);
      child.on('error', () => settle(null, null));
    });
    this.gone = this.exited.then(async () => {
      await this.#endWhatWasLeft();
      // What nobody reads would hold its pipe open.
      const letGo = (): void => {
        for (const stream of [stdout, stderr]) if (stream.readableFlowing === null) stream.resume();
      };
      setTimeout(letGo, UNREAD_MS).unref();
    });
  }

  async end(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    // Whoever is in more of a hurry is heard.
    this.#mayLiveUntil = Math.min(this.#mayLiveUntil, performance.now() + Math.max(0, graceMs));
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.stdin.end();
    while (!this.#hasExited && performance.now() < this.#mayLiveUntil) {
      await within(this.exited, Math.min(POLL_MS, this.#mayLiveUntil - performance.now()));
    }
    if (!this.#hasExited) await this.#tree.end(TERM_GRACE_MS);
    // After KILL the system may still take a moment to say so; a process stuck in the kernel is not waited for.
    await within(this.gone, TERM_GRACE_MS);
    await this.#drain();
  }

  /** Lets the reader have what is still in the pipes. What is out of reach and holds them open is not waited for. */
  async #drain(): Promise<void> {
    const outputs = [this.stdout, this.stderr];
    const read = outputs.map(async (stream) => finished(stream, { writable: false }).catch(() => undefined));
    await within(Promise.all(read), DRAIN_MS);
    // On a busy machine the timer can come before the bytes that are there already: give them their turn.
    await nextTurn();
    for (const stream of [this.stdin, ...outputs]) stream.destroy();
  }

  async #endWhatWasLeft(): Promise<void> {
    if ((await waitForStragglers(this.#tree)) > 0) await this.#tree.end(LEFT_GRACE_MS);
  }
}

/** Resolves with the promise, or after `ms`; no timer is left then, which would keep this process from ending. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([work, sleep(Math.max(1, ms), undefined, { signal }).catch(() => undefined)]);
  waiting.abort();
}
