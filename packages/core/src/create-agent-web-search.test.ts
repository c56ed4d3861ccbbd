import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent, createToolSystem } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { startScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { startSearchServer, type SearchServer } from './testing/search-server.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { WebSearchTool } from './tools/web-search.js';

const KEY = 'tvly-a-secret-of-the-test';
let home: string;
let workspace: TempWorkspace;
let server: SearchServer;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({});
  const found = { title: 'Planes', url: 'https://a.example/', content: 'Sharpen first.' };
  server = await startSearchServer(
    { body: { results: [found] } },
    { status: 401, body: { detail: { error: `bad ${KEY}` } } },
  );
});
afterEach(async () => {
  await server.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

const environment = { PATH: '/usr/bin:/bin', TAVILY_API_KEY: KEY };
const call = (): ScriptedTurn => ({ toolCalls: [{ name: WebSearchTool.Name, arguments: { query: 'planes' } }] });

interface Run {
  readonly events: readonly AgentEvent[];
  readonly log: string;
  readonly offered: readonly string[];
  /** What the model was told at the end. */
  readonly messages: string;
}

async function run(more: Partial<AgentOptions>): Promise<Run> {
  const model = await startScriptedModel([call(), call(), { text: 'done' }]);
  const agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment,
    webSearch: { providers: { tavily: { baseUrl: server.url } } },
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    ...more,
  });
  const events: AgentEvent[] = [];
  try {
    for await (const event of agent.prompt('find planes')) events.push(event);
  } finally {
    await agent.close();
    await model.close();
  }
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return {
    events,
    log: files.map((each) => readFileSync(join(each.parentPath, each.name), 'utf8')).join('\n'),
    offered: (model.requests[0]?.body.tools ?? []).map((tool) => tool.function.name),
    messages: JSON.stringify(model.requests.at(-1)?.body.messages),
  };
}

it('gives a model what a provider found and says why it failed; the key stands in nothing that is sent or kept (S121)', async () => {
  const rules = [{ list: 'allow' as const, text: 'WebSearch', origin: 'test' }];
  const ran = await run({ rules, web: { askAfterUntrusted: false } });
  expect(ran.offered).toContain(WebSearchTool.Name);
  expect(ran.messages).toContain('Sharpen first.');
  expect(ran.messages).toContain('refuses the key in TAVILY_API_KEY (status 401): bad ***');
  expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(ran.log).toContain('planes');
  for (const text of [ran.messages, ran.log, JSON.stringify(ran.events)]) expect(text).not.toContain(KEY);
});

it('sends nothing that nobody agreed to', async () => {
  const ran = await run({});
  expect(ran.events.filter(({ type }) => type === 'tool-call-end')).toMatchObject([
    { status: 'denied' },
    { status: 'denied' },
  ]);
  expect(server.asked).toEqual([]);
});

it('is not offered where no provider is set up; what is wrong in the settings is a notice', async () => {
  const ran = await run({ environment: {} });
  expect(ran.offered).not.toContain(WebSearchTool.Name);
  expect(ran.messages).toContain('SEARXNG_URL');
  const system = await createToolSystem({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: {},
    webSearch: { provider: 'brave' },
  });
  await system.close();
  expect(system.notices.join()).toMatch(/brave, cannot be used.*BRAVE_API_KEY/);
});
