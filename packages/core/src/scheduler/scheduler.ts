import { EventQueue } from '../util/event-queue.js';
import type { CallEvent } from './call-events.js';
import { CallLife } from './call-life.js';
import type { CallRequest } from './prepare-call.js';
import type { SchedulerServices } from './services.js';

/**
 * Runs a batch of calls: side by side where their effects do not conflict, in the model's order where they do.
 * Every call gets exactly one `tool-call-end`, also when the signal aborts.
 */
export async function* runCalls(
  calls: readonly CallRequest[],
  services: SchedulerServices,
  signal: AbortSignal,
): AsyncGenerator<CallEvent> {
  const queue = new EventQueue<CallEvent>();
  const lives: CallLife[] = [];
  for (const call of calls) {
    lives.push(new CallLife(call, [...lives], { services, signal, emit: (event) => queue.push(event) }));
  }
  Promise.all(lives.map((life) => life.ended)).then(
    () => queue.end(),
    (reason: unknown) => queue.fail(reason),
  );
  yield* queue;
}
