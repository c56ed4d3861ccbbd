import type { AgentEvent, ModelUsage, SubagentEvent } from '../agent/events.js';
import { addedUsage } from '../models/added-usage.js';

type SubagentEnd = Extract<SubagentEvent, { type: 'subagent-end' }>;

/** What the agents below one took, by model. */
export class UsageBelow {
  readonly #byModel = new Map<string, ModelUsage>();

  note(event: AgentEvent): void {
    if (event.type !== 'subagent-end') return;
    for (const one of usageOf(event)) this.#add(one);
  }

  list(): readonly ModelUsage[] {
    return [...this.#byModel.values()];
  }

  #add({ model, usage, requests }: ModelUsage): void {
    if (requests === 0) return;
    const before = this.#byModel.get(model);
    this.#byModel.set(model, {
      model,
      usage: before === undefined ? usage : addedUsage(before.usage, usage),
      requests: requests + (before?.requests ?? 0),
    });
  }
}

function usageOf({ model, usage, turns, usageBelow = [] }: SubagentEnd): ModelUsage[] {
  return [{ model, usage, requests: turns }, ...usageBelow];
}
