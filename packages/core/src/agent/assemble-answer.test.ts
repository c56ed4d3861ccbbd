import { describe, expect, it } from 'vitest';
import { AnswerAssembly } from './assemble-answer.js';
import type { ModelEvent } from '../models/model.js';

const assemble = (
  events: readonly ModelEvent[],
  taken: readonly string[] = [],
): ReturnType<AnswerAssembly['answer']> => {
  const assembly = new AnswerAssembly();
  for (const event of events) assembly.add(event);
  return assembly.answer(new Set(taken));
};

describe('AnswerAssembly', () => {
  it('joins deltas and keeps parallel calls apart by index', () => {
    const answer = assemble([
      { type: 'thinking-delta', text: 'hm' },
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo' },
      { type: 'tool-call-delta', index: 0, id: 'a', name: 'glob', argumentsText: '{"p' },
      { type: 'tool-call-delta', index: 1, id: 'b', name: 'edit', argumentsText: '{}' },
      { type: 'tool-call-delta', index: 0, argumentsText: '":1}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
    expect(answer.finish).toBe('tool-calls');
    expect(answer.content).toEqual([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', id: 'a', name: 'glob', argumentsText: '{"p":1}' },
      { type: 'tool-call', id: 'b', name: 'edit', argumentsText: '{}' },
    ]);
  });

  it('gives every call an id of its own, also when the server repeats or omits it', () => {
    const call = (index: number, id?: string): ModelEvent => ({
      type: 'tool-call-delta',
      index,
      name: 'x',
      argumentsText: '',
      ...(id === undefined ? {} : { id }),
    });
    const ids = assemble([call(0, 'a'), call(1, 'a'), call(2), call(3), call(4, 'old')], ['old']).content.map(
      (block) => ('id' in block ? block.id : ''),
    );
    expect(new Set(ids).size).toBe(5);
    expect(ids[0]).toBe('a');
    expect(ids).not.toContain('old');
    expect(ids).not.toContain('');
  });

  it('has no finish while the answer is not complete', () => {
    expect(assemble([{ type: 'text-delta', text: 'cut' }]).finish).toBeUndefined();
  });
});
