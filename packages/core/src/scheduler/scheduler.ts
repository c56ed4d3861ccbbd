import { setMaxListeners } from 'node:events';
import { EventQueue } from '../util/event-queue.js';
import type { CallEvent } from './call-events.js';
import { CallLife } from './call-life.js';
import type { CallRequest } from './prepare-call.js';
import type { SchedulerServices } from './services.js';

/**
 * Runs a batch of calls: side by side where their effects do not conflict, in the model's order where they do.
 * Every call gets exactly one `tool-call-end`, also when the signal aborts. Nothing is done before the first event is
 * asked for. When the reader stops reading, what still runs is cancelled, and has ended by the time the iteration has.
 */
export function runCalls(
  calls: readonly CallRequest[],
  services: SchedulerServices,
  outer: AbortSignal,
): AsyncIterableIterator<CallEvent> {
  return new CallBatch(calls, services, outer);
}

/** An iterator by hand: generators within generators cost each event a turn for every one of them. */
class CallBatch implements AsyncIterableIterator<CallEvent> {
  readonly #calls: readonly CallRequest[];
  readonly #services: SchedulerServices;
  readonly #outer: AbortSignal;
  readonly #queue = new EventQueue<CallEvent>();
  readonly #lives: CallLife[] = [];
  readonly #onAbort = (): void => this.#stop(this.#outer.reason);
  #running = 0;
  #isStarted = false;

  constructor(calls: readonly CallRequest[], services: SchedulerServices, outer: AbortSignal) {
    this.#calls = calls;
    this.#services = services;
    this.#outer = outer;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<CallEvent>> {
    if (!this.#isStarted) this.#start();
    return this.#queue.next();
  }

  async return(): Promise<IteratorResult<CallEvent>> {
    this.#isStarted = true;
    this.#stop(new Error('the reader stopped'));
    await Promise.all(this.#lives.map((life) => life.ended));
    this.#queue.close();
    return { done: true, value: undefined };
  }

  #start(): void {
    this.#isStarted = true;
    this.#running = this.#calls.length;
    if (this.#running === 0) return this.#queue.end();
    // A listener for each batch, however many are under way: no leak to be warned about.
    setMaxListeners(0, this.#outer);
    this.#outer.addEventListener('abort', this.#onAbort, { once: true });
    const around = {
      services: this.#services,
      signal: this.#outer,
      emit: (event: CallEvent): void => this.#queue.push(event),
      onEnd: (): void => this.#oneEnded(),
    };
    for (const call of this.#calls) {
      const life = new CallLife(call, [...this.#lives], around);
      this.#lives.push(life);
    }
    if (this.#outer.aborted) this.#onAbort();
  }

  #oneEnded(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#outer.removeEventListener('abort', this.#onAbort);
    this.#queue.end();
  }

  #stop(reason: unknown): void {
    for (const life of this.#lives) life.stop(reason);
  }
}
