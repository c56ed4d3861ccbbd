import { describe, expect, it } from 'vitest';
import type { Message, ToolCallBlock, ToolResultBlock } from '../models/model.js';
import { Conversation } from './conversation.js';

const result = (callId: string, text: string): ToolResultBlock => ({
  type: 'tool-result',
  callId,
  name: 'x',
  isError: false,
  content: [{ type: 'text', text }],
});
const call = (id: string): ToolCallBlock => ({ type: 'tool-call', id, name: 'x', argumentsText: '{}' });

describe('Conversation', () => {
  it('pairs every call with one result, in the order of the calls', () => {
    const conversation = new Conversation();
    conversation.addUser([{ type: 'text', text: 'go' }]);
    conversation.addAssistant([call('a'), call('b'), call('c')]);
    const results = new Map([
      ['c', result('c', '3')],
      ['a', result('a', '1')],
    ]);
    conversation.addResults(results, new Set(['b']));
    const last = conversation.messages.at(-1);
    expect(last?.content.map((block) => ('callId' in block ? block.callId : ''))).toEqual(['a', 'b', 'c']);
    expect(last?.content[1]).toMatchObject({
      callId: 'b',
      isError: true,
      content: [{ text: expect.stringContaining('cancelled') }],
    });
  });

  it('makes one of two user messages in a row, and leaves out an empty answer', () => {
    const conversation = new Conversation();
    conversation.addUser([{ type: 'text', text: 'first' }]);
    conversation.addAssistant([]);
    conversation.addUser([{ type: 'text', text: 'second' }]);
    expect(conversation.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'first' },
          { type: 'text', text: 'second' },
        ],
      },
    ]);
  });

  it('goes back to before a message, also where that went on in the message before it, and not into a summary', () => {
    const conversation = new Conversation();
    const first = conversation.addWords('first');
    const second = conversation.addWords('second');
    conversation.addAssistant([{ type: 'text', text: 'yes' }]);
    const third = conversation.addWords('third');
    conversation.addAssistant([{ type: 'text', text: 'no' }]);
    expect([first, second, third].map((id) => id.split('-')[0])).toEqual(['1', '2', '3']);
    expect(conversation.rewind(third)).toBe(true);
    expect(conversation.rewind(third)).toBe(false);
    const fourth = conversation.addWords('fourth');
    const summary: Message = { role: 'user', content: [{ type: 'text', text: 'summary' }] };
    conversation.addAssistant([call('a')]);
    const plan = { droppedResults: [], summary: { text: 'summary', before: 1 } };
    conversation.compact(plan, [summary, ...conversation.messages.slice(1)]);
    expect([second, fourth].map((id) => conversation.canRewind(id))).toEqual([false, true]);
    conversation.rewind(fourth);
    expect(conversation.messages).toEqual([summary, { role: 'assistant', content: [{ type: 'text', text: 'yes' }] }]);
  });

  it('tells what no event tells, before it is there, and no empty thing', () => {
    const told: unknown[] = [];
    const conversation = new Conversation((event) => told.push([event.type, conversation.messages.length]));
    conversation.addWords('go');
    conversation.addUser([]);
    conversation.addUser([{ type: 'text', text: 'file' }]);
    conversation.addPartial([{ type: 'thinking', text: 'hm' }]);
    conversation.addPartial([{ type: 'text', text: 'I wo' }]);
    conversation.addNote('news');
    expect(told).toEqual([
      ['context-added', 1],
      ['answer-interrupted', 1],
      ['context-added', 2],
    ]);
  });

  it('does not show a result any more that was taken out, and takes no id of a call twice', () => {
    const conversation = new Conversation();
    conversation.addWords('go');
    conversation.addAssistant([call('a')]);
    conversation.addResults(new Map([['a', result('a', 'A')]]), new Set(['a']));
    expect(conversation.hasResult('a')).toBe(true);
    conversation.compact({ droppedResults: ['a'] }, conversation.messages);
    expect(conversation.hasResult('a')).toBe(false);
    expect([...conversation.callIds()]).toEqual(['a']);
  });
});
