import type { Config } from '../config/config.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import type { SchedulerServices } from '../scheduler/services.js';
import type { Secrets } from '../secrets/secrets.js';

export type RunCalls = (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;

/** Large, and of no use to a session in which nothing is called. */
async function loadScheduler(given: SchedulerServices) {
  const [{ runCalls }, { withAfterBatch }, { CallStops }] = await Promise.all([
    import('../scheduler/scheduler.js'),
    import('../scheduler/after-batch.js'),
    import('../scheduler/call-stop.js'),
  ]);
  return { runCalls, withAfterBatch, services: { ...given, stops: new CallStops() } };
}

/** Whoever reads them, and wherever they are kept, they hold no secrets. */
async function* hidden(
  events: AsyncIterable<CallEvent>,
  { hideIn }: Pick<Secrets, 'hideIn'>,
): AsyncGenerator<CallEvent> {
  for await (const event of events) yield hideIn(event);
}

/** Runs calls of one agent. After a batch of edits its result tells what is wrong since. */
export function checkedCalls(config: Pick<Config, 'getEditWatch'>, services: SchedulerServices): RunCalls {
  type Loaded = Awaited<ReturnType<typeof loadScheduler>>;
  // Kept, for asking the loader again costs a fifth of a short call.
  let loaded: Loaded | undefined;
  const run = (scheduler: Loaded, ...[calls, signal]: Parameters<RunCalls>): ReturnType<RunCalls> => {
    const events = scheduler.runCalls(calls, scheduler.services, signal);
    const edits = config.getEditWatch();
    const told = edits === undefined ? events : scheduler.withAfterBatch(events, edits, signal);
    return services.secrets === undefined ? told : hidden(told, services.secrets);
  };
  const runFirst: RunCalls = async function* (calls, signal) {
    loaded ??= await loadScheduler(services);
    yield* run(loaded, calls, signal);
  };
  return (calls, signal) => (loaded === undefined ? runFirst(calls, signal) : run(loaded, calls, signal));
}
