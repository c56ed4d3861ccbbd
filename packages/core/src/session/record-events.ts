import type { AgentEvent } from '../agent/events.js';

/** Writes each event down, as `hide` lets it be told, before it is passed on; the first time that this fails, a notice follows the event. */
export function recordEvents(
  append: (event: AgentEvent) => string | undefined,
  hide: (event: AgentEvent) => AgentEvent = (event) => event,
): (event: AgentEvent) => Generator<AgentEvent> {
  let failed = false;
  return function* record(given) {
    const event = hide(given);
    const problem = append(event);
    yield event;
    // Said once: the same trouble with every event would bury the work.
    if (problem !== undefined && !failed) yield { type: 'notice', level: 'warning', text: problem };
    failed ||= problem !== undefined;
  };
}
