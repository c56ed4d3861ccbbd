import type { AgentEvent } from '@tenon/core';
import { innermost } from './subagent-line.js';

/** Watches for changes to files, so that the person can be told how to take them back. */
export interface UndoHint {
  onEvent(event: AgentEvent): void;
  /** One line when anything was changed since the last time, else none. */
  take(): string[];
}

/** `command`: how a command is given here, such as `tenon undo --turn`. */
export function createUndoHint(command: (words: string) => string): UndoHint {
  let changed = false;
  return {
    onEvent(event) {
      const done = innermost(event);
      if (done.type === 'tool-call-end') changed ||= isDiff(done.display) || namesChanges(done.data);
    },
    take() {
      const lines = changed
        ? [`files were changed: "${command('diff --turn')}" shows how, "${command('undo --turn')}" takes it back`]
        : [];
      changed = false;
      return lines;
    },
  };
}

/** Only a change that was made is shown as one. */
function isDiff(display: unknown): boolean {
  return typeof display === 'object' && display !== null && 'fileDiff' in display;
}

/** What a command reports. */
function namesChanges(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || !('changes' in data)) return false;
  const { changes } = data;
  if (typeof changes !== 'object' || changes === null) return false;
  return ['created', 'modified', 'deleted'].some((kind) => {
    const paths: unknown = Reflect.get(changes, kind);
    return Array.isArray(paths) && paths.length > 0;
  });
}
