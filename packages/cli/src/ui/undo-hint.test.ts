import type { AgentEvent } from '@tenon/core';
import { expect, it } from 'vitest';
import { undoHint } from './undo-hint.js';

const END: AgentEvent = {
  type: 'prompt-end',
  stopReason: 'completed',
  text: '',
  turns: 1,
  toolCalls: 0,
  denials: [],
  usage: { inputTokens: 0, outputTokens: 0 },
};
const command = (words: string): string => `tenon ${words}`;

it('is given at the end of a prompt for which files were changed', () => {
  expect(undoHint({ ...END, filesChanged: true }, command)).toEqual([
    'files were changed: "tenon diff --turn" shows how, "tenon undo --turn" takes it back',
  ]);
  expect(undoHint(END, command)).toEqual([]);
  // Of a subagent: what it changed is told at the end of the prompt of the agent above.
  const event = { ...END, filesChanged: true } as const;
  expect(undoHint({ type: 'subagent-event', callId: 'c', agentId: 'a1', event }, command)).toEqual([]);
});
