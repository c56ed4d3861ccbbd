import type { Config } from '../config/config.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { loadScheduler } from '../scheduler/load-scheduler.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import type { SchedulerServices } from '../scheduler/services.js';
import type { Secrets } from '../secrets/secrets.js';

export type RunCalls = (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;

interface Loaded {
  readonly scheduler: Awaited<ReturnType<typeof loadScheduler>>;
  readonly services: SchedulerServices;
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
  // Kept, for asking the loader again costs a fifth of a short call.
  let loaded: Loaded | undefined;
  const run = (using: Loaded, ...[calls, signal]: Parameters<RunCalls>): ReturnType<RunCalls> => {
    const { scheduler } = using;
    const events = scheduler.runCalls(calls, using.services, signal);
    const edits = config.getEditWatch();
    const told = edits === undefined ? events : scheduler.withAfterBatch(events, edits, signal);
    return services.secrets === undefined ? told : hidden(told, services.secrets);
  };
  const runFirst: RunCalls = async function* (calls, signal) {
    const scheduler = await loadScheduler();
    loaded ??= { scheduler, services: { ...services, stops: new scheduler.CallStops() } };
    yield* run(loaded, calls, signal);
  };
  return (calls, signal) => (loaded === undefined ? runFirst(calls, signal) : run(loaded, calls, signal));
}
