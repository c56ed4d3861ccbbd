import type { JobEvent } from '@tenon/core';

const LONGEST_COMMAND = 60;

/** What happened to a background job, in one line for the person. */
export function jobLine(event: JobEvent): string {
  const command = event.command.trim().replace(/\s+/g, ' ');
  const short = command.length > LONGEST_COMMAND ? `${command.slice(0, LONGEST_COMMAND)}…` : command;
  const name = `${event.jobId} (${short})`;
  if (event.type === 'job-wait') return `${name} waits for input${event.prompt === '' ? '' : `: ${event.prompt}`}`;
  const { exitCode, signal, durationMs, reason, changes } = event;
  const how = exitCode === null ? `signal ${signal ?? 'unknown'}` : `exit code ${exitCode}`;
  const because = reason === undefined ? '' : `, because ${reason}`;
  const count = changes === undefined ? 0 : changes.created.length + changes.modified.length + changes.deleted.length;
  const changed = count === 0 ? '' : `; ${count === 1 ? '1 file' : `${count} files`} changed meanwhile`;
  return `${name} ended after ${Math.round(durationMs / 1000)} s (${how})${because}${changed}`;
}
