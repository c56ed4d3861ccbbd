import type { AgentEvent } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { createUndoHint } from './undo-hint.js';

type End = Extract<AgentEvent, { type: 'tool-call-end' }>;
const end = (over: Partial<End>): End => ({
  type: 'tool-call-end',
  callId: 'c',
  toolName: 't',
  title: '',
  status: 'success',
  durationMs: 0,
  display: '',
  content: [],
  ...over,
});
const diff = { fileDiff: '', fileName: '', filePath: '', originalContent: null, newContent: '' };
const changes = (created: string[]) => ({ changes: { created, modified: [], deleted: [] } });

describe('createUndoHint', () => {
  it.each<[string, Partial<End>, number]>([
    ['an edit', { display: diff }, 1],
    ['a command that made a file', { data: changes(['/w/a']) }, 1],
    ['a command that changed nothing', { data: changes([]) }, 0],
    ['a read', { display: 'Read 3 lines', data: { path: '/w/a' } }, 0],
  ])('after %s', (_what, over, lines) => {
    const hint = createUndoHint((words) => `tenon ${words}`);
    hint.onEvent(end(over));
    expect(hint.take()).toHaveLength(lines);
    // Said once for each prompt.
    expect(hint.take()).toEqual([]);
  });
});
