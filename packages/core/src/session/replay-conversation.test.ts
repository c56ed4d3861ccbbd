import { expect, it } from 'vitest';
import { Conversation } from '../agent/conversation.js';
import type { LoggedEvent } from './log-lines.js';
import { replayConversation } from './replay-conversation.js';

const logged = (events: readonly object[]): LoggedEvent[] =>
  events.map((event, index) => ({ sequence: index + 1, time: '', event: event as LoggedEvent['event'] }));
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string) => ({ type: 'tool-call', id, name: 't', argumentsText: '{}' });

function replay(events: readonly object[]): Conversation {
  const conversation = new Conversation();
  replayConversation(logged(events), conversation);
  return conversation;
}

it('replays a log of an older version, whose messages have no ids: they are named by their lines', () => {
  const conversation = replay([
    { type: 'session-start' },
    { type: 'user-message', text: 'one' },
    { type: 'assistant-message', content: [text('1'), call('a')] },
    { type: 'tool-call-start', callId: 'a' },
    { type: 'tool-call-end', callId: 'a', toolName: 't', status: 'success', content: [{ text: 'A' }] },
    { type: 'turn-end', turn: 1 },
    { type: 'assistant-message', content: [text('done')] },
    { type: 'prompt-end' },
    { type: 'user-message', text: 'two' },
  ]);
  expect(conversation.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  expect(conversation.messages[2]?.content).toMatchObject([{ callId: 'a', isError: false, content: [text('A')] }]);
  expect(conversation.rewind('line-9')).toBe(true);
  expect(conversation.messages).toHaveLength(4);
});

it('gives each call of a session that was killed one result: what it told, or that it did not end, or did not begin', () => {
  const { messages } = replay([
    { type: 'user-message', text: 'go' },
    { type: 'assistant-message', content: [call('a'), call('b'), call('c')] },
    { type: 'tool-call-start', callId: 'a' },
    { type: 'tool-call-start', callId: 'b' },
    { type: 'tool-call-end', callId: 'a', toolName: 't', status: 'error', content: [{ text: 'no' }] },
  ]);
  expect(messages.at(-1)?.content).toMatchObject([
    { callId: 'a', isError: true, content: [text('no')] },
    { callId: 'b', content: [{ text: expect.stringContaining('cancelled') }] },
    { callId: 'c', content: [{ text: expect.stringContaining('did not run') }] },
  ]);
});

it('leaves a log in which a line of a batch is missing with one result for each call', () => {
  const { messages } = replay([
    { type: 'user-message', text: 'go' },
    { type: 'tool-call-end', callId: 'z', toolName: 't', status: 'success', content: [{ text: 'of a lost answer' }] },
    { type: 'assistant-message', content: [call('a')] },
    { type: 'user-message', text: 'again' },
  ]);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});
