import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { functionHook } from './hooks/function-hook.js';
import type { FunctionHook, HookInput } from './hooks/hook-types.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
const agents: Agent[] = [];
let told: HookInput[];

const lines = (word: string): string => `${word} is what this line is about\n`.repeat(500);

beforeEach(async () => {
  told = [];
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ 'a.txt': lines('alpha'), 'b.txt': lines('beta'), 'c.txt': lines('gamma') });
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function open(list: readonly FunctionHook[], options: Partial<AgentOptions> = {}): Promise<Agent> {
  const agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    hooks: { list },
    ...options,
  });
  agents.push(agent);
  return agent;
}

async function all(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const listening = (event: FunctionHook['event']): FunctionHook =>
  functionHook({ event, run: (input) => void told.push(input) });
const read = (file: string): ScriptedTurn => ({
  toolCalls: [{ name: 'read_file', arguments: { absolute_path: workspace.path(file) } }],
});
const never = new AbortController().signal;
const toldOf = (): unknown[] =>
  told.map((input) =>
    input.hook_event_name === 'SessionStart'
      ? input.source
      : input.hook_event_name === 'SessionEnd'
        ? `end: ${input.reason}`
        : input.hook_event_name,
  );

describe('hooks of sessions', () => {
  it('are told how each begins and ends, once, and nothing of one in which nothing was said', async () => {
    model = await startScriptedModel([{ text: '1' }, { text: '2' }, { text: '3' }, { text: '4' }, { text: '5' }]);
    const hooks = [listening('SessionStart'), listening('SessionEnd')];
    const agent = await open(hooks);
    await all(agent.prompt('one'));
    await all(agent.prompt('two'));
    const first = agent.sessionFile;
    await agent.switchSession();
    await agent.switchSession();
    await all(agent.prompt('three'));
    await agent.switchSession({ file: first });
    await all(agent.prompt('four'));
    await agent.close();
    expect(toldOf()).toEqual(['startup', 'end: clear', 'clear', 'end: resume', 'resume', 'end: other']);
    told = [];
    const again = await open(hooks, { session: { file: first } });
    await again.close();
    expect(toldOf()).toEqual([]);
    const third = await open(hooks, { session: { file: first } });
    await all(third.prompt('five'));
    expect(toldOf()).toEqual(['resume']);
  });
});

describe('hooks that hang, and the time of a prompt', () => {
  const hanging = (event: FunctionHook['event'], when: () => boolean): FunctionHook =>
    functionHook({ event, run: async () => (when() ? new Promise<undefined>(() => undefined) : undefined) });

  it('begin a session within it, and run again before the next prompt', async () => {
    model = await startScriptedModel([{ text: 'one' }]);
    let hangs = true;
    const agent = await open([hanging('SessionStart', () => hangs), listening('SessionStart')], { maxSeconds: 0.5 });
    expect((await all(agent.prompt('one'))).at(-1)).toMatchObject({ type: 'prompt-end', stopReason: 'max-seconds' });
    expect(model.requests).toHaveLength(0);
    hangs = false;
    expect((await all(agent.prompt('two'))).at(-1)).toMatchObject({ stopReason: 'completed', text: 'one' });
    expect(toldOf()).toEqual(['startup', 'startup']);
  });

  it('end a session at once where it is over', async () => {
    model = await startScriptedModel([{ hangAfterChunks: -1 }]);
    const agent = await open([hanging('SessionEnd', () => true)], { maxSeconds: 0.3 });
    expect((await all(agent.prompt('one'))).at(-1)).toMatchObject({ stopReason: 'max-seconds' });
    await agent.close();
  }, 20_000);

  it('are ended by the person as well, with an end that says so', async () => {
    model = await startScriptedModel([{ text: 'one' }]);
    const agent = await open([hanging('SessionStart', () => true)]);
    const events = await all(agent.prompt('one', AbortSignal.timeout(100)));
    expect(events.at(-1)).toMatchObject({ type: 'prompt-end', stopReason: 'cancelled' });
  });
});

describe('hooks of compactions', () => {
  const reading = (): ScriptedTurn[] => [read('a.txt'), read('b.txt'), read('c.txt'), { text: 'done' }];
  const kinds = (events: readonly AgentEvent[]): string[] =>
    events.flatMap((event) =>
      event.type === 'compaction' ? ['compaction'] : event.type === 'hook-run' ? [event.event] : [],
    );

  it('are asked before and told after, and the model is told what they say', async () => {
    model = await startScriptedModel(reading());
    const start = functionHook({
      event: 'SessionStart',
      matcher: 'compact',
      run: () => ({ additionalContext: 'remember the milk' }),
    });
    const agent = await open([listening('PreCompact'), start], { contextWindow: 20_000 });
    const events = await all(agent.prompt('read them'));
    expect(told).toMatchObject([{ trigger: 'auto' }]);
    expect(kinds(events)).toEqual(['PreCompact', 'compaction', 'SessionStart']);
    expect(model.requests.at(-1)?.bodyText).toContain('remember the milk');
    expect(events.at(-1)).toMatchObject({ stopReason: 'completed' });
  });

  it('refuse an automatic one, and one that the person wants, with their reason', async () => {
    model = await startScriptedModel(reading());
    const guard = functionHook({ event: 'PreCompact', run: () => ({ decision: 'block', reason: 'not now' }) });
    const agent = await open([guard], { contextWindow: 20_000 });
    const events = await all(agent.prompt('read them'));
    expect(kinds(events)).not.toContain('compaction');
    expect(events.at(-1)).toMatchObject({ stopReason: 'completed' });
    expect(model.requests.at(-1)?.bodyText).toContain('alpha is what');
    const wished = await all(agent.compact('the names', never));
    expect(wished.filter(({ type }) => type === 'notice')).toMatchObject([
      { text: expect.stringContaining('not now') as string },
    ]);
    expect(kinds(wished)).toEqual(['PreCompact']);
  });

  it('cannot refuse one without which the model takes nothing more', async () => {
    const refused: ScriptedTurn = {
      error: { status: 400, body: JSON.stringify({ error: { code: 'context_length_exceeded', message: 'too long' } }) },
    };
    model = await startScriptedModel([read('a.txt'), read('b.txt'), read('c.txt'), refused, { text: 'done' }]);
    const guard = functionHook({ event: 'PreCompact', run: () => ({ decision: 'block', reason: 'never' }) });
    const agent = await open([guard], { compactAt: 0 });
    const events = await all(agent.prompt('read them'));
    expect(events.filter(({ type }) => type === 'compaction')).toMatchObject([{ trigger: 'overflow' }]);
    expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
      { level: 'warning', text: expect.stringContaining('never') as string },
    ]);
    expect(events.at(-1)).toMatchObject({ stopReason: 'completed', text: 'done' });
  });

  it('are told what the person wants kept, and a slow one ends with the prompt', async () => {
    model = await startScriptedModel([...reading(), { text: 'summary' }]);
    const hangs = functionHook({ event: 'PreCompact', run: () => new Promise<undefined>(() => undefined) });
    const agent = await open([listening('PreCompact'), hangs]);
    await all(agent.prompt('read them'));
    const ending = AbortSignal.timeout(300);
    await all(agent.compact('the names', ending)).catch(() => undefined);
    expect(told).toMatchObject([{ trigger: 'manual', custom_instructions: 'the names' }]);
    expect(await all(agent.prompt('and now?'))).toContainEqual(expect.objectContaining({ type: 'prompt-end' }));
  });
});

describe('hooks that nobody waits for', () => {
  it('are started with a call, which goes on at once, and how they ended is told with the next', async () => {
    model = await startScriptedModel([read('a.txt'), { text: 'one' }, read('b.txt'), { text: 'two' }]);
    let release: () => void = () => undefined;
    const slow = functionHook({
      event: 'PreToolUse',
      name: 'slow',
      isAsync: true,
      run: () =>
        new Promise((resolve) => {
          release = () => resolve({ permissionDecision: 'deny', permissionDecisionReason: 'too late' });
        }),
    });
    const agent = await open([slow]);
    const first = await all(agent.prompt('one'));
    expect(first.find(({ type }) => type === 'tool-call-end')).toMatchObject({ status: 'success' });
    expect(first.filter(({ type }) => type === 'hook-run')).toEqual([]);
    release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const second = await all(agent.prompt('two'));
    expect(second.find(({ type }) => type === 'tool-call-end')).toMatchObject({ status: 'success' });
    expect(second.filter(({ type }) => type === 'hook-run')).toMatchObject([
      { name: 'slow', outcome: 'passed', callId: 'call_1_1' },
    ]);
    const began = performance.now();
    await agent.close();
    expect(performance.now() - began).toBeLessThan(2700);
  });
});
