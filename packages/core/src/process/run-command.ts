import { dirname } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { finished } from 'node:stream/promises';
import type { CommandOutcome, CommandRequest } from './command-types.js';
import { OutputAnnouncer } from './output-announcer.js';
import { OutputCollector } from './output-collector.js';
import { OutputSpool } from './output-spool.js';
import type { ProcessTree } from './process-tree.js';
import { startCommand, type StartedCommand, type TakeOutput } from './start-command.js';

/** What runs commands needs beside the request. */
export interface CommandContext {
  /** Absolute path of the shell. */
  readonly shell: string;
  /** Every command that runs now; added and taken out here. */
  readonly live: Set<ProcessTree>;
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Longest delay that `setTimeout` takes; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** From TERM to KILL when a command is cancelled or out of time. */
const STOP_GRACE_MS = 300;
/** What a command left running may take to end by itself (`> >(tee log)` does), then from TERM to KILL. */
const STRAGGLER_WAITS_MS = [5, 15, 30];
const LEFT_GRACE_MS = 100;
/** How long output is awaited that something out of reach holds open. */
const DRAIN_MS = 100;

/**
 * Runs one command to its end. Memory is bounded whatever it prints; nothing it started is left when
 * the promise resolves. Answers when the command *exits*: a background process that holds the output
 * open does not delay it. Never rejects.
 */
export async function runCommand(
  request: CommandRequest,
  signal: AbortSignal,
  context: CommandContext,
): Promise<CommandOutcome> {
  const begin = performance.now();
  const output = new CommandOutput(request);
  const describe = (
    rest: Pick<CommandOutcome, 'ending' | 'exitCode' | 'signal'> & Partial<CommandOutcome>,
  ): CommandOutcome => ({
    ...output.collected(),
    endedProcesses: 0,
    durationMs: performance.now() - begin,
    ...rest,
  });
  if (signal.aborted) return describe({ ending: 'cancelled', exitCode: null, signal: null });
  const started = await startCommand(request, context.shell, pipeFolderOf(request), output.take);
  if (typeof started === 'string') {
    return describe({ ending: 'not-started', startError: started, exitCode: null, signal: null });
  }
  context.live.add(started.tree);
  try {
    const end = await awaitEnd(started, clampTimer(request.timeoutMs), signal);
    const endedProcesses = end.ending === 'exited' ? await endWhatWasLeft(started.tree) : 0;
    await drain(started, output);
    await output.close();
    return describe({ ending: end.ending, exitCode: end.exit.code, signal: end.exit.signal, endedProcesses });
  } finally {
    context.live.delete(started.tree);
    await output.close();
  }
}

/** Collector, spool and announcements of one command's output. */
class CommandOutput {
  readonly #collector: OutputCollector;
  readonly #spool: OutputSpool | undefined;
  readonly #announcer: OutputAnnouncer | undefined;
  #pending: Promise<void> | undefined;

  constructor({ keepBytes, spoolFile, onOutput }: CommandRequest) {
    const collector = new OutputCollector(keepBytes);
    this.#collector = collector;
    this.#spool = spoolFile === undefined ? undefined : new OutputSpool(spoolFile);
    this.#announcer =
      onOutput === undefined ? undefined : new OutputAnnouncer(onOutput, (limit) => collector.newest(limit));
  }

  readonly take: TakeOutput = (chunk) => {
    const spooling = this.#spool !== undefined && !this.#spool.closed;
    if (spooling && this.#collector.wouldOverflow(chunk.length)) {
      this.#pending = this.#spool?.write(Buffer.concat([this.#collector.everything(), chunk]));
    } else if (spooling && this.#collector.overflowed) {
      this.#pending = this.#spool?.write(chunk);
    } else {
      this.#pending = undefined;
    }
    this.#collector.add(chunk);
    this.#announcer?.changed();
    return this.#pending;
  };

  /** Resolves when the last chunk is in the spool. */
  async settled(): Promise<void> {
    await this.#pending;
  }

  collected(): Pick<CommandOutcome, 'head' | 'tail' | 'totalBytes' | 'omittedBytes' | 'spoolFile' | 'spooledBytes'> {
    const spool = this.#spool;
    const spooled =
      spool === undefined || spool.writtenBytes === 0
        ? {}
        : { spoolFile: spool.path, spooledBytes: spool.writtenBytes };
    return { ...this.#collector.collected(), ...spooled };
  }

  async close(): Promise<void> {
    this.#announcer?.stop();
    await this.#spool?.close();
  }
}

/** Waits for the command's exit, or ends it when its time is over or the call is cancelled. */
async function awaitEnd(
  { child, tree }: StartedCommand,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ readonly ending: 'exited' | 'timed-out' | 'cancelled'; readonly exit: Exit }> {
  let exit: Exit | undefined;
  const exited = new Promise<'exited'>((resolve) => {
    child.once('exit', (code, name) => {
      exit = { code, signal: name };
      tree.rootExited();
      resolve('exited');
    });
  });
  let stop: (why: 'timed-out' | 'cancelled') => void = () => undefined;
  const stopped = new Promise<'timed-out' | 'cancelled'>((resolve) => {
    stop = resolve;
  });
  const cancel = (): void => stop('cancelled');
  const timer = setTimeout(() => stop('timed-out'), timeoutMs);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const ending = await Promise.race([exited, stopped]);
    if (ending !== 'exited') await tree.end(STOP_GRACE_MS);
    return { ending, exit: exit ?? { code: null, signal: ending === 'exited' ? null : 'SIGKILL' } };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

/** Ends what outlived the command; how many processes that were. */
async function endWhatWasLeft(tree: ProcessTree): Promise<number> {
  for (const wait of STRAGGLER_WAITS_MS) {
    if (tree.leftRunning() === 0) return 0;
    await sleep(wait);
  }
  const left = tree.leftRunning();
  if (left > 0) await tree.end(LEFT_GRACE_MS);
  return left;
}

/** Takes what is still in the pipe. What is out of reach and holds it open is not waited for. */
async function drain(started: StartedCommand, output: CommandOutput): Promise<void> {
  const waiting = new AbortController();
  const closed = finished(started.output, { writable: false }).catch(() => undefined);
  await Promise.race([closed, sleep(DRAIN_MS, undefined, { signal: waiting.signal }).catch(() => undefined)]);
  waiting.abort();
  // On a busy machine the timer can come before the bytes that are there already: give them their turn.
  await output.settled();
  await nextTurn();
  await output.settled();
  started.output.destroy();
}

/** The spool's folder is the owner's own; without one the output goes through a socket. */
function pipeFolderOf({ spoolFile }: CommandRequest): string | undefined {
  return spoolFile === undefined ? undefined : dirname(spoolFile);
}

function clampTimer(milliseconds: number): number {
  if (Number.isNaN(milliseconds)) return 1;
  return Math.min(Math.max(1, milliseconds), MAX_TIMER_MS);
}
