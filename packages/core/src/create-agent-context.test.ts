import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn, TurnFunction } from './testing/scripted-turn.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
const agents: Agent[] = [];

const lines = (word: string): string => `${word} is what this line is about\n`.repeat(500);

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ 'a.txt': lines('alpha'), 'b.txt': lines('beta'), 'c.txt': lines('gamma') });
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function start(turns: readonly (ScriptedTurn | TurnFunction)[]): Promise<void> {
  model = await startScriptedModel(turns);
}

async function open(options: Partial<AgentOptions> = {}): Promise<Agent> {
  const agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
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

const read = (file: string): ScriptedTurn => ({
  toolCalls: [{ name: 'read_file', id: `read-${file}`, arguments: { absolute_path: workspace.path(file) } }],
});

it('makes room by leaving out what was read, and has the same conversation when the session is opened again', async () => {
  const usage = { inputTokens: 100, outputTokens: 10 };
  await start([read('a.txt'), read('b.txt'), read('c.txt'), { text: 'done', usage }, { text: 'here again' }]);
  const agent = await open({ contextWindow: 20_000, prices: { input: 10, output: 10 } });
  const events = await all(agent.prompt('read them'));
  const compactions = events.filter((event) => event.type === 'compaction');
  expect(compactions).toMatchObject([{ trigger: 'auto' }]);
  expect(compactions[0]?.plan.droppedResults[0]).toBe('read-a.txt');
  expect(model.requests.at(-1)?.bodyText).not.toContain('alpha is what');
  expect(model.requests.at(-1)?.bodyText).toContain('gamma is what');
  const parts = agent.context().parts.filter(({ kind }) => kind === 'results');
  expect(parts[0]).toMatchObject({ name: workspace.path('c.txt') });
  expect(agent.usage()).toMatchObject({ requests: 4, cost: expect.any(Number) as number });
  const { messages } = agent;
  const earlier = agent.usage();
  await agent.close();

  const again = await open({
    contextWindow: 20_000,
    prices: { input: 10, output: 10 },
    session: { file: agent.sessionFile },
  });
  expect(again.messages).toEqual(messages);
  expect(again.usage()).toEqual(earlier);
  await all(again.prompt('are you there?'));
  expect(model.requests.at(-1)?.bodyText).toContain('Left out to save room: the result of read_file');
});

it('is made shorter by hand, with the tasks and the files that the events tell', async () => {
  const todos = [{ id: '1', content: 'mend the parser', status: 'in_progress' }];
  await start([
    read('a.txt'),
    { toolCalls: [{ name: 'todo_write', arguments: { todos } }] },
    { toolCalls: [{ name: 'write_file', arguments: { file_path: workspace.path('new.txt'), content: 'x\n' } }] },
    { text: 'wrote it' },
    { text: 'THE SUMMARY' },
    { text: 'ok' },
  ]);
  const agent = await open({ contextWindow: 30_000 });
  await all(agent.prompt('Mend the parser, but touch no tests.'));
  const events = await all(agent.compact('names', new AbortController().signal));
  const compaction = events.find((event) => event.type === 'compaction');
  const text = compaction?.plan.summary?.text ?? '';
  for (const part of ['THE SUMMARY', '- [in_progress] 1: mend the parser', 'touch no tests', workspace.path('new.txt')])
    expect(text).toContain(part);
  expect(compaction?.tokensAfter).toBeLessThan(compaction?.tokensBefore ?? 0);
  await all(agent.prompt('go on'));
  const last = model.requests.at(-1)?.body.messages ?? [];
  expect(last[1]).toMatchObject({ role: 'user', content: expect.stringContaining('THE SUMMARY') as string });
  expect(last.at(-1)).toEqual({ role: 'user', content: 'go on' });
});
