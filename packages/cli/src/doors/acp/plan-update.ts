import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import type { LoggedEvent } from '@tenon/core';

/** The complete list, whenever a call shows one. Pure. */
export function planUpdate(event: LoggedEvent['event']): SessionUpdate | undefined {
  if (event.type !== 'tool-call-end' || event.status !== 'success') return undefined;
  const { display } = event;
  if (typeof display === 'string' || !('todos' in display)) return undefined;
  const entries = display.todos.map(({ content, status }): PlanEntry => ({ content, status, priority: 'medium' }));
  return { sessionUpdate: 'plan', entries };
}
