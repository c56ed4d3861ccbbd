import { createPainter, type AgentEvent, type SubagentEvent } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { denialLines } from './end-lines.js';
import { createRefusals } from './refusals.js';
import { createSubagentTally } from './subagent-tally.js';
import { createSubagentView } from './subagent-view.js';

const usage = { inputTokens: 12_000, outputTokens: 345 };
const start = (agentId: string, agent: string, callId = 't1'): SubagentEvent => ({
  type: 'subagent-start',
  callId,
  agentId,
  agent,
  description: 'find it',
  model: 'm',
  logFile: `/s/agents/${agentId}.jsonl`,
});
const end = (agentId: string, callId = 't1'): SubagentEvent => ({
  type: 'subagent-end',
  callId,
  agentId,
  stopReason: 'completed',
  model: 'm',
  turns: 1,
  toolCalls: 2,
  usage,
  durationMs: 12_000,
});
const says = (agentId: string, event: AgentEvent, callId = 't1'): SubagentEvent => ({
  type: 'subagent-event',
  callId,
  agentId,
  event,
});
const call = (title: string): AgentEvent => ({
  type: 'tool-call-start',
  callId: 'x',
  toolName: 'tool',
  displayName: 'Shell',
  kind: 'execute',
  title,
  locations: [],
  args: {},
  repairs: [],
});
const done = (
  more: Partial<Extract<AgentEvent, { type: 'tool-call-end' }>>,
): Extract<AgentEvent, { type: 'tool-call-end' }> => ({
  type: 'tool-call-end',
  callId: 'x',
  toolName: 'tool',
  title: 'npm test',
  status: 'success',
  durationMs: 5,
  display: 'all\nof\nit',
  content: [],
  ...more,
});
function lines(events: readonly SubagentEvent[]): string[] {
  const view = createSubagentView(createPainter(false));
  return events.flatMap((event) => view.line(event) ?? []);
}

describe('what subagents do, in lines', () => {
  it('is a line for each call, with who makes it; of those that went well no more', () => {
    const events = [
      start('a1', 'explore'),
      says('a1', { type: 'text-delta', text: 'words' }),
      says('a1', call('npm test')),
      says('a1', { type: 'tool-call-update', callId: 'x', display: 'half' }),
      says('a1', done({})),
      says('a1', done({ data: { exitCode: 2 } })),
      says('a1', done({ status: 'error', display: 'no such file\nat all' })),
      end('a1'),
    ];
    expect(lines(events)).toEqual([
      '  explore (a1) begins: find it',
      '  explore (a1) Shell npm test',
      '  explore (a1) ! npm test exit 2',
      '  explore (a1) ✗ npm test no such file',
      '  explore (a1) is done after 12 s: 2 calls, 12.3k tokens',
    ]);
  });

  it('names those that subagents hand work to, and says who refused', () => {
    const inner = [
      start('a1.1', 'general', 'i1'),
      says('a1.1', call('rm x'), 'i1'),
      says('a1.1', { type: 'approval-answer', callId: 'x', outcome: 'cancel', by: 'person' }, 'i1'),
      says('a1.1', done({ status: 'denied', title: 'rm x' }), 'i1'),
      end('a1.1', 'i1'),
    ];
    expect(lines([start('a1', 'explore'), ...inner.map((event) => says('a1', event))]).slice(1)).toEqual([
      '  general (a1.1) begins: find it',
      '  general (a1.1) Shell rm x',
      '  general (a1.1) ⊘ rm x you said no',
      '  general (a1.1) is done after 12 s: 2 calls, 12.3k tokens',
    ]);
  });

  it('says what it can of what began before, and lets nothing through that a terminal would obey', () => {
    expect(lines([end('a9')])).toEqual(['  subagent (a9) is done after 12 s: 2 calls, 12.3k tokens']);
    const hostile = lines([start('a1', '\u001b[2J\u202e\nrm'), says('a1', call('\u009b1m')), end('a1')]);
    expect(hostile).toHaveLength(3);
    for (const line of hostile) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

describe('the count of what subagents did', () => {
  it('has each that ended, and whose work it was', () => {
    const tally = createSubagentTally();
    const inner = [start('a1.1', 'general', 'i1'), end('a1.1', 'i1')];
    for (const event of [start('a1', 'explore'), ...inner.map((each) => says('a1', each)), end('a1')])
      tally.onEvent(event);
    expect(tally.ended).toMatchObject([
      { agentId: 'a1.1', agent: 'general', parentId: 'a1', toolCalls: 2, usage },
      { agentId: 'a1', agent: 'explore', description: 'find it', logFile: '/s/agents/a1.jsonl' },
    ]);
    expect(tally.ended[1]).not.toHaveProperty('parentId');
  });

  it('takes an end without a beginning', () => {
    const tally = createSubagentTally();
    tally.onEvent(end('a7'));
    expect(tally.ended).toMatchObject([{ agentId: 'a7', agent: '', stopReason: 'completed' }]);
  });
});

it('knows who refused what to a subagent, and names it among what was denied', () => {
  const refusals = createRefusals();
  refusals.onEvent(says('a1', { type: 'approval-answer', callId: 'x', outcome: 'cancel', by: 'person' }));
  const denial = {
    callId: 'x',
    agentId: 'a1',
    toolName: 't',
    title: 'rm x',
    reason: 'it deletes',
    rules: ['Bash(rm *)'],
  };
  expect(denialLines([denial], refusals)).toEqual([]);
  expect(denialLines([{ ...denial, callId: 'y' }], refusals)).toEqual([
    'denied: a1: rm x (it deletes)',
    "  to allow it: --allow 'Bash(rm *)'",
  ]);
});
