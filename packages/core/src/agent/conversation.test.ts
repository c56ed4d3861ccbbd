import { describe, expect, it } from 'vitest';
import type { ToolCallBlock, ToolResultBlock } from '../models/model.js';
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
    conversation.addResults(results, (missing) => result(missing.id, 'did not run'));
    const last = conversation.messages.at(-1);
    expect(last?.content.map((block) => ('callId' in block ? block.callId : ''))).toEqual(['a', 'b', 'c']);
    expect(last?.content[1]).toEqual(result('b', 'did not run'));
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
});
