import type { CommandOutcome, CommandRequest } from '../process/command-types.js';
import { attend, type AttendEnd, type Silence } from '../process/attend-command.js';
import { watchedCommand, type CommandViewer, type WatchedEnd } from '../process/command-viewer.js';
import type { Job } from '../process/jobs/job.js';
import type { JobRegistry } from '../process/jobs/job-registry.js';
import type { LiveCommand } from '../process/live-command.js';
import { linearPattern } from '../util/linear-pattern.js';
import { isTaken } from '../process/port-answers.js';
import { ToolError, ToolErrorType } from './tools.js';

/** What to wait for before a command in the background counts as ready. */
export interface Ready {
  port?: number;
  pattern?: string;
}

/** How a call of the shell tool runs. */
export interface ShellRun {
  readonly jobs: JobRegistry;
  readonly request: CommandRequest;
  readonly what: { readonly command: string; readonly directory: string };
  readonly signal: AbortSignal;
  readonly isBackground: boolean;
  readonly ready: Ready | undefined;
  /** Time limit in the foreground; in the background how long its start is watched. */
  readonly waitMs: number;
  readonly onTimeout: 'background' | 'end';
  readonly onSilence: (newest: string, silence: Silence) => void;
  /** Somebody who shows a command that the call waits for. */
  readonly viewer?: { readonly callId: string; readonly show: CommandViewer };
  /** Where the shell writes down what the next call starts with. */
  readonly stateFile?: string;
}

/** The command ended, or it goes on as a job; then `end` is what let the call return. */
export type ShellEnd =
  | { readonly kind: 'ended'; readonly outcome: CommandOutcome; readonly job?: Job; readonly prompt?: string }
  | { readonly kind: 'job'; readonly job: Job; readonly end: Exclude<AttendEnd, { readonly kind: 'exit' }> };

const NEWEST_BYTES = 4096;

/** @throws ToolError, Failure when it cannot be started in the background */
export async function runInShell(run: ShellRun): Promise<ShellEnd> {
  return run.isBackground ? runInBackground(run) : runInForeground(run);
}

/** A command that dies at once is told like any other that ended. */
async function runInBackground({ jobs, request, what, ready, signal, waitMs }: ShellRun): Promise<ShellEnd> {
  const pattern = ready?.pattern === undefined ? {} : { pattern: { pattern: linearPattern(ready.pattern), from: 0 } };
  const port = ready?.port === undefined ? {} : { port: ready.port };
  if (ready?.port !== undefined && (await isTaken(ready.port))) throw portIsTaken(ready.port);
  const job = await jobs.launch(request, what);
  const end = await attend(job.live, { timeoutMs: waitMs, signal, ...pattern, ...port });
  if (end.kind === 'exit') return { kind: 'ended', outcome: end.outcome, job };
  if (end.kind === 'cancelled') return { kind: 'ended', outcome: await job.live.stop('cancelled'), job };
  return { kind: 'job', job, end };
}

function portIsTaken(port: number): ToolError {
  return new ToolError(
    ToolErrorType.SHELL_EXECUTE_ERROR,
    `Port ${port} answers already, so that nobody could tell when the command is ready. Nothing was started: stop what listens there, or use another port.`,
  );
}

async function runInForeground(run: ShellRun): Promise<ShellEnd> {
  const begin = performance.now();
  const live = await run.jobs.start(run.request);
  if (typeof live === 'string') return { kind: 'ended', outcome: notRun('not-started', begin, live) };
  const { viewer } = run;
  if (viewer === undefined) return attendInForeground(run, live);
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    void live.stop('stopped');
  };
  const tell = viewer.show(watchedCommand(viewer.callId, live, stop));
  let last: WatchedEnd = { ending: 'cancelled', exitCode: null, signal: null };
  try {
    const end = await attendInForeground(run, live);
    last = end.kind === 'job' ? { ending: 'background', exitCode: null, signal: null } : end.outcome;
    return isStopped ? withStopNote(end) : end;
  } finally {
    tell(last);
  }
}

/** The model must know that it was the person, and not the command. */
function withStopNote(end: ShellEnd): ShellEnd {
  if (end.kind !== 'ended' || end.outcome.ending !== 'stopped') return end;
  const notes = [...(end.outcome.notes ?? []), 'The user stopped the command where it was shown to them.'];
  return { ...end, outcome: { ...end.outcome, notes } };
}

async function attendInForeground(run: ShellRun, live: LiveCommand): Promise<ShellEnd> {
  const { jobs, what, signal, waitMs, onTimeout } = run;
  const end = await attend(live, {
    timeoutMs: waitMs,
    signal,
    onSilence: (silence) => run.onSilence(live.newest(NEWEST_BYTES), silence),
  });
  const ended = (outcome: CommandOutcome, prompt?: string): ShellEnd => ({
    kind: 'ended',
    outcome,
    ...(prompt === undefined ? {} : { prompt }),
  });
  if (end.kind === 'exit') return ended(end.outcome);
  if (end.kind === 'cancelled') return ended(await live.stop('cancelled'));
  const goesOn = end.kind === 'input' ? live.stdin !== undefined : onTimeout === 'background';
  const job = goesOn ? jobs.adopt(live, what) : undefined;
  if (job !== undefined) return { kind: 'job', job, end };
  if (end.kind === 'input') return ended(await live.stop('waits-for-input'), end.prompt);
  return ended(await live.stop('timed-out'));
}

/** The outcome of a command that never ran. */
export function notRun(ending: 'cancelled' | 'not-started', begin: number, startError?: string): CommandOutcome {
  return {
    head: '',
    tail: '',
    totalBytes: 0,
    omittedBytes: 0,
    exitCode: null,
    signal: null,
    ending,
    endedProcesses: 0,
    durationMs: performance.now() - begin,
    ...(startError === undefined ? {} : { startError }),
  };
}
