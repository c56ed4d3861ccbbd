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
  const inner = new AbortController();
  // One signal for each call: all of them listening to one would cost the square of their number.
  const ownSignal = (): AbortSignal => {
    const signal = AbortSignal.any([outer, inner.signal]);
    setMaxListeners(0, signal);
    return signal;
  };
  const queue = new EventQueue<CallEvent>();
  const lives: CallLife[] = [];
  for (const call of calls) {
    lives.push(new CallLife(call, [...lives], { services, signal: ownSignal(), emit: (event) => queue.push(event) }));
  }
  const allEnded = Promise.all(lives.map((life) => life.ended)).then(() => queue.end());
  try {
    yield* queue;
  } finally {
    inner.abort(new Error('the reader stopped'));
    await allEnded;
  }
}
