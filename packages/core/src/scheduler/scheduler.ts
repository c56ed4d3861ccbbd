import { setMaxListeners } from 'node:events';
import { EventQueue } from '../util/event-queue.js';
import type { CallEvent } from './call-events.js';
import { CallLife } from './call-life.js';
import type { CallRequest } from './prepare-call.js';
import type { SchedulerServices } from './services.js';

/**
 * Runs a batch of calls: side by side where their effects do not conflict, in the model's order where they do.
 * Every call gets exactly one `tool-call-end`, also when the signal aborts. When the reader stops reading, what
 * still runs is cancelled, and has ended by the time the iteration has.
 */
export async function* runCalls(
  calls: readonly CallRequest[],
  services: SchedulerServices,
  outer: AbortSignal,
): AsyncGenerator<CallEvent> {
  // One signal for each call: all of them listening to one would cost the square of their number.
  const controllers: AbortController[] = [];
  const ownSignal = (): AbortSignal => {
    const controller = new AbortController();
    controllers.push(controller);
    setMaxListeners(0, controller.signal);
    if (outer.aborted) controller.abort(outer.reason);
    return controller.signal;
  };
  const abortAll = (reason: unknown): void => controllers.forEach((controller) => controller.abort(reason));
  const onAbort = (): void => abortAll(outer.reason);
  // A listener for each batch, however many are under way: no leak to be warned about.
  setMaxListeners(0, outer);
  outer.addEventListener('abort', onAbort, { once: true });
  const queue = new EventQueue<CallEvent>();
  const lives: CallLife[] = [];
  for (const call of calls) {
    lives.push(new CallLife(call, [...lives], { services, signal: ownSignal(), emit: (event) => queue.push(event) }));
  }
  let isOver = false;
  const allEnded = Promise.all(lives.map((life) => life.ended)).then(() => {
    isOver = true;
    queue.end();
  });
  try {
    yield* queue;
  } finally {
    if (!isOver) abortAll(new Error('the reader stopped'));
    await allEnded;
    outer.removeEventListener('abort', onAbort);
  }
}
