import { displayWidth, type AgentEvent } from '@tenon/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activityLine } from '../status-line.js';
import { createTranscript } from '../transcript.js';
import { reduce } from '../../state/reduce.js';
import { EMPTY_STATE, type SessionEvent, type SessionState } from '../../state/session-state.js';
import type { Look } from '../block.js';
import { createHighlighter } from '../markdown/highlighter.js';
import { plainLook } from '../testing/looks.js';
import { after, agentEnd, agentSays, agentStart, callEnd, callStart, promptEnd } from '../testing/session.js';

const transcript = createTranscript({ highlighter: createHighlighter() });
const task = callStart({ displayName: 'Task', title: 'look' });

function live(state: SessionState, look: Partial<Look> = {}, rows = 100): string[] {
  return transcript.live(state, plainLook({ columns: 80, ...look }), rows).filter((line) => line !== '');
}

function printed(state: SessionState, look: Partial<Look> = {}): string[] {
  return transcript.take(state, plainLook({ columns: 80, ...look })).lines.filter((line) => line !== '');
}

/** At the same moment. */
function atOnce(events: readonly SessionEvent[], from = EMPTY_STATE): SessionState {
  return events.reduce((state, event) => reduce(state, { type: 'event', event, at: 0 }), from);
}

const read = (callId: string): AgentEvent[] => [
  callStart({ callId, displayName: 'Read', title: `${callId}.ts` }),
  callEnd({ callId, display: '12 lines' }),
];
const tokens: AgentEvent = {
  type: 'assistant-message',
  content: [],
  finish: 'tool-calls',
  usage: { inputTokens: 3_000, outputTokens: 40 },
};
const question = (callId: string) => ({ type: 'approval-request', callId, request: {} }) as unknown as AgentEvent;

describe('a subagent', () => {
  it('shows who works for what, what it did so far, and its latest calls as a tree', () => {
    const events = [tokens, ...['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].flatMap(read), callStart({ callId: 'x' })];
    const state = atOnce([task, agentStart(), ...events.map((event) => agentSays(event))]);
    expect(live(state, { now: 4_000 })).toEqual([
      '● explore (a1) find the parser … 7 calls, 3040 tokens (4.0 s)',
      '  2 calls before',
      '  ├ ● Read r3.ts … 12 lines',
      '  ├ ● Read r4.ts … 12 lines',
      '  ├ ● Read r5.ts … 12 lines',
      '  ├ ● Read r6.ts … 12 lines',
      '  └ ● Shell npm test … (4.0 s)',
    ]);
  });

  it('tells what it does between calls', () => {
    const state = atOnce([task, agentStart()]);
    const line = (event: AgentEvent): string | undefined => live(atOnce([agentSays(event)], state))[0];
    expect(live(state)).toEqual(['● explore (a1) find the parser … waits for the model']);
    expect(line({ type: 'thinking-delta', text: 'x' })).toContain('… thinks');
    expect(line({ type: 'text-delta', text: 'x' })).toContain('… writes');
    expect(line({ type: 'model-retry', attempt: 1, delayMs: 1, reason: 'x' })).toContain('… tries again');
  });

  it('is one line when it is done, with counts, and with its words when it is opened', () => {
    const state = atOnce([
      task,
      agentStart(),
      ...read('r1').map((event) => agentSays(event)),
      agentEnd(),
      callEnd({ display: 'It is in\nparse.ts.', durationMs: 65_100 }),
    ]);
    expect(printed(state)).toEqual(['● explore (a1) find the parser … 3 calls, 12.3k tokens (1 min 05 s)']);
    expect(printed(state, { isOpen: true }).slice(1)).toEqual([
      '  2 calls before',
      '  └ ● Read r1.ts',
      '      12 lines',
      '  It is in',
      '  parse.ts.',
    ]);
  });

  it('says when it was stopped, failed or cancelled', () => {
    const ended = (stop: 'max-turns' | 'cancelled', end: Parameters<typeof callEnd>[0]): string[] =>
      printed(atOnce([task, agentStart(), agentEnd({ stopReason: stop }), callEnd(end)]));
    expect(ended('max-turns', {})[0]).toContain('3 calls, 12.3k tokens · used up its turns');
    expect(ended('cancelled', { status: 'cancelled' })[0]).toContain('cancelled 3 calls');
    expect(ended('cancelled', { status: 'error', display: 'no such agent' })[0]).toContain('failed no such agent');
  });

  it('is told at the end of the prompt what was denied to it, but not what the person refused', () => {
    const denied = (callId: string) => ({
      callId,
      agentId: 'a1',
      toolName: 't',
      title: callId,
      reason: 'r',
      rules: [],
    });
    const state = atOnce([
      task,
      agentStart(),
      agentSays(callStart({ callId: 'x' })),
      agentSays({ type: 'approval-answer', callId: 'x', outcome: 'cancel', by: 'person' }),
      agentEnd(),
      callEnd(),
      promptEnd({ denials: [denied('x'), denied('z')] }),
    ]);
    const text = printed(state, { columns: 200 }).join('\n');
    expect(text).toContain('denied: a1: z (r)');
    expect(text).not.toContain('a1: x');
  });

  it('has those that it hands work to below it, folded', () => {
    const inner = [
      callStart({ callId: 't2', displayName: 'Task', title: 'deeper' }),
      agentStart({ callId: 't2', agentId: 'a2', agent: 'general', description: 'read all' }),
      ...['r1', 'r2', 'r3'].flatMap(read).map((event) => agentSays(event, 't2', 'a2')),
    ];
    const state = atOnce([task, agentStart(), ...inner.map((event) => agentSays(event))]);
    expect(live(state)).toEqual([
      '● explore (a1) find the parser … 4 calls',
      '  └ ● general (a2) read all … 3 calls · waits for the model',
      '      1 call before',
      '      ├ ● Read r2.ts … 12 lines',
      '      └ ● Read r3.ts … 12 lines',
    ]);
  });

  it('keeps its calls apart from those of others with the same ids', () => {
    const state = atOnce([
      callStart({ callId: 'x', title: 'mine' }),
      task,
      agentStart(),
      agentSays(callStart({ callId: 'x', title: 'its' })),
      callEnd({ callId: 'x', display: 'of the main agent' }),
    ]);
    expect(live(state)).toEqual([
      '● Shell mine … of the main agent',
      '● explore (a1) find the parser … 1 call',
      '  └ ● Shell its',
    ]);
  });

  it('waits for an answer where the person can see it', () => {
    const state = atOnce([task, agentStart(), agentSays(callStart({ callId: 'x' })), agentSays(question('x'))]);
    expect(live(state).at(-1)).toBe('  └ ? Shell npm test … waits for your answer');
    expect(activityLine(state, plainLook())).toContain('A call waits for your answer');
  });

  it('is no line more when twenty of them work at once, and a sum of all', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `a${index}`);
    const begun = ids.flatMap((id) => [
      callStart({ callId: id }),
      agentStart({ callId: id, agentId: id }),
      agentSays(tokens, id, id),
      agentSays(callStart({ callId: 'x', displayName: 'Grep', title: 'foo' }), id, id),
    ]);
    const state = atOnce(begun);
    expect(live(state)).toHaveLength(20);
    expect(live(state)[7]).toBe('● explore (a7) find the parser … 1 call, 3040 tokens · Grep foo');
    expect(activityLine(state, plainLook({ columns: 90 }))).toContain('Running 20 subagents: 20 calls, 60.8k tokens');
    const asking = atOnce([agentSays(question('x'), 'a7', 'a7')], state);
    expect(live(asking)[7]).toBe('● explore (a7) find the parser … 1 call, 3040 tokens · waits for your answer');
  });

  it('in the background is told of by a line when it ends', () => {
    const state = after([task, agentStart({ isBackground: true }), callEnd({ display: 'a1 works' })]);
    expect(printed(state)).toEqual(['● explore (a1) find the parser … works in the background']);
    expect(state.background).toHaveLength(1);
    const later = after([agentSays(read('r')[0] as AgentEvent), agentEnd()], transcript.take(state, plainLook()).state);
    expect(later.background).toEqual([]);
    expect(printed(later)).toEqual(['explore (a1) is done after 1 min 05 s: 3 calls, 12.3k tokens (find the parser)']);
  });

  it('changes nothing once it is printed, and nothing where it never began', () => {
    const state = atOnce([task, agentStart(), callEnd()]);
    for (const event of [agentSays(tokens), agentSays(callStart()), agentEnd(), agentStart({ callId: 'none' })]) {
      expect(atOnce([event], state)).toBe(state);
      expect(atOnce([event])).toBe(EMPTY_STATE);
    }
    const other = atOnce([task, agentStart()]);
    expect(atOnce([agentSays(tokens, 'c1', 'a9'), agentEnd({ agentId: 'a9' })], other)).toBe(other);
  });

  it('costs what it adds, whatever it does: 10,000 calls, and 100,000 words that change nothing', () => {
    const began = performance.now();
    let state = atOnce([task, agentStart()]);
    for (let index = 0; index < 10_000; index += 1)
      state = atOnce(
        read(`r${index}`).map((event) => agentSays(event)),
        state,
      );
    const [item] = state.items;
    expect(item?.kind === 'call' && item.children.length).toBe(8);
    expect(live(state)[0]).toContain('10,000 calls');
    const word = agentSays({ type: 'text-delta', text: 'word ' });
    const writing = atOnce([word], state);
    let changes = 0;
    for (let index = 0; index < 100_000; index += 1)
      if (reduce(writing, { type: 'event', event: word, at: index }) !== writing) changes += 1;
    expect(changes).toBe(0);
    for (let index = 0; index < 1_000; index += 1)
      state = atOnce([agentSays(callStart({ callId: `o${index}` }))], state);
    expect(state.items[0]?.kind === 'call' && state.items[0].children.length).toBe(64);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('is never wider than the terminal and never speaks to it, whatever it is called (property)', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '中', '\n', ' ', '\u001b[2J', '\u202e', '👍', '\t', '\u009b'),
    });
    const columns = fc.constantFrom(12, 40, 90);
    fc.assert(
      fc.property(text, text, text, columns, fc.boolean(), (agent, description, title, width, isOpen) => {
        const begun = agentStart({ agent, description, agentId: title });
        const inner = agentSays(callStart({ callId: 'n', title, displayName: agent }), 'c1', title);
        const running = atOnce([task, begun, inner]);
        const done = atOnce([agentEnd({ agentId: title }), callEnd({ display: description })], running);
        for (const state of [running, done])
          for (const line of live(state, { columns: width, isOpen })) {
            expect(displayWidth(line)).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
          }
      }),
    );
  });
});
