import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { LoggedEvent } from '@tenon/core';
import type { ClientPaths } from './client-paths.js';
import { EventUpdates, inForce } from './event-updates.js';
import { planUpdate } from './plan-update.js';

/** Yields everything in a log as if it happened now. Pure. */
export function* replayed(history: readonly LoggedEvent[], paths: ClientPaths): Generator<SessionUpdate> {
  const updates = new EventUpdates(paths);
  for (const event of inForce(history.map((logged) => logged.event))) {
    yield* updates.replayed(event);
    const plan = planUpdate(event);
    if (plan !== undefined) yield plan;
  }
  yield* updates.closeOpen();
}
