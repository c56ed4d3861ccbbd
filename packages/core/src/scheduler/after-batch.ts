import type { Part } from '../tools/tool-result.js';
import type { CallEvent } from './call-events.js';

/** Looks at what a batch of calls did, once all of them have ended. */
export interface BatchObserver {
  /** Whether the result of this call is one to add to. */
  readonly hasChanged: (callId: string) => boolean;
  /** What is to be added; undefined for nothing. */
  readonly settle: (callIds: readonly string[], signal: AbortSignal) => Promise<{ readonly text: string } | undefined>;
}

type CallEnd = Extract<CallEvent, { readonly type: 'tool-call-end' }>;

/**
 * The events of a batch, where the end of the last call that changed something waits for the end of all, so that what
 * came of them together is added to its result. Every end comes once, with or without an addition.
 */
export function withAfterBatch(
  events: AsyncIterable<CallEvent>,
  observer: BatchObserver,
  signal: AbortSignal,
): AsyncIterableIterator<CallEvent> {
  return new ObservedBatch(events, observer, signal);
}

/** By hand, for a generator around another costs each event some turns. */
class ObservedBatch implements AsyncIterableIterator<CallEvent> {
  readonly #events: AsyncIterator<CallEvent>;
  readonly #observer: BatchObserver;
  readonly #signal: AbortSignal;
  readonly #changing: string[] = [];
  #held: CallEnd | undefined;
  #thrown: { readonly reason: unknown } | undefined;

  constructor(events: AsyncIterable<CallEvent>, observer: BatchObserver, signal: AbortSignal) {
    this.#events = events[Symbol.asyncIterator]();
    this.#observer = observer;
    this.#signal = signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<CallEvent>> {
    if (this.#thrown !== undefined) return this.#throw(this.#thrown.reason);
    for (;;) {
      let result: IteratorResult<CallEvent>;
      try {
        result = await this.#events.next();
      } catch (thrown) {
        return this.#throw(thrown);
      }
      if (result.done === true) return this.#last();
      const { value: event } = result;
      const isChange =
        event.type === 'tool-call-end' && event.status === 'success' && this.#observer.hasChanged(event.callId);
      if (!isChange) return result;
      this.#changing.push(event.callId);
      const earlier = this.#held;
      this.#held = event;
      if (earlier !== undefined) return { done: false, value: earlier };
    }
  }

  async return(): Promise<IteratorResult<CallEvent>> {
    this.#held = undefined;
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  /** The end that was held comes first. */
  #throw(reason: unknown): IteratorResult<CallEvent> {
    const held = this.#held;
    this.#held = undefined;
    this.#thrown = held === undefined ? undefined : { reason };
    if (held === undefined) throw reason;
    return { done: false, value: held };
  }

  async #last(): Promise<IteratorResult<CallEvent>> {
    const held = this.#held;
    if (held === undefined) return { done: true, value: undefined };
    this.#held = undefined;
    return { done: false, value: await added(held, this.#changing, this.#observer, this.#signal) };
  }
}

async function added(
  end: CallEnd,
  callIds: readonly string[],
  observer: BatchObserver,
  signal: AbortSignal,
): Promise<CallEnd> {
  if (signal.aborted) return end;
  let more: { readonly text: string } | undefined;
  try {
    more = await observer.settle(callIds, signal);
  } catch {
    // The change was made whatever cannot be said of it.
    more = { text: 'Could not check the changed files.' };
  }
  if (more === undefined || more.text === '') return end;
  return { ...end, content: withEnd(end.content, more.text) };
}

/** In the same part, for doors put line breaks between parts, or none. */
function withEnd(content: readonly Part[], text: string): readonly Part[] {
  const last = content.at(-1);
  if (last === undefined || !('text' in last)) return [...content, { text }];
  return [...content.slice(0, -1), { text: `${last.text.trimEnd()}\n\n${text}` }];
}
