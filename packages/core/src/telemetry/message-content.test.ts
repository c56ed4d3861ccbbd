import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentJson, contentText } from './content-text.js';
import { toldAnswer, toldResult, toldWords } from './message-content.js';

const asIs = (text: string): string => text;

describe('messages that are told', () => {
  it('are as the conventions for generative AI have them', () => {
    const content = [
      { type: 'thinking', text: 'hm', signature: 'of the provider' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', id: 'c1', name: 'read_file', argumentsText: '{"path":"a"}' },
      { type: 'tool-call', id: 'c2', name: 'read_file', argumentsText: '{"pa' },
    ] as const;
    expect(toldAnswer(content, 'tool-calls')).toEqual({
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'hm' },
        { type: 'text', content: 'I look.' },
        { type: 'tool_call', id: 'c1', name: 'read_file', arguments: { path: 'a' } },
        { type: 'tool_call', id: 'c2', name: 'read_file', arguments: '{"pa' },
      ],
      finish_reason: 'tool_call',
    });
    expect(toldResult('done', 'completed')).toMatchObject({ finish_reason: 'stop' });
    expect(toldResult('', 'max-turns')).toMatchObject({ finish_reason: 'max-turns' });
    expect(toldWords('hi')).toEqual({ role: 'user', parts: [{ type: 'text', content: 'hi' }] });
  });

  it('are JSON also when they are cut, and what is hidden is hidden before', () => {
    const hide = (text: string): string => text.replaceAll('s3cret', '(hidden)');
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 9 }), { maxLength: 6 }), fc.nat({ max: 9000 }), (texts, times) => {
        const value = texts.map((text) => toldWords(`${text}s3cret`.repeat(times)));
        const told = contentJson(value, hide);
        const read = JSON.parse(told) as readonly { readonly parts: readonly { readonly type: string }[] }[];
        expect(read.map(({ parts }) => parts[0]?.type)).toEqual(texts.map(() => 'text'));
        expect(told).not.toContain('s3cret');
        expect(told.length).toBeLessThan(40_000);
      }),
      { numRuns: 60 },
    );
    const many = contentJson(
      Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'a' })),
      asIs,
    );
    expect(many.length).toBeLessThan(40_000);
    expect(typeof JSON.parse(many)).toBe('string');
    expect(contentText('x'.repeat(20_000), asIs)).toMatch(/^x{16000}… \(4000 characters more\)$/);
  });
});
