import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent, SubagentEvent } from '@tenon/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callKey } from './call-updates.js';
import { clientPaths } from './client-paths.js';
import { EventUpdates } from './event-updates.js';

const usage = { inputTokens: 3_000, outputTokens: 40 };

const call = (callId: string, title = 'ls'): AgentEvent => ({
  type: 'tool-call-start',
  callId,
  toolName: 'tool',
  displayName: 'Shell',
  kind: 'execute',
  title,
  locations: [],
  args: {},
  repairs: [],
});
const done = (callId: string): AgentEvent => ({
  type: 'tool-call-end',
  callId,
  toolName: 'tool',
  title: 'ls',
  status: 'success',
  durationMs: 1,
  display: 'out',
  content: [],
});
const asked = (callId: string): AgentEvent =>
  ({ type: 'approval-request', callId, request: {} }) as unknown as AgentEvent;
const begin = (agentId: string, callId: string, more: object = {}): SubagentEvent => ({
  type: 'subagent-start',
  callId,
  agentId,
  agent: 'explore',
  description: 'find it',
  model: 'm',
  logFile: '/l',
  ...more,
});
const says = (agentId: string, callId: string, event: AgentEvent): SubagentEvent => ({
  type: 'subagent-event',
  callId,
  agentId,
  event,
});
const end = (agentId: string, callId: string): SubagentEvent => ({
  type: 'subagent-end',
  callId,
  agentId,
  stopReason: 'completed',
  model: 'm',
  turns: 1,
  toolCalls: 1,
  usage,
  durationMs: 12_000,
});

function told(events: readonly AgentEvent[], updates = new EventUpdates(clientPaths([]))): SessionUpdate[] {
  return events.flatMap((event) => updates.live(event));
}

/** Statuses of each call in their order. */
function lives(all: readonly SessionUpdate[]): Map<string, string[]> {
  const states = new Map<string, string[]>();
  for (const each of all) {
    if (each.sessionUpdate === 'tool_call') {
      expect(states.has(each.toolCallId)).toBe(false);
      states.set(each.toolCallId, ['pending']);
    } else if (each.sessionUpdate === 'tool_call_update') {
      expect(states.has(each.toolCallId)).toBe(true);
      if (typeof each.status === 'string') states.get(each.toolCallId)?.push(each.status);
    }
  }
  return states;
}

function textsOf(all: readonly SessionUpdate[], id: string): string[] {
  return all.flatMap((each) => {
    if (each.sessionUpdate !== 'tool_call_update' || each.toolCallId !== id) return [];
    return (each.content ?? []).flatMap((one) =>
      one.type === 'content' && one.content.type === 'text' ? [one.content.text] : [],
    );
  });
}

describe('what subagents do, for a client', () => {
  it('is the content of the call that they work for, and a call of its own for each of theirs', () => {
    const tokens: AgentEvent = { type: 'assistant-message', content: [], finish: 'tool-calls', usage };
    const all = told([
      call('t1', 'Task'),
      begin('a1', 't1'),
      says('a1', 't1', { type: 'text-delta', text: 'words' }),
      says('a1', 't1', tokens),
      says('a1', 't1', call('x', 'npm test')),
      says('a1', 't1', { type: 'tool-call-update', callId: 'x', display: 'half' }),
      { type: 'tool-call-update', callId: 't1', display: { status: 'works' } },
      says('a1', 't1', done('x')),
      end('a1', 't1'),
      done('t1'),
    ]);
    expect(lives(all)).toEqual(
      new Map([
        ['t1', ['pending', 'in_progress', 'completed']],
        ['a1:x', ['pending', 'in_progress', 'completed']],
      ]),
    );
    expect(all.find((each) => each.sessionUpdate === 'tool_call' && each.toolCallId === 'a1:x')).toMatchObject({
      title: 'explore (a1): npm test',
      _meta: { tenon: { parentToolCallId: 't1', agentId: 'a1', agent: 'explore (a1)' } },
    });
    expect(textsOf(all, 't1').slice(0, 3)).toEqual([
      'explore (a1) begins: find it',
      'explore (a1): find it\n1 call, 3040 tokens · Shell npm test',
      'explore (a1) is done after 12 s: 1 call, 3040 tokens',
    ]);
    expect(JSON.stringify(all)).not.toContain('words');
  });

  it('keeps calls with the same ids apart, those further down too', () => {
    const inner = [call('x'), begin('a1.1', 'x'), says('a1.1', 'x', call('x')), says('a1.1', 'x', done('x'))];
    const all = told([
      call('x', 'Task'),
      begin('a1', 'x'),
      ...inner.map((event) => says('a1', 'x', event)),
      says('a1', 'x', end('a1.1', 'x')),
      says('a1', 'x', done('x')),
      end('a1', 'x'),
      done('x'),
    ]);
    const whole = ['pending', 'in_progress', 'completed'];
    expect(lives(all)).toEqual(new Map(['x', 'a1:x', 'a1.1:x'].map((id) => [id, whole])));
    expect(all.find((each) => each.sessionUpdate === 'tool_call' && each.toolCallId === 'a1.1:x')).toMatchObject({
      _meta: { tenon: { parentToolCallId: 'a1:x' } },
    });
  });

  it('knows a question by who asks it', () => {
    const updates = new EventUpdates(clientPaths([]));
    told([call('x', 'Task'), begin('a1', 'x'), says('a1', 'x', call('x'))], updates);
    const key = updates.keyOf(says('a1', 'x', asked('x')));
    expect(key).toBe(callKey({ callId: 'x', agent: 'explore (a1)' }));
    expect(updates.idOf(key ?? '')).toBe('a1:x');
    expect(updates.keyOf(asked('x'))).toBe('x');
    expect(updates.keyOf(says('a1', 'x', { type: 'turn-start', turn: 1 }))).toBeUndefined();
  });

  it('says when a rule that was to hold in the project could not be saved, whoever asked', () => {
    const problem = 'The rule could not be saved: no space left on the device.';
    const answered: AgentEvent = {
      type: 'approval-answer',
      callId: 'c1',
      outcome: 'proceed_always_project',
      by: 'person',
      problem,
    };
    const notes = (events: readonly AgentEvent[]): string[] =>
      told(events).flatMap((each) =>
        each.sessionUpdate === 'agent_message_chunk' && each.content.type === 'text' ? [each.content.text] : [],
      );
    expect(notes([call('c1'), asked('c1'), answered])).toEqual([`${problem}\n`]);
    const inside = [call('c1'), asked('c1'), answered].map((event) => says('a1', 'c0', event));
    expect(notes([call('c0'), begin('a1', 'c0'), ...inside])).toEqual([`explore (a1): ${problem}\n`]);
  });

  it('leaves nothing open when one ends in the midst of its calls, and none of those in the background', () => {
    const cut = told([
      call('t1'),
      begin('a1', 't1'),
      says('a1', 't1', call('x')),
      says('a1', 't1', asked('x')),
      end('a1', 't1'),
    ]);
    expect(lives(cut).get('a1:x')).toEqual(['pending', 'failed']);
    const away = told([
      call('t1'),
      begin('a1', 't1', { isBackground: true }),
      done('t1'),
      says('a1', 't1', call('x')),
      end('a1', 't1'),
    ]);
    expect([...lives(away).keys()]).toEqual(['t1']);
    const notes = away.flatMap((each) =>
      each.sessionUpdate === 'agent_message_chunk' && each.content.type === 'text' ? [each.content.text] : [],
    );
    expect(notes).toEqual([
      'explore (a1) works in the background: find it\n',
      'explore (a1) is done after 12 s: 1 call, 3040 tokens (find it)\n',
    ]);
  });

  it('says nothing of an end without a beginning, nor of who is unknown', () => {
    expect(told([end('a1', 't'), says('a1', 't', call('x')), says('a1', 't', begin('a2', 'x'))])).toEqual([]);
  });

  it('has nothing hidden in names', () => {
    const agent = `e\u001b[2J\u202e\n${'x'.repeat(500)}`;
    const all = told([call('t'), begin('a1', 't', { agent }), says('a1', 't', call('x', 'a\u009bb')), done('t')]);
    const titles = all.flatMap((each) => (each.sessionUpdate === 'tool_call' ? [each.title] : []));
    expect(titles[1]?.length).toBeLessThan(80);
    expect(JSON.stringify(all)).not.toMatch(/\\u001b|\\u009b|[\u202e\u009b]/);
  });

  it('holds to the laws of calls, whatever comes in whatever order (property)', () => {
    const ids = fc.constantFrom('x', 'y');
    const agents = fc.constantFrom('a1', 'a2', 'a3');
    const leaf = fc.oneof(
      ids.map((id) => call(id)),
      ids.map(done),
      ids.map(asked),
      ids.map((callId): AgentEvent => ({ type: 'tool-call-update', callId, display: 'o' })),
      fc.tuple(agents, ids, fc.boolean()).map(([a, id, away]) => begin(a, id, away ? { isBackground: true } : {})),
      fc.tuple(agents, ids).map(([a, id]) => end(a, id)),
    );
    const wrapped = fc
      .tuple(leaf, fc.array(fc.tuple(agents, ids), { maxLength: 3 }))
      .map(([event, path]) => path.reduce<AgentEvent>((inner, [a, id]) => says(a, id, inner), event));
    fc.assert(
      fc.property(fc.array(wrapped, { maxLength: 40 }), (events) => {
        const updates = new EventUpdates(clientPaths([]));
        const all = [...told(events, updates), ...updates.closeOpen()];
        const allowed = ['pending in_progress completed', 'pending failed', 'pending in_progress failed'];
        for (const one of lives(all).values()) expect(allowed).toContain(one.join(' '));
      }),
    );
  });

  it('costs little for 10,000 calls of one', () => {
    const began = performance.now();
    const events = Array.from({ length: 10_000 }, (_, index) => [
      says('a1', 't', call(`c${index}`)),
      says('a1', 't', done(`c${index}`)),
    ]);
    expect(told([call('t'), begin('a1', 't'), ...events.flat()]).length).toBeGreaterThan(40_000);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
