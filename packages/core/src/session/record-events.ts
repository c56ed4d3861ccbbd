import type { AgentEvent } from '../agent/events.js';
import type { SessionLog } from './session-log.js';

/** Writes each event down before it is passed on; the first time that this fails, a notice follows the event. */
export function recordEvents(log: SessionLog): (event: AgentEvent) => Generator<AgentEvent> {
  let failed = false;
  return function* record(event) {
    const problem = log.append(event, new Date());
    yield event;
    // Said once: the same trouble with every event would bury the work.
    if (problem !== undefined && !failed) yield { type: 'notice', level: 'warning', text: problem };
    failed ||= problem !== undefined;
  };
}
