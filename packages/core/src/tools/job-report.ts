import type { Job, JobChanges, JobOutput } from '../process/jobs/job.js';
import { describeChanges, describeOutcome, describeOutput } from './shell-report.js';
import { ToolNames } from './tool-names.js';

/** A job as plain data, for programs. */
export interface JobState {
  readonly id: string;
  readonly command: string;
  readonly directory: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly state: 'running' | 'ended';
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly totalBytes: number;
  /** The file with its output, once there is any. */
  readonly outputFile?: string;
  /** What changed in the workspace while it ran, after its call had returned. */
  readonly changes?: JobChanges;
}

const OPEN_WITH = [ToolNames.READ_FILE, ToolNames.GREP];

export function stateOfJob({ id, command, directory, live, outcome, changes }: Job): JobState {
  const { spoolFile } = live.spooled;
  return {
    id,
    command,
    directory,
    startedAt: live.startedAt,
    state: outcome === undefined ? 'running' : 'ended',
    exitCode: outcome?.exitCode ?? null,
    signal: outcome?.signal ?? null,
    durationMs: live.durationMs,
    totalBytes: live.totalBytes,
    ...(spoolFile === undefined ? {} : { outputFile: spoolFile }),
    ...(changes === undefined ? {} : { changes }),
  };
}

/** What is new of a job's output. */
export function describeJobOutput({ live }: Job, output: JobOutput): string {
  const text = describeOutput({ ...output, totalBytes: live.totalBytes, ...live.spooled }, { openWith: OPEN_WITH });
  return text === '' ? '(no new output)' : text;
}

/** What changed while a job ran: names relative to `folder`, and what undo does not cover. A line for each, or none. */
export function describeJobChanges({ changes }: Pick<Job, 'changes'>, folder: string): string[] {
  if (changes === undefined) return [];
  // Whoever else wrote to the workspace meanwhile cannot be told from it.
  return describeChanges(changes, folder).map((line) =>
    line.replace(/^Changed files:/, 'Changed files while it ran in the background:'),
  );
}

/** `job-1 is still running (12 s).`, or how it ended. The model is told so: its end counts as seen. */
export function describeJobEnd(job: Job, folder: string): string {
  const { outcome, id, command, live, endedBecause } = job;
  job.noteEndSeen();
  const seconds = Math.round(live.durationMs / 1000);
  if (outcome === undefined) return `${id} is still running (${seconds} s).`;
  const how = describeOutcome(
    { ...outcome, head: '', tail: '', omittedBytes: 0 },
    { command, timeoutMs: 0, openWith: OPEN_WITH },
  )
    .split('\n')
    .slice(1);
  const because = endedBecause === undefined ? [] : [`Ended because ${endedBecause}.`];
  const said = how.some((line) => /^(?:Exit code|Ended)/.test(line)) ? how : ['Exit code: 0', ...how];
  return [`${id} has ended.`, ...because, ...said, ...describeJobChanges(job, folder)].join('\n');
}
