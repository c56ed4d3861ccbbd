import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent, ToolConfirmationOutcome } from '@tenon/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientPaths } from './client-paths.js';
import { EventUpdates, inForce } from './event-updates.js';

const paths = clientPaths([]);

function start(callId: string): AgentEvent {
  const shown = { displayName: 'Shell', kind: 'execute', title: 'ls', locations: [], repairs: [] } as const;
  return { type: 'tool-call-start', callId, toolName: 'run_shell_command', args: {}, ...shown };
}

function end(callId: string, status: 'success' | 'denied'): AgentEvent {
  const told = { title: 'ls', durationMs: 1, display: 'out', content: [] };
  return { type: 'tool-call-end', callId, toolName: 'run_shell_command', status, ...told };
}

const update = (callId: string): AgentEvent => ({ type: 'tool-call-update', callId, display: 'half' });
const answer = (callId: string, outcome: ToolConfirmationOutcome): AgentEvent => ({
  type: 'approval-answer',
  callId,
  outcome,
  by: 'person',
});

/** A life of a call as the scheduler tells it. */
const life = (callId: string): fc.Arbitrary<readonly AgentEvent[]> =>
  fc.oneof(
    fc
      .nat(3)
      .map((times) => [start(callId), ...Array.from({ length: times }, () => update(callId)), end(callId, 'success')]),
    fc.constant([start(callId), answer(callId, 'proceed_once'), update(callId), end(callId, 'success')]),
    fc.constant([start(callId), answer(callId, 'cancel'), end(callId, 'denied')]),
    fc.constant([start(callId), update(callId)]),
  );

describe('the events of a session, for a client', () => {
  it('give each call one beginning, one end, and nothing out of order, however calls are mixed', () => {
    const lives = fc.tuple(life('a'), life('b'), life('attached'), life('attached'));
    fc.assert(
      fc.property(lives, fc.infiniteStream(fc.nat(2)), ([a, b, first, second], picks) => {
        const lanes = [[...a], [...b], [...first, ...second]];
        const updates = new EventUpdates(paths);
        const told: SessionUpdate[] = [];
        while (lanes.some((lane) => lane.length > 0)) {
          const next = lanes[picks.next().value ?? 0]?.shift();
          if (next !== undefined) told.push(...updates.live(next));
        }
        told.push(...updates.closeOpen());
        const states = new Map<string, string[]>();
        for (const each of told) {
          if (each.sessionUpdate === 'tool_call') {
            expect(states.has(each.toolCallId)).toBe(false);
            states.set(each.toolCallId, ['pending']);
          } else if (each.sessionUpdate === 'tool_call_update' && typeof each.status === 'string') {
            states.get(each.toolCallId)?.push(each.status);
            expect(states.has(each.toolCallId)).toBe(true);
          }
        }
        const allowed = ['pending in_progress completed', 'pending failed', 'pending in_progress failed'];
        for (const one of states.values()) expect(allowed).toContain(one.join(' '));
      }),
    );
  });

  it('say that an answer begins anew when the connection broke in it, under another id', () => {
    const updates = new EventUpdates(paths);
    const said = [
      { type: 'turn-start', turn: 1 },
      { type: 'text-delta', text: 'Hel' },
      { type: 'model-retry', attempt: 1, delayMs: 0, reason: 'it broke' },
      { type: 'text-delta', text: 'Hello' },
    ] satisfies AgentEvent[];
    const [first, note, second] = said.flatMap((event) => updates.live(event));
    expect(note).toMatchObject({ content: { text: expect.stringContaining('does not count') as string } });
    expect(first).toMatchObject({ content: { text: 'Hel' } });
    expect(second).toMatchObject({ content: { text: 'Hello' } });
    const idOf = (each: SessionUpdate | undefined) => (each !== undefined && 'messageId' in each ? each.messageId : '');
    expect(idOf(second)).not.toBe(idOf(first));
  });

  it('are shown again without what a rewind took back', () => {
    const said = (id: string): AgentEvent => ({ type: 'user-message', id, text: id });
    const back = (to: string, conversation: boolean): AgentEvent => ({ type: 'rewind', to, conversation });
    const kept = inForce([said('1'), said('2'), back('2', true), said('3'), back('1', false)]);
    expect(kept.map((event) => (event.type === 'user-message' ? event.text : event.type))).toEqual(['1', '3']);
  });
});
