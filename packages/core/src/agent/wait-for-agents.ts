import type { LoopServices, Stop } from './loop-types.js';

/**
 * The end, once no agent works in the background any more; undefined as soon as one has ended of which the model is to be told:
 * then it is asked again. Only where nobody will prompt it later.
 */
export async function unlessAgentsWork(
  end: Stop,
  { jobs }: Pick<LoopServices, 'jobs'>,
  signal: AbortSignal,
): Promise<Stop | undefined> {
  if (jobs?.waitForAgents === undefined || end.stopReason !== 'completed') return end;
  try {
    return (await jobs.waitForAgents(signal)) ? undefined : end;
  } catch (thrown) {
    if (signal.aborted) return { stopReason: 'cancelled' };
    throw thrown;
  }
}
