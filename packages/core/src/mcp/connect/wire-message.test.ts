import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answeredId, messagesIn, parseMessages } from './wire-message.js';

describe('a line', () => {
  it.each([
    '',
    'listening',
    '{"half":',
    '42',
    '[]',
    '"text"',
    '{}',
    '{"jsonrpc":"2.0"}',
    '[1, null]',
    '{"id":null,"result":{}}',
  ])('that is no message is stray: %s', (text) => {
    expect(parseMessages(text)).toBeUndefined();
  });

  it('may be a batch and begin with a byte order mark', () => {
    const text = '\uFEFF[{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"x"}]';
    expect(parseMessages(text)).toMatchObject([
      { kind: 'result', id: 1 },
      { kind: 'notification', method: 'x' },
    ]);
  });

  it('is never more than is understood', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const message of messagesIn(value))
          expect(['request', 'notification', 'result', 'error']).toContain(message.kind);
      }),
    );
  });
});

describe('an answer', () => {
  it.each([
    [{ id: 1, result: 'text' }, 'its answer is unsound: the result is a string'],
    [{ id: 1, result: null }, 'its answer is unsound: the result is null'],
    [{ id: 1, result: [] }, 'its answer is unsound: the result is a list'],
    [{ id: 1 }, 'its answer is unsound: the result is missing'],
    [{ id: 1, error: 'broken' }, 'broken'],
    [{ id: 1, error: {} }, 'an error without a message'],
    [{ id: 1, error: { code: 'x', message: ' ' } }, 'an error without a message'],
  ])('that is unsound is an error: %j', (value, message) => {
    expect(messagesIn(value)).toMatchObject([{ kind: 'error', id: 1, error: { code: -32_603, message } }]);
  });

  it('may have both a result and an empty error', () => {
    expect(messagesIn({ id: 'a', result: {}, error: null })).toMatchObject([{ kind: 'result', id: 'a' }]);
  });
});

it.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"content":[{"text":"x', 'x"}]}}', 7],
  ['{"id":"a-1","result":{', '}}', 'a-1'],
  ['{"result":{"id":5,"text":"x', 'x"},"jsonrpc":"2.0","id":12}', 12],
  ['{"result":{"text":"x', 'x"},"id":3}\r', 3],
  ['{"result":{"id":5', '"}}', undefined],
])('tells whose answer was too long: %s … %s', (start, end, id) => {
  expect(answeredId(start, end)).toBe(id);
});
