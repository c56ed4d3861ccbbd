import type { SubagentEvent } from '../agent/events.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import { ToolNames } from '../tools/tool-names.js';
import type { ToolRegistry } from '../tools/tool-registry.js';

/** From how many unread events on subagents wait for the reader. */
const MOST_UNREAD = 256;

/**
 * What the subagents of one agent tell, on its way into that agent's own stream: between the events of the calls that handed
 * the work on, as they happen. Where nobody reads, beginnings and ends are kept; the rest is in the subagents' own logs.
 */
export class AgentOutlet {
  #batch: MergedBatch | undefined;
  #kept: SubagentEvent[] = [];

  /** Resolves when more may come: at once, unless the reader is far behind. Never rejects. */
  emit(event: SubagentEvent, signal: AbortSignal): Promise<void> {
    if (this.#batch !== undefined) return this.#batch.add(event, signal);
    if (event.type !== 'subagent-event') this.#kept.push(event);
    return Promise.resolve();
  }

  /** Beginnings and ends that no batch has told. */
  takeEvents(): SubagentEvent[] {
    return this.#kept.splice(0);
  }

  /** The events of a batch of calls with those of the subagents that work for it. Ends when the batch does. */
  merge(
    calls: readonly CallRequest[],
    registry: Pick<ToolRegistry, 'findTool'>,
    events: AsyncIterable<CallEvent>,
  ): AsyncIterable<CallEvent | SubagentEvent> {
    // Other batches are spared the turn that each event takes.
    if (!calls.some(({ toolName }) => registry.findTool(toolName)?.name === ToolNames.TASK)) return events;
    const batch = new MergedBatch(calls, events, (unread) => {
      if (this.#batch === batch) this.#batch = undefined;
      this.#kept.push(...unread.filter(({ type }) => type !== 'subagent-event'));
    });
    this.#batch = batch;
    return batch;
  }
}

type Told = CallEvent | SubagentEvent;
type Settled = { readonly result: IteratorResult<CallEvent> } | { readonly thrown: unknown };

const NO_MORE = { done: true, value: undefined } as const;

/** By hand, as the batch itself: what is merged is told without a turn more than it takes. */
class MergedBatch implements AsyncIterableIterator<Told> {
  readonly #events: AsyncIterator<CallEvent>;
  readonly #onOver: (unread: readonly SubagentEvent[]) => void;
  /** Calls whose beginning was not told yet: what their subagents do comes after it. */
  readonly #notBegun: Set<string>;
  readonly #queue: SubagentEvent[] = [];
  readonly #writers = new Set<() => void>();
  #asked = false;
  #settled: Settled | undefined;
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor(
    calls: readonly CallRequest[],
    events: AsyncIterable<CallEvent>,
    onOver: (unread: readonly SubagentEvent[]) => void,
  ) {
    this.#notBegun = new Set(calls.map(({ callId }) => callId));
    this.#events = events[Symbol.asyncIterator]();
    this.#onOver = onOver;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  add(event: SubagentEvent, signal: AbortSignal): Promise<void> {
    this.#queue.push(event);
    this.#wake?.();
    if (this.#queue.length < MOST_UNREAD || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        this.#writers.delete(go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      this.#writers.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
  }

  async next(): Promise<IteratorResult<Told>> {
    for (;;) {
      if (this.#isOver) return NO_MORE;
      const event = this.#take();
      if (event !== undefined) return { done: false, value: event };
      // A call's end comes after all that its subagents told before it.
      const settled = this.#settled;
      if (settled !== undefined) return this.#pass(settled);
      this.#ask();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  async return(): Promise<IteratorResult<Told>> {
    // First: a subagent that waits for a reader would never end.
    this.#over();
    await this.#events.return?.();
    return NO_MORE;
  }

  #take(): SubagentEvent | undefined {
    const index = this.#queue.findIndex(({ callId }) => !this.#notBegun.has(callId));
    if (index < 0) return undefined;
    const [event] = this.#queue.splice(index, 1);
    if (this.#queue.length < MOST_UNREAD / 2) this.#release();
    return event;
  }

  #ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    const settle = (settled: Settled): void => {
      this.#settled = settled;
      this.#wake?.();
    };
    this.#events.next().then(
      (result) => settle({ result }),
      (thrown: unknown) => settle({ thrown }),
    );
  }

  #pass(settled: Settled): IteratorResult<Told> {
    this.#settled = undefined;
    this.#asked = false;
    if ('thrown' in settled) {
      this.#over();
      throw settled.thrown;
    }
    const { result } = settled;
    if (result.done === true) {
      this.#over();
      return NO_MORE;
    }
    if (result.value.type === 'tool-call-start') this.#notBegun.delete(result.value.callId);
    return { done: false, value: result.value };
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver(this.#queue.splice(0));
    this.#release();
    this.#wake?.();
  }

  #release(): void {
    for (const go of this.#writers) go();
  }
}
