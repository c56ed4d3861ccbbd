import type { LoggedEvent } from '@tenon/core';

/** What of a log still holds: nothing that a rewind of the conversation took back. The rewinds themselves stay. Pure. */
export function standingEvents<T>(history: readonly T[], eventOf: (one: T) => LoggedEvent['event']): T[] {
  const standing: T[] = [];
  for (const one of history) {
    const event = eventOf(one);
    if (event.type === 'rewind' && event.conversation) {
      const start = standing.findLastIndex((each) => isMessage(eventOf(each), event.to));
      if (start !== -1) standing.length = start;
    }
    standing.push(one);
  }
  return standing;
}

function isMessage(event: LoggedEvent['event'], id: string): boolean {
  return event.type === 'user-message' && event.id === id;
}
