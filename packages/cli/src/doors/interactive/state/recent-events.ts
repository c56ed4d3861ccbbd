import type { LoggedEvent } from '@tenon/core';
import { standingEvents } from '../../../ui/standing-events.js';

export interface RecentEvents {
  readonly events: readonly LoggedEvent[];
  /** Messages of the user before them that are not shown. */
  readonly left: number;
}

/**
 * What of a session's log is shown when it is opened: what still holds (nothing that a rewind took back) of the last
 * `most` messages of the user.
 */
export function recentEvents(history: readonly LoggedEvent[], most: number): RecentEvents {
  const standing = standingEvents(history, ({ event }) => event);
  const starts = standing.flatMap(({ event }, index) =>
    event.type === 'user-message' && event.isSteering !== true ? [index] : [],
  );
  const left = Math.max(0, starts.length - most);
  return { events: left === 0 ? standing : standing.slice(starts[left]), left };
}
