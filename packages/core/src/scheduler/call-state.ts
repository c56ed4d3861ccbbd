import type { CallStatus } from './call-events.js';

/** Where a call stands. Every call ends; nothing comes after the end. */
export type CallState =
  | { readonly phase: 'received' }
  /** Valid; waits for earlier calls whose effects conflict with its own. */
  | { readonly phase: 'queued' }
  | { readonly phase: 'awaiting-approval' }
  | { readonly phase: 'running' }
  | { readonly phase: 'ended'; readonly status: CallStatus };

type Phase = CallState['phase'];

const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  received: ['queued', 'ended'],
  queued: ['awaiting-approval', 'running', 'ended'],
  // Back to the question when what was approved has changed meanwhile.
  'awaiting-approval': ['awaiting-approval', 'running', 'ended'],
  running: ['awaiting-approval', 'ended'],
  ended: [],
};

/** @throws Error when the step is not one that a call can take: a fault in the scheduler itself. */
export function advance(from: CallState, to: CallState): CallState {
  if (!NEXT[from.phase].includes(to.phase)) throw new Error(`a call cannot go from ${from.phase} to ${to.phase}`);
  return to;
}
