import type { AgentEvent, Denial } from './events.js';

/** What did not run in one prompt for want of an approval, whichever agent wanted it. */
export class Denials {
  readonly #all: Denial[] = [];
  /** Names of the subagents that began, by id. */
  readonly #agents = new Map<string, string>();

  list(): readonly Denial[] {
    return this.#all;
  }

  /** The rules come with the question that was put, or not put. `agentId`: of the subagent whose event it is. */
  note(event: AgentEvent, agentId?: string): void {
    if (event.type === 'subagent-start') this.#agents.set(event.agentId, event.agent);
    else if (event.type === 'subagent-event') this.note(event.event, event.agentId);
    else if (event.type === 'subagent-end') this.#all.push(...(event.denials ?? []));
    else if (event.type === 'tool-call-end' && event.status === 'denied')
      this.#all.push(this.#denialOf(event, agentId));
  }

  /** Notes what passes by. */
  *noted(events: Iterable<AgentEvent>): Generator<AgentEvent, void> {
    for (const event of events) {
      this.note(event);
      yield event;
    }
  }

  #denialOf(event: Extract<AgentEvent, { type: 'tool-call-end' }>, agentId: string | undefined): Denial {
    const agent = agentId === undefined ? undefined : this.#agents.get(agentId);
    return {
      callId: event.callId,
      ...(agentId !== undefined && { agentId }),
      ...(agent !== undefined && { agent }),
      toolName: event.toolName,
      title: event.title,
      reason: event.verdict?.reason ?? event.error?.message ?? 'denied',
      rules: event.alwaysRules ?? [],
    };
  }
}
