import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, ToolResultBlock } from '../models/model.js';
import { Kind } from '../tools/tools.js';
import { applyCompaction, framedSummary } from './compaction.js';
import { callsOf } from './conversation.js';
import { planCompaction, planOf, type Crowded, type Outline } from './plan-compaction.js';
import { TokenEstimator } from './token-estimate.js';

const KINDS = [Kind.Read, Kind.Search, Kind.Execute, Kind.Edit] as const;
/** The kind is in the id, for the generated conversations. */
const kindOf = (id: string): Kind | undefined => KINDS.find((kind) => id.startsWith(kind));

interface Wanted {
  readonly target: number;
  readonly protect?: number;
  readonly isWished?: boolean;
  readonly isLastResort?: boolean;
}

function crowded(messages: readonly Message[], wanted: Wanted): Crowded {
  const estimator = new TokenEstimator();
  return {
    messages,
    protect: 2000,
    summarySize: 300,
    isWished: false,
    isLastResort: false,
    kindOf,
    sizeOf: (message) => estimator.message(message),
    sizeOfResult: (result) => estimator.rawResult(result),
    ...wanted,
  };
}

const sizeOf = (messages: readonly Message[]): number => {
  const estimator = new TokenEstimator();
  return messages.reduce((sum, message) => sum + estimator.message(message), 0);
};
const SUMMARY = framedSummary(['what was done']);
const applied = (messages: readonly Message[], outline: Outline): readonly Message[] =>
  applyCompaction(messages, planOf(outline, SUMMARY));

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });
const turn = (id: string, characters: number, isError = false): Message[] => [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'hm', signature: `anthropic:${id}` },
      { type: 'tool-call', id, name: `tool_${id}`, argumentsText: `{"path":"/w/${id}"}` },
    ],
  },
  { role: 'tool', content: [resultOf(id, 'x'.repeat(characters), isError)] },
];
const resultOf = (callId: string, text: string, isError = false): ToolResultBlock => ({
  type: 'tool-result',
  callId,
  name: `tool_${callId}`,
  isError,
  content: [{ type: 'text', text }],
});
const textsOf = (messages: readonly Message[]): string => JSON.stringify(messages);

const answered = fc.record({
  calls: fc.array(
    fc.record({ kind: fc.constantFrom(...KINDS), size: fc.integer({ min: 0, max: 30_000 }), isError: fc.boolean() }),
    { maxLength: 3 },
  ),
  words: fc.integer({ min: 1, max: 2000 }),
});
const conversation = fc
  .array(fc.record({ said: fc.integer({ min: 1, max: 3000 }), answers: fc.array(answered, { maxLength: 6 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((prompts) =>
    prompts.flatMap((prompt, promptIndex): Message[] => [
      user(`${promptIndex}${'w'.repeat(prompt.said)}`),
      ...prompt.answers.flatMap((answer, index): Message[] => {
        const ids = answer.calls.map(({ kind }, call) => `${kind}-${promptIndex}-${index}-${call}`);
        const assistant: Message = {
          role: 'assistant',
          content: [
            { type: 'text', text: 'a'.repeat(answer.words) },
            ...ids.map((id) => ({ type: 'tool-call', id, name: 'tool', argumentsText: '{}' }) as const),
          ],
        };
        const results = answer.calls.map(({ size, isError }, call) =>
          resultOf(ids[call] ?? '', 'r'.repeat(size), isError),
        );
        return [assistant, ...(ids.length === 0 ? [] : [{ role: 'tool', content: results } as const])];
      }),
    ]),
  )
  // What the next prompt makes of two user's messages in a row is one message.
  .filter((messages) => messages.every(({ role }, index) => role !== 'user' || messages[index - 1]?.role !== 'user'));

describe('what a compaction makes of any conversation', () => {
  const wishes = fc.record({
    target: fc.integer({ min: 500, max: 40_000 }),
    protect: fc.integer({ min: 0, max: 8000 }),
    isWished: fc.boolean(),
    isLastResort: fc.boolean(),
  });

  it('has one result behind every call, keeps the user’s last message, and is never longer (property)', () => {
    fc.assert(
      fc.property(conversation, wishes, (messages, wanted) => {
        const outline = planCompaction(crowded(messages, wanted));
        if (outline === undefined) return;
        const after = applied(messages, outline);
        for (const [index, message] of after.entries()) {
          const results = after[index + 1];
          const ids = callsOf(message).map(({ id }) => id);
          if (ids.length > 0)
            expect(results?.role === 'tool' ? results.content.map(({ callId }) => callId) : []).toEqual(ids);
          if (message.role === 'tool') expect(after[index - 1]?.role).toBe('assistant');
        }
        const lastUser = messages.findLast(({ role }) => role === 'user');
        expect(textsOf(after)).toContain(textsOf(lastUser === undefined ? [] : [lastUser]).slice(40, -4));
        expect(sizeOf(after)).toBeLessThan(sizeOf(messages));
        expect(after.filter(({ role }) => role === 'user').every(({ content }) => content.length > 0)).toBe(true);
      }),
    );
  });

  it('fits the target, or leaves nothing that could be left out (property)', () => {
    fc.assert(
      fc.property(conversation, wishes, (messages, wanted) => {
        const outline = planCompaction(crowded(messages, { ...wanted, isWished: false }));
        const after = outline === undefined ? messages : applied(messages, outline);
        if (sizeOf(after) <= wanted.target) return;
        // Too much is in the newest answer and in the user's own words: nothing else is left to take.
        expect(planCompaction(crowded(after, { ...wanted, isWished: false }))).toBeUndefined();
      }),
    );
  });

  it('is the same when it is done once more (property)', () => {
    fc.assert(
      fc.property(conversation, wishes, (messages, wanted) => {
        const outline = planCompaction(crowded(messages, wanted));
        if (outline === undefined) return;
        const after = applied(messages, outline);
        const { dropped, shortened } = outline;
        expect(applied(after, { dropped, shortened })).toEqual(after);
        if (sizeOf(after) <= wanted.target)
          expect(planCompaction(crowded(after, { ...wanted, isWished: false }))).toBeUndefined();
      }),
    );
  });
});

describe('planCompaction', () => {
  it('leaves a conversation that fits as it is', () => {
    expect(planCompaction(crowded([user('hi'), said('hello')], { target: 100 }))).toBeUndefined();
  });

  it('first drops old results that can be had again, the oldest first, and says how to have them again', () => {
    const messages = [
      user('look'),
      ...turn('read-1', 20_000),
      ...turn('search-2', 20_000),
      ...turn('read-3', 20_000),
      ...turn('read-4', 4000),
    ];
    const outline = planCompaction(crowded(messages, { target: 8000 }));
    expect(outline).toEqual({ dropped: ['read-1', 'search-2'], shortened: [] });
    const after = applied(messages, outline ?? { dropped: [], shortened: [] });
    expect(after[2]?.content[0]).toMatchObject({
      callId: 'read-1',
      content: [
        {
          text: '[Left out to save room: the result of tool_read-1 {"path":"/w/read-1"} (20,000 characters). Make the call again if you need it.]',
        },
      ],
    });
    // What was sent before and stays is the very same.
    expect(after[1]).toBe(messages[1]);
    expect(after[6]).toBe(messages[6]);
  });

  it('never drops what cannot be had again: of large and old ones beginning and end stay', () => {
    const messages = [user('do'), ...turn('execute-1', 40_000), ...turn('edit-2', 500), ...turn('read-3', 400)];
    const outline = planCompaction(crowded(messages, { target: 3000 }));
    expect(outline).toEqual({ dropped: [], shortened: ['execute-1'] });
    const [result] = applied(messages, outline ?? { dropped: [], shortened: [] })[2]?.content ?? [];
    expect(JSON.stringify(result)).toContain('37,600 characters of the middle');
  });

  it('leaves failures and the newest results alone', () => {
    const messages = [user('do'), ...turn('read-1', 30_000, true), ...turn('read-2', 6000)];
    const outline = planCompaction(crowded(messages, { target: 1000 }));
    expect(outline?.dropped).toEqual([]);
    expect(outline?.shortened).not.toContain('read-2');
  });

  it('summarises at an answer, with its thinking and signatures untouched behind it', () => {
    const many = Array.from({ length: 40 }, (_, index) => turn(`edit-${index}`, 2000)).flat();
    const messages = [user('write it all'), ...many];
    const outline = planCompaction(crowded(messages, { target: 4000 }));
    const before = outline?.before ?? 0;
    expect(before).toBeGreaterThan(60);
    expect(messages[before]?.role).toBe('assistant');
    const after = applied(messages, outline ?? { dropped: [], shortened: [] });
    expect(after[0]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: SUMMARY },
        { type: 'text', text: 'write it all' },
      ],
    });
    expect(after.slice(1)).toEqual(messages.slice(before));
    expect(after[1]).toBe(messages[before]);
  });

  it('cuts the newest results only as a last resort', () => {
    const messages = [user('do'), ...turn('execute-1', 90_000)];
    expect(planCompaction(crowded(messages, { target: 5000 }))).toBeUndefined();
    const last = planCompaction(crowded(messages, { target: 5000, isLastResort: true }));
    expect(last).toEqual({ dropped: [], shortened: ['execute-1'] });
  });

  it('plans for 5,000 messages in tens of milliseconds', () => {
    const turns = Array.from({ length: 2500 }, (_, index) => turn(`${KINDS[index % 4]}-${index}`, 3000)).flat();
    const messages = [user('go'), ...turns];
    const input = crowded(messages, { target: 50_000 });
    planCompaction(input);
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      expect(planCompaction(input)?.before).toBeGreaterThan(4000);
      return performance.now() - start;
    });
    // Far above what it takes, for machines that are busy.
    expect(Math.min(...times)).toBeLessThan(250);
  });
});
