import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import { createAgent } from './create-agent.js';
import type { Effect } from './effects/effect.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import type { ApprovalRequest, Approver } from './scheduler/approval.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { ToolConfirmationOutcome } from './tools/confirmation.js';
import { BaseDeclarativeTool, Kind, RunInvocation, type ToolInvocation, type ToolResult } from './tools/tools.js';

class EchoInvocation extends RunInvocation<object> {
  readonly #name: string;

  constructor(name: string) {
    super({});
    this.#name = name;
  }

  getDescription(): string {
    return this.#name;
  }

  effects(): Effect[] {
    return [{ kind: 'foreign', from: 'srv', tool: this.#name, does: 'unknown', reason: 'nothing is known' }];
  }

  protected async run(): Promise<ToolResult> {
    return { llmContent: `answer of ${this.#name}`, returnDisplay: '' };
  }
}

class ServerTool extends BaseDeclarativeTool<object, ToolResult> {
  override readonly from = 'srv';

  constructor(index: number) {
    super(`srv__tool_${index}`, `Tool ${index}`, `Does number ${index}. ${'x'.repeat(300)}`, Kind.Other, {
      type: 'object',
    });
  }

  protected createInvocation(): ToolInvocation<object, ToolResult> {
    return new EchoInvocation(this.name);
  }
}

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({});
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function run(turns: readonly ScriptedTurn[], more: Partial<AgentOptions> = {}): Promise<string[][]> {
  model = await startScriptedModel(turns);
  agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    extraTools: () => Array.from({ length: 200 }, (_, index) => new ServerTool(index)),
    ...more,
  });
  for await (const event of agent.prompt('go')) void event;
  return model.requests.map(({ body }) => (body.tools ?? []).map((tool) => tool.function.name));
}

const call = (name: string, args: object = {}): ScriptedTurn => ({ toolCalls: [{ name, arguments: { ...args } }] });

it('tells of few tools, adds at the end what was found or called, and never turns the order round', async () => {
  const requests = await run([
    call('tool_search', { query: 'select:srv__tool_7' }),
    call('srv__tool_99'),
    call('mcp__srv__tool_3'),
    { text: 'done' },
  ]);
  const [first = []] = requests;
  expect(first).toContain('tool_search');
  expect(first.filter((name) => name.startsWith('srv__'))).toEqual([]);
  expect(JSON.stringify(model.requests[0]?.body.tools).length).toBeLessThan(20_000);
  const found = [[], ['srv__tool_7'], ['srv__tool_7', 'srv__tool_99'], ['srv__tool_7', 'srv__tool_99', 'srv__tool_3']];
  expect(requests).toEqual(found.map((names) => [...first, ...names]));
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('answer of srv__tool_99');
  expect(JSON.stringify(model.requests[3]?.body.messages)).toContain('answer of srv__tool_3');
});

it('leaves out what the settings take away, whatever is registered', async () => {
  const [first = []] = await run([{ text: 'done' }], { offered: { without: ['srv__*'] } });
  expect(first).not.toContain('tool_search');
  expect(first.filter((name) => name.includes('__'))).toEqual([]);
});

it('asks about a tool of others by its name, once when the answer is "always" for its server', async () => {
  const asked: ApprovalRequest[] = [];
  const approver: Approver = async (request) => {
    asked.push(request);
    return { outcome: ToolConfirmationOutcome.ProceedAlways, isGeneral: true };
  };
  await run([call('mcp__srv__tool_1'), call('srv__tool_2'), { text: 'done' }], {
    approver,
    approvalMode: ApprovalMode.DEFAULT,
  });
  expect(asked).toMatchObject([
    {
      toolName: 'srv__tool_1',
      effects: [{ kind: 'foreign', from: 'srv', does: 'unknown' }],
      alwaysRules: ['srv__tool_1'],
      generalRules: ['srv__*'],
      reason: expect.stringContaining('default mode asks before calling srv__tool_1 of the server srv') as string,
    },
  ]);
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('answer of srv__tool_2');
});
