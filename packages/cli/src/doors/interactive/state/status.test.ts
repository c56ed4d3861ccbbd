import { describe, expect, it } from 'vitest';
import { after, callEnd, callStart, promptEnd } from '../views/testing/session.js';
import { allItems } from './all-items.js';
import { recentEvents } from './recent-events.js';
import type { SessionEvent } from './session-state.js';
import { statusOf } from './status.js';

const asked: SessionEvent = { type: 'user-message', text: 'x' };
const turn: SessionEvent = { type: 'turn-start', turn: 1 };
const question = { type: 'approval-request', callId: 'c1', request: {} } as unknown as SessionEvent;

describe('what is going on', () => {
  it.each<readonly [string, readonly SessionEvent[], object]>([
    ['nothing', [], { kind: 'idle' }],
    ['waiting', [asked, turn], { kind: 'waiting', elapsedMs: 9_000 }],
    ['thinking', [asked, { type: 'thinking-delta', text: 'x' }], { kind: 'thinking', elapsedMs: 9_000 }],
    [
      'answering',
      [asked, { type: 'text-delta', text: 'x' }, { type: 'text-delta', text: 'y' }],
      { kind: 'answering', elapsedMs: 9_000 },
    ],
    ['a call', [asked, callStart()], { kind: 'calls', count: 1, title: 'npm test', elapsedMs: 9_000 }],
    [
      'two calls',
      [callStart(), callStart({ callId: 'c2' })],
      { kind: 'calls', count: 2, title: 'npm test', elapsedMs: 10_000 },
    ],
    ['a call that is over', [asked, turn, callStart(), callEnd()], { kind: 'waiting', elapsedMs: 9_000 }],
    ['a question', [callStart(), question], { kind: 'asking', count: 1 }],
    [
      'a new attempt',
      [asked, { type: 'model-retry', attempt: 2, delayMs: 12_000, reason: 'busy' }],
      { kind: 'retrying', inMs: 3_000, attempt: 2, reason: 'busy' },
    ],
    ['nothing after the end', [asked, turn, promptEnd()], { kind: 'idle' }],
  ])('is %s', (_, events, status) => {
    expect(statusOf(after(events), 10_000).status).toEqual(status);
  });

  it('counts tokens, those that are just written by their length', () => {
    const usage = { inputTokens: 100, outputTokens: 10 };
    const said: SessionEvent = { type: 'assistant-message', content: [], finish: 'stop', usage };
    const state = after([asked, turn, said, turn, { type: 'text-delta', text: 'x'.repeat(80) }]);
    expect(statusOf(state, 9_000)).toMatchObject({ tokens: { input: 100, output: 30 }, promptMs: 9_000 });
    expect(statusOf(after([asked], state), 0).tokens).toEqual({ input: 0, output: 0 });
  });
});

describe('what is shown of an earlier session', () => {
  const log = (events: readonly SessionEvent[]) =>
    events.map((event, index) => ({ sequence: index + 1, time: '2026-01-01T00:00:00.000Z', event }));
  const said = (id: string): SessionEvent => ({ type: 'user-message', text: id, id });

  it('is the end of it', () => {
    const history = log([said('a'), turn, said('b'), { type: 'user-message', text: 's', isSteering: true }, said('c')]);
    const { events, left } = recentEvents(history, 2);
    expect(left).toBe(1);
    expect(events.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect(recentEvents(history, 9)).toEqual({ events: history, left: 0 });
  });

  it('has nothing that was taken back', () => {
    const back: SessionEvent = { type: 'rewind', to: 'b', conversation: true };
    const history = log([said('a'), said('b'), turn, back, said('c')]);
    expect(recentEvents(history, 9).events.map(({ sequence }) => sequence)).toEqual([1, 4, 5]);
    const files: SessionEvent = { type: 'rewind', to: 'b', conversation: false };
    expect(recentEvents(log([said('a'), said('b'), files]), 9).events).toHaveLength(3);
  });

  it('is all of it as items in a moment, for 30,000 of them', () => {
    const call = (index: number): SessionEvent[] => [
      callStart({ callId: `c${index}` }),
      callEnd({ callId: `c${index}` }),
    ];
    const history = log(Array.from({ length: 15_000 }, (_, index) => [said(`m${index}`), ...call(index)]).flat());
    const began = performance.now();
    const items = allItems(history);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(items).toHaveLength(30_000);
    expect(new Set(items.map(({ key }) => key)).size).toBe(30_000);
  });
});
