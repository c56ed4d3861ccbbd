import type { CommandChanges, GoesOn } from '../files/file-changes.js';
import type { ShellEnd } from './shell-run.js';

/** What became of a command, and of the workspace around it. */
export interface Ran {
  readonly result: ShellEnd;
  readonly changes?: CommandChanges;
}

/** A job goes on behind the result of the call that started it. */
export function goesOn(end: ShellEnd): GoesOn | undefined {
  if (end.kind !== 'job') return undefined;
  const { job } = end;
  return { ended: job.live.ended, follow: (changes) => job.follow(changes) };
}

/** The look at the workspace before a command takes up to seconds: whoever cancels meanwhile does not wait for it. */
export function unlessCancelledBefore(
  watch: (run: () => Promise<ShellEnd>) => Promise<Ran>,
  start: () => Promise<ShellEnd>,
  signal: AbortSignal,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // Cancelled before it begins, a command only says so.
    const onAbort = (): void => void start().then((result) => resolve({ result }), reject);
    signal.addEventListener('abort', onAbort, { once: true });
    const run = (): Promise<ShellEnd> => {
      signal.removeEventListener('abort', onAbort);
      return start();
    };
    watch(run)
      .finally(() => signal.removeEventListener('abort', onAbort))
      .then(resolve, reject);
  });
}
