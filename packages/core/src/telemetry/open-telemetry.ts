import type { AgentEvent } from '../agent/events.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { errorMessage } from '../util/failure.js';
import type { AsideRequest } from './chat-acts.js';
import { ActPlanner, type SessionFacts } from './plan-acts.js';
import type { Destination } from './read-destination.js';
import type { ActSink, TelemetryAct, TelemetryPlace } from './telemetry-acts.js';

/** Beyond this nothing is kept while the exporter is loaded. */
const MOST_WAITING = 5000;

/**
 * Watches streams of events and tells a collector of them. Whatever it does or fails to do, the streams are what they were:
 * nothing here is waited for but by `close`, and that not for long.
 */
export class Telemetry {
  readonly #destination: Destination;
  readonly #place: TelemetryPlace;
  readonly #planner: ActPlanner;
  #waiting: TelemetryAct[] = [];
  #loading: Promise<void> | undefined;
  #sink: ActSink | undefined;
  #isBroken = false;
  #now = 0;

  constructor(destination: Destination, place: TelemetryPlace) {
    this.#destination = destination;
    this.#place = place;
    this.#planner = new ActPlanner((act) => this.#tell(act), { content: destination.content, hide: place.hide });
  }

  /** The events of one prompt, each as it comes. */
  async *followPrompt(events: AsyncIterable<AgentEvent>, session: () => SessionFacts): AsyncGenerator<AgentEvent> {
    let hasBegun = false;
    try {
      for await (const event of events) {
        // Only here: an agent that is busy refuses before its first event.
        if (!hasBegun)
          this.#plan((planner, at) => {
            planner.inSession(session());
            planner.begin(at);
          });
        hasBegun = true;
        this.#plan((planner, at) => planner.note(event, at));
        yield event;
      }
    } finally {
      if (hasBegun) this.#plan((planner, at) => planner.end(at));
    }
  }

  /** What happens beside prompts: calls that a door makes by itself, a compaction that the person wants. */
  async *follow<E extends AgentEvent | CallEvent>(events: AsyncIterable<E>): AsyncGenerator<E> {
    for await (const event of events) {
      this.#plan((planner, at) => planner.note(event, at));
      yield event;
    }
  }

  /** A request of which no event tells. */
  noteAside(request: AsideRequest): void {
    this.#plan((planner, at) => planner.noteAside(request, at));
  }

  async close(): Promise<void> {
    this.#plan((planner, at) => planner.close(at));
    await this.#loading;
    await this.#sink?.close();
  }

  /** A fault in here is no fault of the session. */
  #plan(step: (planner: ActPlanner, at: number) => void): void {
    if (this.#isBroken) return;
    try {
      // The clock of the day may be set back.
      this.#now = Math.max(this.#now, Date.now());
      step(this.#planner, this.#now);
    } catch (thrown) {
      this.#isBroken = true;
      this.#place.onProblem(`Telemetry is off: it failed (${errorMessage(thrown)}).`);
    }
  }

  #tell(act: TelemetryAct): void {
    if (this.#sink !== undefined) return this.#sink.take(act);
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(act);
    this.#loading ??= this.#load();
  }

  async #load(): Promise<void> {
    try {
      const { openSink } = await import('./open-sink.js');
      const sink = openSink(this.#destination, this.#place);
      for (const act of this.#waiting) sink.take(act);
      this.#sink = sink;
    } catch {
      this.#sink = { take: () => undefined, close: async () => undefined };
      this.#place.onProblem('Telemetry is off: what sends it could not be loaded.');
    }
    this.#waiting = [];
  }
}
