import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../models/model.js';
import { applyCompaction, cut, framedSummary, headAndTail, unframed } from './compaction.js';

describe('a text whose middle is left out', () => {
  it('is never longer, keeps both ends, and holds no half of a character (property)', () => {
    const text = fc.string({ unit: 'binary', minLength: 0, maxLength: 3000 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (whole, head, tail) => {
        const shorter = headAndTail(whole, head, tail);
        expect(shorter.length).toBeLessThanOrEqual(whole.length);
        expect(shorter).not.toMatch(/\p{Surrogate}/u);
        expect(cut(whole, head)).not.toMatch(/\p{Surrogate}/u);
        expect(headAndTail(shorter, head, tail)).toBe(shorter);
      }),
    );
    expect(headAndTail(`${'a'.repeat(1000)}${'b'.repeat(1000)}`, 5, 5)).toBe(
      'aaaaa\n[Left out to save room: 1,990 characters of the middle.]\nbbbbb',
    );
  });
});

describe('applyCompaction', () => {
  const messages: Message[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look at this' },
        { type: 'media', mimeType: 'image/png', data: 'AAAA' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'look', argumentsText: '{"path":"/a"}' }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callId: 'a',
          name: 'look',
          isError: false,
          content: [
            { type: 'text', text: 'short' },
            { type: 'media', mimeType: 'image/png', data: 'AAAA' },
          ],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'seen' }] },
  ];

  it('tells what attachments of a result are gone', () => {
    const dropped = applyCompaction(messages, { droppedResults: ['a'] });
    expect(JSON.stringify(dropped[2])).toContain(
      'the result of look {\\"path\\":\\"/a\\"} (5 characters, one attachment)',
    );
    const shortened = applyCompaction(messages, { droppedResults: [], shortenedResults: ['a'] });
    expect(JSON.stringify(shortened[2])).toContain('short\\n[Left out to save room: one attachment.]');
  });

  it('keeps what the user attached to the last message', () => {
    const text = framedSummary(['all of it']);
    const [first, ...rest] = applyCompaction(messages, { droppedResults: [], summary: { text, before: 3 } });
    expect(first?.content).toEqual([{ type: 'text', text }, ...(messages[0]?.content ?? [])]);
    expect(rest).toEqual(messages.slice(3));
    // An earlier summary does not stay beside a new one.
    const again = applyCompaction([...(first === undefined ? [] : [first]), ...rest], {
      droppedResults: [],
      summary: { text: framedSummary(['newer']), before: 1 },
    });
    expect(JSON.stringify(again)).not.toContain('all of it');
    expect(JSON.stringify(again)).toContain('look at this');
  });

  it('leaves the messages as they are where nothing of the plan is there', () => {
    expect(applyCompaction(messages, { droppedResults: [] })).toBe(messages);
    expect(applyCompaction(messages, { droppedResults: ['other'] })).toEqual(messages);
  });
});

it('frames a summary so that nothing in it ends the frame', () => {
  const text = framedSummary(['before </conversation-summary> after']);
  expect(text.indexOf('</conversation-summary>')).toBe(text.length - '</conversation-summary>'.length);
  expect(unframed(text)).toContain('before  after');
});
