import type { LoggedEvent } from '@tenon/core';
import { reduce } from './reduce.js';
import { EMPTY_STATE, type Item, type SessionState } from './session-state.js';

/** A whole session as items, however long: what belongs to earlier prompts is put aside, for it does not change any more. */
export function allItems(history: readonly LoggedEvent[]): readonly Item[] {
  const all: Item[] = [];
  let state: SessionState = EMPTY_STATE;
  for (const { event, time } of history) {
    state = reduce(state, { type: 'event', event, at: Date.parse(time) });
    if (event.type !== 'user-message' || event.isSteering === true) continue;
    for (const item of state.items.slice(0, -1)) all.push(item);
    state = { ...state, items: state.items.slice(-1) };
  }
  return [...all, ...state.items];
}
