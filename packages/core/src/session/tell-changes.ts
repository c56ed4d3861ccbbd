import type { AgentEvent } from '../agent/events.js';
import type { FileChanges } from '../files/file-changes.js';

/** The end of a prompt also tells whether files were changed for it; what came of a subagent's own worktree counts once it is taken over. */
export function tellChanges(
  event: AgentEvent,
  changes: Pick<FileChanges, 'changedIn'>,
  { id: sessionId, turn }: { readonly id: string; readonly turn: number },
): AgentEvent {
  if (event.type !== 'prompt-end' || changes.changedIn?.({ sessionId, turn }) !== true) return event;
  return { ...event, filesChanged: true };
}
