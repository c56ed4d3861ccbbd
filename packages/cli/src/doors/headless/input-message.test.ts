import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage } from './input-message.js';

const read = (value: unknown) => readMessage(JSON.stringify(value));
const problemOf = (value: unknown): string => {
  const result = typeof value === 'string' ? readMessage(value) : read(value);
  return result.ok ? '' : result.problem;
};

describe('readMessage', () => {
  it('reads a prompt, with what goes along', () => {
    expect(read({ type: 'user', text: 'fix it', attach: ['a.ts'], id: 'one', later: true })).toEqual({
      ok: true,
      message: { type: 'user', text: 'fix it', attach: ['a.ts'], content: [], id: 'one' },
    });
  });

  it('reads a prompt as other programs write it, images too', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
    const content = [{ type: 'text', text: 'what is' }, image, { type: 'text', text: 'this?' }];
    expect(read({ type: 'user', session_id: '', message: { role: 'user', content } })).toMatchObject({
      message: { text: 'what is\nthis?', content: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
    });
    expect(read({ type: 'user', message: { role: 'user', content: 'hi' } })).toMatchObject({ message: { text: 'hi' } });
  });

  it('reads what is said while a prompt runs', () => {
    expect(read({ type: 'steer', text: 'faster' })).toEqual({ ok: true, message: { type: 'steer', text: 'faster' } });
    expect(read({ type: 'cancel' })).toEqual({ ok: true, message: { type: 'cancel' } });
    expect(read({ type: 'end' })).toEqual({ ok: true, message: { type: 'end' } });
    expect(read({ type: 'set-mode', mode: 'auto-edit' })).toMatchObject({ message: { mode: 'auto_edit' } });
    expect(read({ type: 'approval', callId: 'c', outcome: 'cancel', feedback: 'no' })).toMatchObject({
      message: { callId: 'c', answer: { outcome: 'cancel', feedback: 'no' } },
    });
  });

  it.each([
    ['{"type": ', 'not JSON'],
    [[1], 'no object'],
    [{ type: 'usr', text: 'x' }, 'Did you mean "user"?'],
    [{}, 'no message of type undefined'],
    [{ type: 'user' }, 'needs a "text"'],
    [{ type: 'user', text: ' ' }, 'empty'],
    [{ type: 'user', text: 'a\0' }, 'NUL'],
    [{ type: 'user', text: 'a', attach: 'b' }, '"attach" must be a list'],
    [{ type: 'user', text: 'a', id: 1 }, '"id" must be a string'],
    [{ type: 'user', message: { content: [{ type: 'video' }] } }, 'A block of "content"'],
    [{ type: 'steer' }, '"steer" needs'],
    [{ type: 'set-mode', mode: 'fast' }, '"set-mode" needs'],
    [{ type: 'approval', callId: 'c', outcome: 'yes' }, 'proceed_once'],
    [{ type: 'approval', outcome: 'cancel' }, '"callId"'],
    [{ type: 'approval', callId: 'c', outcome: 'modify_with_editor' }, '"newContent"'],
  ])('says what is wrong with %j', (value, problem) => {
    expect(problemOf(value)).toContain(problem);
  });

  it('throws for nothing that may come', () => {
    const types = fc.constantFrom('user', 'steer', 'cancel', 'set-mode', 'approval', 'end', '__proto__');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), types, (fields, type) => {
        const result = read({ text: fields['text'], message: fields, ...fields, type });
        expect(result.ok ? result.message.type : result.problem).toEqual(expect.any(String));
      }),
    );
  });
});
