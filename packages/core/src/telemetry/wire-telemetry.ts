import type { AgentEvent } from '../agent/events.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import type { Telemetry } from './open-telemetry.js';
import type { SessionFacts } from './plan-acts.js';
import type { TelemetryPlace } from './telemetry-acts.js';
import type { TelemetryOptions } from './telemetry-options.js';

export interface WiredTelemetry {
  /** Undefined when nothing is to be sent. */
  readonly telemetry?: Telemetry;
  /** Why nothing is sent, for the person. */
  readonly notices: readonly string[];
}

/** Nothing is loaded where telemetry is not configured. */
export async function wireTelemetry({
  telemetry: options,
  ...place
}: TelemetryPlace & { readonly telemetry?: TelemetryOptions }): Promise<WiredTelemetry> {
  if (options === undefined) return { notices: [] };
  const { readDestination } = await import('./read-destination.js');
  const read = readDestination(options, place.environment);
  if (read === undefined) return { notices: [] };
  if ('problem' in read) return { notices: [read.problem] };
  const { Telemetry: Watch } = await import('./open-telemetry.js');
  return { telemetry: new Watch(read, place), notices: [] };
}

/** The events of a prompt as they are, watched where telemetry is on. */
export function followPrompt(
  telemetry: Telemetry | undefined,
  events: AsyncGenerator<AgentEvent>,
  session: () => SessionFacts,
): AsyncGenerator<AgentEvent> {
  return telemetry === undefined ? events : telemetry.followPrompt(events, session);
}

type RunCalls = (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;

/** Calls that a door makes by itself, watched where telemetry is on. */
export function followCalls({
  telemetry,
  runCalls,
}: {
  readonly telemetry: Telemetry | undefined;
  readonly runCalls: RunCalls;
}): RunCalls {
  return telemetry === undefined ? runCalls : (calls, signal) => telemetry.follow(runCalls(calls, signal));
}
