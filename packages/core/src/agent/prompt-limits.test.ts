import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiChatModel } from '../models/openai-chat.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { startScriptedModel, type ScriptedModel } from '../testing/scripted-model-server.js';
import type { ScriptedTurn, TurnFunction } from '../testing/scripted-turn.js';
import { sleep } from '../util/abort.js';
import { ContextKeeper } from './context-keeper.js';
import { Conversation } from './conversation.js';
import type { AgentEvent } from './events.js';
import type { LoopServices } from './loop-types.js';
import { runPrompt } from './loop.js';
import { PromptTime } from './prompt-limits.js';

const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const CALL: ScriptedTurn = { toolCalls: [{ name: 'work', arguments: {} }] };
type RunCalls = LoopServices['runCalls'];

const start = (callId: string): CallEvent => ({
  type: 'tool-call-start',
  callId,
  toolName: 'work',
  displayName: 'Work',
  kind: 'other',
  title: 'work',
  locations: [],
  args: {},
  repairs: [],
});
const end = (callId: string, status: 'success' | 'cancelled'): CallEvent => ({
  type: 'tool-call-end',
  callId,
  toolName: 'work',
  title: 'work',
  status,
  durationMs: 1,
  display: '',
  content: [{ text: `${status} ${callId}` }],
});
/** Each call takes so long, or until it is cancelled. */
const working = (ms: number): RunCalls =>
  async function* (calls, signal) {
    for (const { callId } of calls) {
      yield start(callId);
      const status = await sleep(ms, signal).then(
        () => 'success' as const,
        () => 'cancelled' as const,
      );
      yield end(callId, status);
    }
  };

interface Run {
  readonly events: AgentEvent[];
  readonly server: ScriptedModel;
  readonly conversation: Conversation;
  readonly last: AgentEvent | undefined;
}

async function run(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  more: Partial<LoopServices>,
  watch?: (event: AgentEvent) => void,
  until: AbortSignal | PromptTime = new AbortController().signal,
): Promise<Run> {
  const server = await startScriptedModel(turns);
  servers.push(server);
  const conversation = new Conversation();
  const model = createOpenAiChatModel({ baseUrl: server.baseUrl, model: 'scripted' });
  const services: LoopServices = {
    model,
    conversation,
    system: () => '',
    tools: () => [],
    maxTurns: 20,
    maxToolCalls: 20,
    runCalls: working(1),
    context: new ContextKeeper({ model, conversation }),
    ...more,
  };
  const events: AgentEvent[] = [];
  for await (const event of runPrompt({ text: 'go' }, services, until)) {
    events.push(event);
    watch?.(event);
  }
  return { events, server, conversation, last: events.at(-1) };
}

describe('the time of a prompt', () => {
  it('ends a call that runs, and says which limit it was', async () => {
    const begun = performance.now();
    const { last, conversation } = await run([CALL, { text: 'never' }], { maxSeconds: 0.3, runCalls: working(20_000) });
    expect(last).toMatchObject({
      type: 'prompt-end',
      stopReason: 'max-seconds',
      message: 'Stopped after 0.3 seconds, the limit for one prompt.',
    });
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(JSON.stringify(conversation.messages.at(-1))).toContain('cancelled call_1_1');
  });

  it('ends an answer that does not come, and keeps its words', async () => {
    const { last, conversation } = await run([{ text: 'so far so good', chunkSize: 2, hangAfterChunks: 4 }], {
      maxSeconds: 0.3,
    });
    expect(last).toMatchObject({ stopReason: 'max-seconds' });
    expect(conversation.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'so far' }] });
  });

  it('does not pass while a question waits for the person', async () => {
    const asking: RunCalls = async function* (calls, signal) {
      for (const { callId } of calls) {
        yield start(callId);
        // Only the call is looked at.
        yield { type: 'approval-request', callId } as Extract<CallEvent, { type: 'approval-request' }>;
        await sleep(600, signal);
        yield { type: 'approval-answer', callId, outcome: 'proceed_once', by: 'person' };
        yield end(callId, 'success');
      }
    };
    const { last } = await run([CALL, { text: 'done' }], { maxSeconds: 0.5, runCalls: asking });
    expect(last).toMatchObject({ stopReason: 'completed', text: 'done' });
  });

  it('ends what does not end when it is told to, and sums up what there was', async () => {
    const deaf: RunCalls = async function* (calls) {
      for (const { callId } of calls) yield start(callId);
      await new Promise(() => undefined);
    };
    const usage = { inputTokens: 3, outputTokens: 4 };
    const { last, conversation } = await run([{ ...CALL, text: 'Working.', usage }], {
      maxSeconds: 0.1,
      runCalls: deaf,
    });
    expect(last).toMatchObject({ stopReason: 'max-seconds', turns: 1, toolCalls: 1, text: 'Working.', usage });
    // Providers accept the conversation that follows.
    conversation.addWords('and now?');
    expect(conversation.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  }, 20_000);

  it.each<[string, ScriptedTurn]>([
    ['that is about to be asked again', { error: { status: 503 } }],
    ['that wants to be asked again later', { error: { status: 429, headers: { 'retry-after': '60' } } }],
    ['that gives no answer at all', { hangAfterChunks: -1 }],
  ])('ends the wait for a model %s', async (_, turn) => {
    const { last } = await run([turn, turn, turn, turn, turn], { maxSeconds: 0.2 });
    expect(last).toMatchObject({ stopReason: 'max-seconds' });
  });

  it('ends hooks', async () => {
    const hang = async (signal: AbortSignal): Promise<never> => {
      await sleep(60_000, signal);
      throw new Error('a minute passed');
    };
    for (const hooks of [
      {
        submitted: (__: string, signal: AbortSignal) => hang(signal),
        stopping: async () => ({ events: [], contexts: [] }),
      },
      {
        submitted: async () => ({ events: [], contexts: [] }),
        stopping: (__: string, ___: number, signal: AbortSignal) => hang(signal),
      },
    ]) {
      const { last } = await run([{ text: 'done' }], { maxSeconds: 0.2, hooks });
      expect(last).toMatchObject({ stopReason: 'max-seconds' });
    }
  });

  it('began before the work where something had to be done first', async () => {
    const time = new PromptTime(0.1, new AbortController().signal);
    await sleep(60_000, time.signal).catch(() => undefined);
    expect(time.isOver).toBe(true);
    const { last, server } = await run([{ text: 'never' }], {}, undefined, time);
    expect(last).toMatchObject({ stopReason: 'max-seconds' });
    expect(server.requests).toHaveLength(0);
  });

  it('does not pass while something else is waited for', async () => {
    const time = new PromptTime(0.3, new AbortController().signal);
    await time.without(() => sleep(600, new AbortController().signal));
    expect(time.isOver).toBe(false);
    time.stop();
  });

  it('is told apart from a person who cancels, also after it is over', async () => {
    const cancel = new AbortController();
    const slow: RunCalls = async function* (calls, signal) {
      for await (const event of working(20_000)(calls, signal)) {
        if (event.type === 'tool-call-end') cancel.abort(new Error('enough'));
        yield event;
      }
    };
    const { last } = await run([CALL], { maxSeconds: 0.1, runCalls: slow }, undefined, cancel.signal);
    expect(last).toMatchObject({ stopReason: 'cancelled' });
  });
});

describe('the cost of a prompt', () => {
  const prices = { input: 10, output: 100, cachedInput: 1 };
  const usage = { inputTokens: 10_000, outputTokens: 1000, cachedInputTokens: 5000 };

  it('stops the next request once it is reached; calls have run', async () => {
    // 0.05 + 0.005 + 0.1 for each answer.
    const turns = [
      { ...CALL, usage },
      { ...CALL, usage },
      { ...CALL, usage },
    ];
    const { last, server, events } = await run(turns, { maxCost: 0.3, prices });
    expect(last).toMatchObject({
      stopReason: 'max-cost',
      message: 'Stopped at a cost of 0.31: the limit for one prompt is 0.3.',
      usage: { inputTokens: 20_000, outputTokens: 2000, cachedInputTokens: 10_000 },
    });
    expect(server.requests).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'tool-call-end')).toHaveLength(2);
  });

  it('does not take the answer away that reaches it', async () => {
    const { last } = await run([{ text: 'dear', usage }], { maxCost: 0.01, prices });
    expect(last).toMatchObject({ stopReason: 'completed', text: 'dear' });
  });

  it('needs prices: without them nothing is asked', async () => {
    const { last, server } = await run([{ text: 'x' }], { maxCost: 1 });
    expect(last).toMatchObject({ stopReason: 'max-cost', message: expect.stringContaining('model.prices') as string });
    expect(server.requests).toHaveLength(0);
  });
});

describe('words that are said while the model works', () => {
  it('are read with the next request, and the model goes on where it would have ended', async () => {
    const said: string[] = [];
    const takeSteering = (): string[] => said.splice(0);
    const { events, server, last } = await run(
      [CALL, { text: 'ended' }, { text: 'and now this' }],
      { takeSteering },
      (event) => {
        if (event.type === 'tool-call-end') said.push('be quick');
        if (event.type === 'text-delta' && event.text === 'ended') said.push('one more thing');
      },
    );
    const steering = events.filter((event) => event.type === 'user-message' && event.isSteering === true);
    expect(steering).toMatchObject([{ text: 'be quick' }, { text: 'one more thing' }]);
    const ids = events.flatMap((event) => (event.type === 'user-message' ? [event.id] : []));
    expect(new Set(ids).size).toBe(3);
    expect(server.requests[1]?.body.messages.at(-1)).toEqual({ role: 'user', content: 'be quick' });
    expect(server.requests[2]?.body.messages.at(-1)).toEqual({ role: 'user', content: 'one more thing' });
    expect(last).toMatchObject({ stopReason: 'completed', text: 'and now this', turns: 3 });
  });
});
