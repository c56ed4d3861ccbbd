import type { ChildProcess } from 'node:child_process';

/** Ends a child that was started as the first of a process group (`detached`), with all that is in the group. Not on Windows, which has none. */
export function killGroup({ pid, exitCode, signalCode }: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
