import type { CommandChanges } from '../files/file-changes.js';
import type { CommandOutcome } from '../process/command-types.js';
import { describeBackground, describeChanges, describeOutcome, type ReportContext } from './shell-report.js';
import type { ShellEnd } from './shell-run.js';
import { ToolNames } from './tool-names.js';
import { ToolErrorType, type ToolResult } from './tools.js';

/** `data` of a result. */
export type ShellData = Omit<CommandOutcome, 'head' | 'tail' | 'ending'> & {
  /** `background`: it goes on as `job`. */
  readonly ending: CommandOutcome['ending'] | 'background';
  readonly directory: string;
  /** The id of the job that it is, or was before it ended. */
  readonly job?: string;
  /** Absent when the command was known to change nothing. */
  readonly changes?: CommandChanges;
};

/** What the report needs to know of the call. */
export interface ShellCall {
  readonly command: string;
  readonly waitMs: number;
  readonly isBackground: boolean;
  /** The first workspace root. */
  readonly root: string;
  readonly directory: string;
  readonly notes: readonly string[];
}

/** A command that ran and exited is a success of the tool, whatever its exit code: `grep` says 1 for "no match". */
export async function resultOf(
  ended: ShellEnd,
  changes: CommandChanges | undefined,
  call: ShellCall,
): Promise<ToolResult> {
  const { said, data, error } = ended.kind === 'job' ? await ofJob(ended, call) : await ofOutcome(ended, call);
  const changed = changes === undefined ? [] : describeChanges(changes, call.root);
  const text = [said, ...changed, ...call.notes].join('\n');
  return {
    llmContent: text,
    returnDisplay: text,
    data: { ...data, directory: call.directory, ...(changes === undefined ? {} : { changes }) } satisfies ShellData,
    ...(error === undefined ? {} : { error }),
  };
}

interface Part {
  readonly said: string;
  readonly data: Omit<ShellData, 'directory'>;
  readonly error?: NonNullable<ToolResult['error']>;
}

async function ofOutcome(
  { outcome, job, prompt }: Extract<ShellEnd, { readonly kind: 'ended' }>,
  call: ShellCall,
): Promise<Part> {
  // It was shown: a later look begins behind it.
  await job?.look();
  job?.noteEndSeen();
  const said = describeOutcome(outcome, contextOf(call, prompt));
  const { head: _head, tail: _tail, ...rest } = outcome;
  const note = job === undefined ? '' : '\nNothing runs in the background: the command ended at once.';
  const data = { ...rest, ...(job === undefined ? {} : { job: job.id }) };
  if (outcome.ending === 'exited') return { said: `${said}${note}`, data };
  return { said, data, error: errorOf(outcome, call.waitMs, prompt) };
}

async function ofJob({ job, end }: Extract<ShellEnd, { readonly kind: 'job' }>, call: ShellCall): Promise<Part> {
  const output = await job.look();
  const { live } = job;
  if (end.kind === 'input') job.noteWaitSeen();
  const said = describeBackground(job, output, { ...contextOf(call), end, isBackground: call.isBackground });
  const data = {
    exitCode: null,
    signal: null,
    ending: 'background' as const,
    job: job.id,
    totalBytes: live.totalBytes,
    omittedBytes: output.omittedBytes,
    endedProcesses: 0,
    durationMs: live.durationMs,
    ...live.spooled,
    ...(live.notes.length === 0 ? {} : { notes: live.notes }),
  };
  return { said, data };
}

function contextOf({ command, waitMs }: ShellCall, prompt?: string): ReportContext {
  return {
    command,
    timeoutMs: waitMs,
    openWith: [ToolNames.READ_FILE, ToolNames.GREP],
    ...(prompt === undefined ? {} : { prompt }),
  };
}

function errorOf(outcome: CommandOutcome, timeoutMs: number, prompt = ''): NonNullable<ToolResult['error']> {
  if (outcome.ending === 'cancelled') return { message: 'The command was cancelled.', type: ToolErrorType.CANCELLED };
  if (outcome.ending === 'stopped') return { message: 'The command was stopped.', type: ToolErrorType.CANCELLED };
  if (outcome.ending === 'timed-out') {
    return { message: `The command did not end within ${timeoutMs / 1000} s.`, type: ToolErrorType.TIMED_OUT };
  }
  if (outcome.ending === 'waits-for-input') {
    const message = `The command waited for input${prompt === '' ? '' : ` (${prompt})`} and was ended.`;
    return { message, type: ToolErrorType.SHELL_EXECUTE_ERROR };
  }
  return {
    message: outcome.startError ?? 'The command could not be started.',
    type: ToolErrorType.SHELL_EXECUTE_ERROR,
  };
}
