import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../agent/events.js';
import { Kind } from '../tools/tools.js';
import { ActPlanner } from './plan-acts.js';
import type { TelemetryAct } from './telemetry-acts.js';

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

function plan(events: readonly AgentEvent[], content = false): TelemetryAct[] {
  const acts: TelemetryAct[] = [];
  const planner = new ActPlanner((act) => acts.push(act), { content });
  let at = 1000;
  planner.inSession({ sessionId: 's1', label: 'openai gpt-x' });
  planner.begin(at);
  for (const event of events) planner.note(event, (at += 10));
  planner.end((at += 10));
  planner.close(at + 10);
  return acts;
}

const callStart = (callId: string, toolName = 'task'): AgentEvent => ({
  type: 'tool-call-start',
  callId,
  toolName,
  displayName: toolName,
  kind: Kind.Other,
  title: toolName,
  locations: [],
  args: {},
  repairs: [],
});
const callEnd = (callId: string, toolName = 'task'): AgentEvent => ({
  type: 'tool-call-end',
  callId,
  toolName,
  title: toolName,
  status: 'success',
  durationMs: 5,
  display: '',
  content: [],
});
const subagentStart = (callId: string, agentId: string): AgentEvent => ({
  type: 'subagent-start',
  callId,
  agentId,
  agent: 'explorer',
  description: 'look',
  model: 'anthropic claude-x',
  logFile: '/log',
});
const subagentEnd = (callId: string, agentId: string): AgentEvent => ({
  type: 'subagent-end',
  callId,
  agentId,
  stopReason: 'completed',
  model: 'anthropic claude-x',
  turns: 1,
  toolCalls: 0,
  usage: { inputTokens: 3, outputTokens: 4 },
  durationMs: 20,
});
const inside = (agentId: string, event: AgentEvent): AgentEvent => ({
  type: 'subagent-event',
  callId: 'c1',
  agentId,
  event,
});
const answer: AgentEvent = { type: 'assistant-message', content: [], finish: 'stop', usage: NO_USAGE };
const promptEnd: AgentEvent = {
  type: 'prompt-end',
  stopReason: 'completed',
  text: '',
  turns: 1,
  toolCalls: 1,
  denials: [],
  usage: NO_USAGE,
};
const starts = (acts: readonly TelemetryAct[]) => acts.filter((act) => act.type === 'span-start');
const ends = (acts: readonly TelemetryAct[]) => acts.filter((act) => act.type === 'span-end');

describe('what is told of subagents', () => {
  it('stands below the call that handed the work on, with their own requests and calls, however deep', () => {
    const acts = plan([
      { type: 'turn-start', turn: 1 },
      answer,
      callStart('c1'),
      subagentStart('c1', 'a1'),
      inside('a1', { type: 'turn-start', turn: 1 }),
      inside('a1', answer),
      inside('a1', callStart('k1')),
      inside('a1', subagentStart('k1', 'a2')),
      inside('a1', inside('a2', { type: 'turn-start', turn: 1 })),
      inside('a1', inside('a2', answer)),
      inside('a1', subagentEnd('k1', 'a2')),
      inside('a1', callEnd('k1')),
      inside('a1', promptEnd),
      subagentEnd('c1', 'a1'),
      callEnd('c1'),
      promptEnd,
    ]);
    const byName = starts(acts).map(({ name, span, parent }) => ({ name, span, parent }));
    const [root, chat, task, explorer, , innerTask, deeper, deepChat] = [
      byName[0],
      byName.find(({ name }) => name === 'chat gpt-x'),
      ...byName.slice(2),
    ];
    expect(root).toMatchObject({ name: 'invoke_agent tenon', parent: undefined });
    expect(chat?.parent).toBe(root?.span);
    expect(task).toMatchObject({ name: 'execute_tool task', parent: root?.span });
    expect(explorer).toMatchObject({ name: 'invoke_agent explorer', parent: task?.span });
    expect(innerTask).toMatchObject({ name: 'execute_tool task', parent: explorer?.span });
    expect(deeper).toMatchObject({ name: 'invoke_agent explorer', parent: innerTask?.span });
    expect(deepChat).toMatchObject({ name: 'chat claude-x', parent: deeper?.span });
    const ended = ends(acts).find(({ span }) => span === explorer?.span);
    expect(ended?.attributes).toMatchObject({ 'gen_ai.usage.output_tokens': 4, 'tenon.stop_reason': 'completed' });
  });

  it('goes on in the background when the prompt has ended', () => {
    const acts = plan([
      callStart('c1'),
      subagentStart('c1', 'a1'),
      callEnd('c1'),
      promptEnd,
      inside('a1', { type: 'turn-start', turn: 1 }),
      inside('a1', answer),
      subagentEnd('c1', 'a1'),
    ]);
    const explorer = starts(acts).find(({ name }) => name === 'invoke_agent explorer');
    expect(starts(acts).at(-1)).toMatchObject({ name: 'chat claude-x', parent: explorer?.span });
    expect(ends(acts).at(-1)).toMatchObject({ span: explorer?.span, attributes: { 'tenon.stop_reason': 'completed' } });
  });
});

describe('what is told of requests', () => {
  it('begins where the request begins: behind what made room for it, and anew with each try', () => {
    const acts = plan([
      { type: 'turn-start', turn: 1 },
      {
        type: 'compaction',
        trigger: 'auto',
        plan: { droppedResults: [] },
        tokensBefore: 9,
        tokensAfter: 4,
        told: [],
        usage: { inputTokens: 9, outputTokens: 2 },
      },
      { type: 'text-delta', text: 'a' },
      { type: 'model-retry', attempt: 1, delayMs: 5, reason: 'secret words' },
      { type: 'text-delta', text: 'b' },
      answer,
      promptEnd,
    ]);
    const chats = starts(acts).filter(({ name }) => name.startsWith('chat'));
    expect(chats.map(({ at }) => at)).toEqual([1020, 1045]);
    const [failed, answered] = chats.map(({ span }) => ends(acts).find((end) => end.span === span));
    expect(failed).toMatchObject({ at: 1040, error: '', attributes: { 'error.type': 'model_error' } });
    expect(answered?.attributes).toMatchObject({ 'tenon.time_to_first_word_ms': 5 });
    expect(JSON.stringify(acts)).not.toContain('secret');
    const tokens = acts.filter((act) => act.type === 'record' && act.metric === 'gen_ai.client.token.usage');
    expect(tokens).toMatchObject([{ value: 9 }, { value: 2 }, { value: 0 }, { value: 0 }]);
  });
});

describe('whatever comes in whatever order', () => {
  const id = fc.constantFrom('c1', 'c2', 'a1', 'a2');
  const event: fc.Arbitrary<AgentEvent> = fc.letrec<{ event: AgentEvent }>((tie) => ({
    event: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<AgentEvent>({ type: 'turn-start', turn: 1 }, answer, promptEnd, {
        type: 'text-delta',
        text: 'x',
      }),
      fc.constant<AgentEvent>({ type: 'model-retry', attempt: 1, delayMs: 50, reason: 'r' }),
      id.map((each) => callStart(each, 'read file\u0000')),
      id.map((each): AgentEvent => ({ ...(callStart(each) as object), args: '{' }) as AgentEvent),
      id.map((each) => callEnd(each)),
      fc.tuple(id, id).map(([call, agent]) => subagentStart(call, agent)),
      fc.tuple(id, id).map(([call, agent]) => subagentEnd(call, agent)),
      fc.tuple(id, tie('event')).map(([agent, inner]) => inside(agent, inner)),
    ),
  })).event;

  it('every span that begins ends once, not before it began, and begins below one that has begun', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.boolean(), (events, content) => {
        const acts = plan(events, content);
        const begun = new Map<string, number>();
        const over = new Set<string>();
        for (const act of acts) {
          if (act.type === 'span-start') {
            expect(begun.has(act.span)).toBe(false);
            if (act.parent !== undefined) expect(begun.has(act.parent)).toBe(true);
            begun.set(act.span, act.at);
          } else if (act.type === 'span-end') {
            expect(over.has(act.span)).toBe(false);
            expect(act.at).toBeGreaterThanOrEqual(begun.get(act.span) ?? Number.POSITIVE_INFINITY);
            over.add(act.span);
          } else if (act.type === 'record') expect(act.value).toBeGreaterThanOrEqual(0);
        }
        expect(over.size).toBe(begun.size);
      }),
    );
  });
});
