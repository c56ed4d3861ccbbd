import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { CommandOutput, OutputListener } from './command-output.js';
import type { CommandStdin } from './command-stdin.js';
import type { CommandOutcome, CommandRequest, EndedBy } from './command-types.js';
import type { NewOutput } from './output-collector.js';
import { nameOfProcess } from './process-table.js';
import type { ProcessTree } from './process-tree.js';
import type { CommandExit, StartedCommand } from './started-command.js';
import { waitForStragglers } from './wait-for-stragglers.js';

/** From TERM to KILL: what somebody asked to end may take its time to put things in order. */
const GRACE_MS: Readonly<Record<EndedBy, number>> = {
  'timed-out': 300,
  cancelled: 300,
  'waits-for-input': 300,
  stopped: 2000,
};
/** The same for what a command left running. */
const LEFT_GRACE_MS = 100;
/** How long output is awaited that something out of reach holds open. */
const DRAIN_MS = 100;

/**
 * A command that was started. It ends by itself or by `stop`; nothing it started is left when `ended` resolves,
 * and memory is bounded whatever it prints.
 */
export class LiveCommand {
  readonly request: CommandRequest;
  /** Milliseconds since 1970. */
  readonly startedAt = Date.now();
  /** Answers when the command *exits*: a background process that holds the output open does not delay it. Never rejects. */
  readonly ended: Promise<CommandOutcome>;
  readonly #begin: number;
  readonly #started: StartedCommand;
  readonly #output: CommandOutput;
  readonly #stopped: Promise<EndedBy>;
  #stop: (why: EndedBy) => void = () => undefined;
  #outcome: CommandOutcome | undefined;

  constructor(
    request: CommandRequest,
    {
      started,
      output,
      begin,
    }: { readonly started: StartedCommand; readonly output: CommandOutput; readonly begin: number },
  ) {
    this.request = request;
    this.#started = started;
    this.#output = output;
    this.#begin = begin;
    this.#stopped = new Promise<EndedBy>((resolve) => {
      this.#stop = resolve;
    });
    this.ended = this.#attend();
  }

  get tree(): ProcessTree {
    return this.#started.tree;
  }

  get stdin(): CommandStdin | undefined {
    return this.#started.stdin;
  }

  /** What was not done as asked, known from the start. */
  get notes(): readonly string[] {
    return this.#started.notes;
  }

  /** Undefined while it runs. */
  get outcome(): CommandOutcome | undefined {
    return this.#outcome;
  }

  get totalBytes(): number {
    return this.#output.totalBytes;
  }

  /** How long it has printed nothing, in milliseconds. */
  get silentMs(): number {
    return performance.now() - this.#output.lastAt;
  }

  get durationMs(): number {
    return this.#outcome?.durationMs ?? performance.now() - this.#begin;
  }

  /** Where the output is saved so far. */
  get spooled(): Pick<CommandOutcome, 'spoolFile' | 'spooledBytes'> {
    return this.#output.spooled();
  }

  /** The newest output, at most `limit` bytes of it. */
  newest(limit: number): string {
    return this.#output.newest(limit);
  }

  /** What came after the first `offset` bytes, as far as it is in memory. */
  since(offset: number): NewOutput {
    return this.#output.since(offset, this.#outcome !== undefined);
  }

  /** Tells each piece of output, until the returned function is called. */
  readonly listen = (listener: OutputListener): (() => void) => this.#output.listen(listener);

  /** The short names of the processes that live, its own first. */
  processNames(): string[] {
    const rows = this.tree.living().sort((one, two) => one.started - two.started || one.pid - two.pid);
    return rows.flatMap(({ pid }) => nameOfProcess(pid) ?? []);
  }

  /** The command goes on without anybody who waits for it: its output goes to the file, up to `limit` bytes, and nothing is announced. */
  leaveAlone(limit: number): void {
    this.#output.keepAll(limit);
    this.#output.mute();
  }

  async flush(): Promise<void> {
    await this.#output.flush();
  }

  /** TERM, then KILL, to all of it; how it ended. What ended before stays as it was. */
  async stop(why: EndedBy): Promise<CommandOutcome> {
    this.#stop(why);
    return this.ended;
  }

  async #attend(): Promise<CommandOutcome> {
    const { tree, exited } = this.#started;
    let exit: CommandExit | undefined;
    const byItself = exited.then((how) => {
      exit = how;
      return 'exited' as const;
    });
    const ending = await Promise.race([byItself, this.#stopped]);
    if (ending !== 'exited') await tree.end(GRACE_MS[ending]);
    const endedProcesses = ending === 'exited' ? await endWhatWasLeft(tree) : 0;
    await this.#drain();
    await this.#output.close();
    const end = exit ?? { code: null, signal: 'SIGKILL' };
    const { notes } = this.#started;
    const outcome: CommandOutcome = {
      ...this.#output.collected(),
      ending,
      exitCode: end.code,
      signal: end.signal,
      endedProcesses,
      durationMs: performance.now() - this.#begin,
      ...(notes.length === 0 ? {} : { notes }),
    };
    this.#outcome = (await this.request.whenEnded?.(outcome)) ?? outcome;
    return this.#outcome;
  }

  /** Takes what is still in the pipe. What is out of reach and holds it open is not waited for. */
  async #drain(): Promise<void> {
    const { output, stdin } = this.#started;
    // A terminal is over with its program; what is written to it now would find nobody.
    if (stdin?.isTerminal === false) stdin.close();
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([output.closed, sleep(DRAIN_MS, undefined, { signal }).catch(() => undefined)]);
    waiting.abort();
    // On a busy machine the timer can come before the bytes that are there already: give them their turn.
    await this.#output.settled();
    await nextTurn();
    await this.#output.settled();
    output.destroy();
  }
}

/** Ends what outlived the command; how many processes that were. */
async function endWhatWasLeft(tree: ProcessTree): Promise<number> {
  const left = await waitForStragglers(tree);
  if (left > 0) await tree.end(LEFT_GRACE_MS);
  return left;
}
