import { afterEach, describe, expect, it } from 'vitest';
import type { Message, ModelTool } from '../models/model.js';
import { createOpenAiChatModel } from '../models/openai-chat.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { startScriptedModel, type ScriptedModel } from '../testing/scripted-model-server.js';
import type { ScriptedTurn, TurnFunction } from '../testing/scripted-turn.js';
import { Kind } from '../tools/tools.js';
import { applyCompaction, isSummary } from './compaction.js';
import { ContextKeeper } from './context-keeper.js';
import { Conversation } from './conversation.js';
import type { AgentEvent, CompactionEvent } from './events.js';
import type { LoopServices } from './loop-types.js';
import { runPrompt } from './loop.js';

const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const TOOL: ModelTool = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };

interface Agent {
  readonly server: ScriptedModel;
  readonly conversation: Conversation;
  readonly keeper: ContextKeeper;
  readonly services: LoopServices;
  readonly events: AgentEvent[];
  readonly prompt: (text: string) => Promise<Extract<AgentEvent, { type: 'prompt-end' }>>;
  readonly drain: (stream: AsyncIterable<AgentEvent>) => Promise<void>;
}

/** The loop over a scripted model by HTTP; a call of `look` gives as many characters as it asks for. */
async function agentOf(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  more: { readonly window: number; readonly compactAt?: number; readonly services?: Partial<LoopServices> },
): Promise<Agent> {
  const server = await startScriptedModel(turns);
  servers.push(server);
  const model = createOpenAiChatModel({ baseUrl: server.baseUrl, model: 'scripted' });
  const conversation = new Conversation();
  const keeper = new ContextKeeper({ model, conversation, window: more.window, compactAt: more.compactAt });
  const events: AgentEvent[] = [];
  const services: LoopServices = {
    model,
    conversation,
    system: () => 'Be brief.',
    tools: () => [TOOL],
    maxTurns: 50,
    maxToolCalls: 100,
    context: keeper,
    runCalls: async function* (calls): AsyncGenerator<CallEvent> {
      for (const { callId, toolName, argumentsText } of calls) {
        const args = JSON.parse(argumentsText) as { size: number; path: string; kind?: Kind };
        const { size, path, kind = Kind.Read } = args;
        const common = { callId, toolName, title: path };
        const about = { displayName: 'Look', kind, locations: [{ path }], args, repairs: [] };
        yield { type: 'tool-call-start', ...common, ...about };
        const content = [{ text: `${path}: ${'x'.repeat(size)}` }];
        yield { type: 'tool-call-end', ...common, status: 'success', durationMs: 1, display: '', content };
      }
    },
    ...more.services,
  };
  const drain = async (stream: AsyncIterable<AgentEvent>): Promise<void> => {
    for await (const event of stream) {
      keeper.note(event);
      events.push(event);
    }
  };
  return {
    server,
    conversation,
    keeper,
    services,
    events,
    drain,
    prompt: async (text) => {
      await drain(runPrompt({ text }, services, new AbortController().signal));
      const end = events.at(-1);
      if (end?.type !== 'prompt-end') throw new Error('no end');
      return end;
    },
  };
}

/** The turns in their order, but for requests for a summary. */
function withSummary(turns: readonly ScriptedTurn[], summary: ScriptedTurn): TurnFunction[] {
  const left = [...turns];
  return Array.from({ length: 50 }, (): TurnFunction => ({ bodyText }) => {
    if (bodyText.includes('<conversation>')) return summary;
    return left.shift() ?? { text: 'over' };
  });
}

const look = (path: string, size: number, kind?: Kind): ScriptedTurn => ({
  toolCalls: [{ name: 'look', id: `call-${path}`, arguments: { path, size, ...(kind && { kind }) } }],
});
const compactions = (events: readonly AgentEvent[]): CompactionEvent[] =>
  events.filter((event) => event.type === 'compaction');
const summaryOf = (messages: readonly Message[]): string => {
  const block = messages.flatMap((message) => (message.role === 'user' ? message.content : [])).find(isSummary);
  return block?.type === 'text' ? block.text : '';
};
const refuse = (message: string): ScriptedTurn => ({ error: { status: 400, message } });

describe('a conversation near the end of the window', () => {
  it('loses old results that can be had again, and the model is asked with the rest', async () => {
    const turns = [look('/a', 22_000), look('/b', 10_000), look('/c', 8000), { text: 'done' }];
    const agent = await agentOf(turns, { window: 12_000 });
    expect(await agent.prompt('look around')).toMatchObject({ stopReason: 'completed', text: 'done' });
    const [event] = compactions(agent.events);
    expect(event).toMatchObject({ trigger: 'auto', plan: { droppedResults: ['call-/a'] } });
    expect(event?.plan.summary).toBeUndefined();
    expect(event?.told).toEqual(['Left out: 1 result that can be had again (look).']);
    expect(event?.tokensAfter).toBeLessThan((event?.tokensBefore ?? 0) / 1.5);
    const last = agent.server.requests.at(-1)?.bodyText ?? '';
    expect(last).toContain('Left out to save room: the result of look');
    expect(last).toContain('Make the call again if you need it');
    // No request was made for it, and nothing of it is asked twice.
    expect(agent.server.requests).toHaveLength(4);
    expect(compactions(agent.events)).toHaveLength(1);
  });

  it('is summarised where that is not enough, with what can be computed and the user’s last words', async () => {
    const edits = Array.from({ length: 8 }, (_, index) => look(`/w/f${index}.ts`, 1300, Kind.Edit));
    const turns = [
      ...edits.map((turn) => ({ ...turn, text: 'I decided on tabs. '.repeat(120) })),
      { text: 'all done' },
    ];
    const summary = { text: 'The user wants tabs; some are converted.' };
    const agent = await agentOf(withSummary(turns, summary), { window: 9000 });
    expect(await agent.prompt('Use tabs, never spaces.')).toMatchObject({ stopReason: 'completed', text: 'all done' });
    const [event] = compactions(agent.events);
    expect(event).toMatchObject({ trigger: 'auto', usage: { inputTokens: expect.any(Number) as number } });
    const text = event?.plan.summary?.text ?? '';
    expect(text).toContain('The user wants tabs; some are converted.');
    expect(text).toContain('Use tabs, never spaces.');
    expect(text).toContain('- /w/f3.ts');
    expect(agent.conversation.messages[0]?.content.at(-1)).toEqual({ type: 'text', text: 'Use tabs, never spaces.' });
    expect(event?.told[0]).toMatch(/^Summarised: the first \d+ messages; the newest \d+ stay as they are\.$/);
    const [asked] = agent.server.requests.filter(({ bodyText }) => bodyText.includes('<conversation>'));
    expect(asked?.body.tools).toBeUndefined();
    expect(asked?.bodyText).toContain('CALL look');
  });

  it('is the same again when its log is replayed', async () => {
    const turns = [look('/a', 22_000), look('/b', 10_000), look('/c', 8000), { text: 'done' }];
    const agent = await agentOf(turns, { window: 12_000 });
    const before: Message[][] = [];
    const { conversation } = agent;
    const compact = conversation.compact.bind(conversation);
    conversation.compact = (plan, messages) => {
      before.push([...conversation.messages]);
      compact(plan, messages);
    };
    await agent.prompt('look around');
    const [event] = compactions(agent.events);
    if (event === undefined) throw new Error('none');
    const again = applyCompaction(before[0] ?? [], JSON.parse(JSON.stringify(event.plan)) as typeof event.plan);
    expect(again).toEqual(conversation.messages.slice(0, again.length));
  });

  it('is left alone with a share of 0', async () => {
    const agent = await agentOf([look('/a', 30_000), look('/b', 30_000), { text: 'done' }], {
      window: 8000,
      compactAt: 0,
    });
    await agent.prompt('look');
    expect(compactions(agent.events)).toEqual([]);
    expect(agent.keeper.report({ system: '', tools: [] }).compactsAt).toBeUndefined();
  });
});

describe('a request that the provider refuses as too long', () => {
  it('is sent again with less, and the window is known from then on', async () => {
    const turns = [
      look('/a', 20_000),
      look('/b', 4000),
      refuse("This model's maximum context length is 6,000 tokens. However, you requested 8192 tokens."),
      { text: 'done' },
    ];
    const agent = await agentOf(turns, { window: 100_000 });
    expect(await agent.prompt('look')).toMatchObject({ stopReason: 'completed', text: 'done' });
    expect(compactions(agent.events)).toMatchObject([{ trigger: 'overflow', plan: { droppedResults: ['call-/a'] } }]);
    expect(agent.keeper.window).toBe(6000);
  });

  it('is sent again with less where the window it names is larger than what was estimated', async () => {
    const words = "This model's maximum prompt length is 131072 but the request contains 537812 tokens.";
    const agent = await agentOf([look('/a', 20_000), look('/b', 4000), refuse(words), { text: 'done' }], {
      window: 200_000,
    });
    expect(await agent.prompt('look')).toMatchObject({ stopReason: 'completed', text: 'done' });
    expect(compactions(agent.events)).toMatchObject([{ trigger: 'overflow' }]);
    expect(agent.keeper.window).toBeLessThan(20_000);
  });

  it('is made shorter once more, down to the newest result, before it is given up', async () => {
    const tooLong = refuse('prompt is too long');
    const turns = [look('/a', 20_000), look('/b', 60_000, Kind.Execute), tooLong, tooLong, { text: 'done' }];
    const agent = await agentOf(withSummary(turns, { text: 'I read /a.' }), { window: 100_000 });
    expect(await agent.prompt('look')).toMatchObject({ stopReason: 'completed' });
    const events = compactions(agent.events);
    expect(events).toMatchObject([
      { trigger: 'overflow', plan: { summary: { before: 3 } } },
      { trigger: 'overflow', plan: { shortenedResults: ['call-/b'] } },
    ]);
    expect(agent.server.requests.at(-1)?.bodyText.length).toBeLessThan(8000);

    const hopeless = await agentOf([tooLong, { text: 'never' }], { window: 100_000 });
    const end = await hopeless.prompt('short');
    expect(end).toMatchObject({ stopReason: 'model-error', message: expect.stringContaining('too long') as string });
    expect(hopeless.server.requests).toHaveLength(1);
  });
});

describe('a compaction by hand', () => {
  it('summarises what was said, with the focus that is wished', async () => {
    const turns = [look('/a', 14_000), { text: 'I read it.' }, { text: 'SUMMARY' }];
    const agent = await agentOf(turns, { window: 20_000 });
    await agent.prompt('read /a');
    const parts = { system: 'Be brief.', tools: [TOOL] };
    await agent.drain(agent.keeper.compactNow(parts, 'the names', new AbortController().signal));
    expect(compactions(agent.events)).toMatchObject([{ trigger: 'manual', plan: { summary: { before: 3 } } }]);
    expect(summaryOf(agent.conversation.messages)).toContain('SUMMARY');
    expect(agent.server.requests.at(-1)?.bodyText).toContain('Keep above all: the names');
    const report = agent.keeper.report(parts);
    expect(report.parts.map(({ kind }) => kind)).toContain('summary');
  });

  it('says so when there is nothing to make shorter', async () => {
    const agent = await agentOf([{ text: 'hello' }], { window: 20_000 });
    await agent.prompt('hi');
    await agent.drain(agent.keeper.compactNow({ system: '', tools: [] }, undefined, new AbortController().signal));
    expect(agent.events.at(-1)).toMatchObject({ type: 'notice', text: expect.stringContaining('too short') as string });
    expect(agent.server.requests).toHaveLength(1);
  });

  it('holds facts and the last answers when the model gives no summary', async () => {
    const turns = [look('/a', 14_000), { text: 'The cause is in /a:7.' }, refuse('I will not')];
    const agent = await agentOf(turns, { window: 20_000 });
    await agent.prompt('find the cause');
    await agent.drain(agent.keeper.compactNow({ system: '', tools: [] }, undefined, new AbortController().signal));
    const text = summaryOf(agent.conversation.messages);
    expect(text).toContain('find the cause');
    expect(text).toContain('- /a');
    expect(compactions(agent.events)[0]?.told.at(-1)).toContain('without the model’s words');
  });

  it('changes nothing when it is cancelled', async () => {
    const turns = [look('/a', 14_000), { text: 'read' }, { hangAfterChunks: 0 }];
    const agent = await agentOf(turns, { window: 20_000 });
    await agent.prompt('read');
    const { messages } = agent.conversation;
    const cancel = new AbortController();
    const draining = agent.drain(agent.keeper.compactNow({ system: '', tools: [] }, undefined, cancel.signal));
    setTimeout(() => cancel.abort(new Error('enough')), 50);
    await expect(draining).rejects.toThrow('enough');
    expect(agent.conversation.messages).toBe(messages);
  });
});

describe('what fills the window', () => {
  it('is told by tool and file, calibrated by what the provider counted', async () => {
    const usage = { inputTokens: 20_000, outputTokens: 5 };
    const agent = await agentOf([look('/a', 40_000), { text: 'done', usage }], { window: 100_000 });
    await agent.prompt('read it');
    const report = agent.keeper.report({ system: 'Be brief.', tools: [TOOL] });
    expect(report).toMatchObject({ window: 100_000, compactsAt: 80_000 });
    expect(report.parts[0]).toMatchObject({ kind: 'results', name: '/a' });
    expect(report.parts.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
      expect.arrayContaining(['system ', 'tools look', 'user ', 'answers ']),
    );
    // What was counted, and the answer that came after it.
    expect(report.used).toBeGreaterThan(19_000);
    expect(report.used).toBeLessThan(20_100);
  });
});
