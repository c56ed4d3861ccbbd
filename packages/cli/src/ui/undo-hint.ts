import type { AgentEvent } from '@tenon/core';

/**
 * One line at the end of a prompt for which files were changed, by whatever way; none at any other event. `command`: how a
 * command is given here, such as `tenon undo --turn`.
 */
export function undoHint(event: AgentEvent, command: (words: string) => string): readonly string[] {
  if (event.type !== 'prompt-end' || event.filesChanged !== true) return [];
  return [`files were changed: "${command('diff --turn')}" shows how, "${command('undo --turn')}" takes it back`];
}
