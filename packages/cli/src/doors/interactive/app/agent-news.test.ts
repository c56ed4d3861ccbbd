import type { AgentEvent, BackgroundSubagent } from '@tenon/core';
import { beforeEach, expect, it } from 'vitest';
import { agentNews } from './agent-news.js';

let ended = new Map<string, () => void>();
let agents: BackgroundSubagent[] = [];
let shown: AgentEvent[] = [];

beforeEach(() => {
  ended = new Map();
  agents = [];
  shown = [];
});

function begin(agentId: string): AgentEvent {
  let state: BackgroundSubagent['state'] = 'running';
  const end = new Promise<void>((resolve) => {
    ended.set(agentId, () => {
      state = 'ended';
      resolve();
    });
  });
  const report = { agentId, stopReason: 'completed', text: '', turns: 1, toolCalls: 4, durationMs: 9, transcript: '' };
  agents.push({
    agentId,
    agent: 'explore',
    description: 'd',
    get state() {
      return state;
    },
    startedAt: 0,
    doing: '',
    get report() {
      return state === 'ended' ? report : undefined;
    },
    ended: end,
    endSeen: false,
    noteEndSeen: () => undefined,
  });
  const told = { callId: 't1', agentId, agent: 'explore', description: 'd', model: 'm', logFile: '/l' };
  return { type: 'subagent-start', ...told, isBackground: true };
}

const news = () => {
  const config = { getSubagents: () => ({ background: () => agents }) } as never;
  return agentNews({ config }, (event) => shown.push(event));
};
const endOf = (agentId: string): AgentEvent => ({
  type: 'subagent-end',
  callId: 't1',
  agentId,
  stopReason: 'completed',
  model: 'm',
  turns: 1,
  toolCalls: 4,
  usage: { inputTokens: 0, outputTokens: 0 },
  durationMs: 9,
});
const callEnd = { type: 'tool-call-end' } as AgentEvent;
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const told = (): string[] => shown.map((event) => ('agentId' in event ? `${event.type} ${event.agentId}` : ''));

it('tells of one as soon as its call is over and as soon as it ends, whenever the stream does', async () => {
  const { isTold } = news();
  const start = begin('a1');
  expect(isTold(callEnd)).toBe(false);
  expect(told()).toEqual(['subagent-start a1']);
  ended.get('a1')?.();
  await soon();
  expect(told()).toEqual(['subagent-start a1', 'subagent-end a1']);
  expect(shown[1]).toMatchObject({ stopReason: 'completed', toolCalls: 4 });
  // The stream of the next prompt begins with both.
  expect([isTold(start), isTold(endOf('a1'))]).toEqual([true, true]);
  expect(shown).toHaveLength(2);
});

it('leaves those that a call waits for to the stream', () => {
  const { isTold } = news();
  expect([isTold(endOf('a7')), isTold(callEnd)]).toEqual([false, false]);
  expect(shown).toEqual([]);
});

it('tells again of those that work still', async () => {
  const { isTold, again } = news();
  begin('a1');
  begin('a2');
  isTold(callEnd);
  ended.get('a1')?.();
  await soon();
  shown.length = 0;
  again();
  expect(told()).toEqual(['subagent-start a2']);
});
