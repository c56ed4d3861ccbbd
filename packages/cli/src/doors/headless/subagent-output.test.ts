import { PassThrough } from 'node:stream';
import type { AgentEvent } from '@tenon/core';
import { expect, it } from 'vitest';
import { createOutput, type Output } from '../../output.js';
import { createTurnstile } from '../../ui/turnstile.js';
import { jsonReader } from './json.js';
import { streamJsonReader } from './stream-json.js';
import { textReader } from './text.js';

function recorder(): { output: Output; text: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY: false });
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { output: createOutput(stream as never, {}, () => undefined), text: () => text };
}

const usage = { inputTokens: 10, outputTokens: 1 };
const denial = {
  callId: 'x',
  agentId: 'a1',
  toolName: 't',
  title: 'rm x',
  reason: 'it deletes',
  rules: ['Bash(rm *)'],
};
const says = (event: AgentEvent): AgentEvent => ({ type: 'subagent-event', callId: 't1', agentId: 'a1', event });
const promptEnd = (denials: (typeof denial)[]): AgentEvent => ({
  type: 'prompt-end',
  stopReason: 'completed',
  text: 'Done.',
  turns: 1,
  toolCalls: 1,
  denials,
  usage,
});
const events: AgentEvent[] = [
  {
    type: 'subagent-start',
    callId: 't1',
    agentId: 'a1',
    agent: 'explore',
    description: 'find it',
    model: 'm',
    logFile: '/s/agents/a1.jsonl',
  },
  says({ type: 'text-delta', text: 'w' }),
  says(says({ type: 'tool-call-update', callId: 'x', display: 'half' })),
  says({
    type: 'tool-call-start',
    callId: 'x',
    toolName: 't',
    displayName: 'Shell',
    kind: 'execute',
    title: 'rm x',
    locations: [],
    args: {},
    repairs: [],
  }),
  says(promptEnd([denial])),
  {
    type: 'subagent-end',
    callId: 't1',
    agentId: 'a1',
    stopReason: 'completed',
    model: 'm',
    turns: 2,
    toolCalls: 3,
    usage,
    durationMs: 12_000,
  },
  promptEnd([denial]),
];

it('tells on stderr what subagents do and what they were denied, and gives the answer alone on stdout', async () => {
  const [out, err] = [recorder(), recorder()];
  const options = { quiet: false, undoHint: true, place: '', turnstile: createTurnstile() };
  const reader = textReader({ out: out.output, err: err.output, ...options });
  for (const event of events) await reader.onEvent(event);
  await reader.onDone(4);
  expect(out.text()).toBe('Done.\n');
  expect(err.text().trimEnd().split('\n')).toEqual([
    '  explore (a1) begins: find it',
    '  explore (a1) Shell rm x',
    '  explore (a1) is done after 12 s: 3 calls, 11 tokens',
    expect.stringContaining('denied: a1: rm x (it deletes)'),
    expect.stringContaining("to allow it: --allow 'Bash(rm *)'"),
  ]);
});

it('counts subagents in the one object of json, apart from the agent above them', async () => {
  const out = recorder();
  const reader = jsonReader(out.output);
  for (const event of events) await reader.onEvent(event);
  await reader.onDone(4);
  expect(JSON.parse(out.text())).toMatchObject({
    toolCalls: 1,
    usage,
    denials: [denial],
    subagents: [{ agentId: 'a1', agent: 'explore', stopReason: 'completed', toolCalls: 3, usage, durationMs: 12_000 }],
  });
});

it('leaves out of stream-json what a later event of a subagent repeats, unless it is asked for', async () => {
  for (const [includePartial, left] of [
    [false, 2],
    [true, 0],
  ] as const) {
    const out = recorder();
    const reader = streamJsonReader(out.output, includePartial);
    for (const event of events) await reader.onEvent(event);
    expect(out.text().trimEnd().split('\n')).toHaveLength(events.length - left);
  }
});
