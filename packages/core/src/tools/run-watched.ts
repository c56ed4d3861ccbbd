import type { CallContext } from '../effects/call-context.js';
import type { ToolRuntime } from '../runtime.js';
import { failedResult, ToolErrorType, type ToolResult } from './tools.js';

export interface WatchedRun {
  readonly runtime: Pick<ToolRuntime, 'getFileChanges'>;
  readonly signal: AbortSignal;
  /** Undefined: a program calls the tool itself, and nothing is watched. */
  readonly context: CallContext | undefined;
}

/** Runs what others wrote: whatever it changes in the workspace, by itself or by programs, is found, so that it can be undone. */
export async function runWatched(
  run: () => Promise<ToolResult>,
  { runtime, signal, context }: WatchedRun,
): Promise<ToolResult> {
  if (signal.aborted || context === undefined) return run();
  // The look at the workspace before it takes its time.
  const unlessCancelled = async (): Promise<ToolResult> =>
    signal.aborted ? failedResult(ToolErrorType.CANCELLED, 'The call was cancelled.') : run();
  return (await runtime.getFileChanges().watch(unlessCancelled, context)).result;
}
