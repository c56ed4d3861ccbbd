import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { CommandOutput } from './command-output.js';
import type { CommandOutcome, CommandRequest } from './command-types.js';
import { LiveCommand } from './live-command.js';
import type { OutputPipes } from './output-pipe.js';
import type { ProcessTree } from './process-tree.js';
import type { RunningRecord } from './running-record.js';
import { startCommand } from './start-command.js';

/** What runs commands needs beside the request. */
export interface CommandContext {
  /** Absolute path of the shell. */
  readonly shell: string;
  readonly pipes: OutputPipes;
  /** The package that opens terminals, as `import()` takes it. */
  readonly terminalPackage: string;
  /** Descriptors of the terminals that are open. */
  readonly terminals: Set<number>;
  /** Every command that runs now; added and taken out here. */
  readonly live: Set<ProcessTree>;
  /** Where it is written down what runs, for the case that this process is killed. */
  readonly record: RunningRecord | undefined;
}

/** Longest delay that `setTimeout` takes; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs one command to its end, or ends it when its time is over or the call is cancelled. Memory is bounded whatever
 * it prints; nothing it started is left when the promise resolves. Never rejects.
 */
export async function runCommand(
  request: CommandRequest,
  signal: AbortSignal,
  context: CommandContext,
): Promise<CommandOutcome> {
  const begin = performance.now();
  if (signal.aborted) return withoutStart(begin, { ending: 'cancelled' });
  const live = await startLive(request, context);
  if (typeof live === 'string') return withoutStart(begin, { ending: 'not-started', startError: live });
  const cancel = (): void => void live.stop('cancelled');
  const timer = setTimeout(() => void live.stop('timed-out'), clampTimer(request.timeoutMs));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await live.ended;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

/** Starts a command that ends when it likes, or is ended; `timeoutMs` means nothing here. The reason when it cannot start. */
export async function startLive(request: CommandRequest, context: CommandContext): Promise<LiveCommand | string> {
  const begin = performance.now();
  const output = new CommandOutput(request);
  const { live, record } = context;
  const marker = randomUUID();
  record?.announce(marker);
  const started = await startCommand(request, { ...context, marker, pipeFolder: pipeFolderOf(request) }, output.take);
  if (typeof started === 'string') {
    record?.remove(marker);
    await output.close();
    return started;
  }
  live.add(started.tree);
  record?.add(started.tree.root);
  const command = new LiveCommand(request, { started, output, begin });
  void command.ended.then(() => {
    live.delete(started.tree);
    record?.remove(marker);
  });
  return command;
}

/** The outcome of a command that never ran. */
export function withoutStart(
  begin: number,
  how: { readonly ending: 'cancelled' | 'not-started'; readonly startError?: string },
): CommandOutcome {
  return {
    head: '',
    tail: '',
    totalBytes: 0,
    omittedBytes: 0,
    exitCode: null,
    signal: null,
    endedProcesses: 0,
    durationMs: performance.now() - begin,
    ...how,
  };
}

/** The spool's folder is the owner's own; without one the output goes through a socket. */
function pipeFolderOf({ spoolFile }: CommandRequest): string | undefined {
  return spoolFile === undefined ? undefined : dirname(spoolFile);
}

export function clampTimer(milliseconds: number): number {
  if (Number.isNaN(milliseconds)) return 1;
  return Math.min(Math.max(1, milliseconds), MAX_TIMER_MS);
}
