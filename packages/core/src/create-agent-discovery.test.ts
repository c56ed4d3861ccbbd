import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { createFakeApprover } from './testing/fake-approver.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { ToolConfirmationOutcome } from './tools/confirmation.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;

const TOOLS = [
  {
    name: 'greet',
    description: 'Greets.',
    parameters: { type: 'OBJECT', properties: { who: { type: 'STRING' } }, required: ['who'] },
  },
  { name: 'edit', description: 'Has the name of a built-in tool.' },
];
const SCRIPT = `#!/bin/sh
if [ "$1" = list ]; then touch listed; cat tools.json; exit; fi
touch called
env | grep -c -e KEY -e TOKEN
echo "$2: $(cat)"
`;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ 'tools.sh': SCRIPT, 'tools.json': JSON.stringify(TOOLS) });
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function run(options: Partial<AgentOptions>): Promise<AgentEvent[]> {
  model = await startScriptedModel([
    { toolCalls: [{ name: 'greet', arguments: { who: 'you' } }] },
    { toolCalls: [{ name: 'discovered__edit', arguments: {} }] },
    { text: 'Done.' },
  ]);
  agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: { PATH: process.env['PATH'], OPENAI_API_KEY: 'sk-secret' },
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    discovery: { discoveryCommand: 'sh tools.sh list', callCommand: 'sh tools.sh call' },
    ...options,
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt('Greet me.', new AbortController().signal)) events.push(event);
  return events;
}

type CallEnd = Extract<AgentEvent, { type: 'tool-call-end' }>;
const ends = (events: readonly AgentEvent[]): CallEnd[] => events.filter((event) => event.type === 'tool-call-end');

describe.skipIf(process.platform === 'win32')('an agent with a discovery command', () => {
  it('offers what it lists, asks before each call, and runs it (S130) (S131)', async () => {
    const { approver, requests } = createFakeApprover([], ToolConfirmationOutcome.ProceedOnce);
    const events = await run({ approver });
    const [first, second] = ends(events);
    expect(first).toMatchObject({ toolName: 'greet', status: 'success', display: '0\ngreet: {"who":"you"}' });
    expect(second).toMatchObject({ toolName: 'discovered__edit', status: 'success', display: '0\nedit: {}' });
    expect(requests.map(({ details }) => details)).toMatchObject([
      {
        type: 'exec',
        command: expect.stringMatching(/^sh tools\.sh call greet\n.*"who": "you"/s),
        directory: workspace.root,
      },
      { type: 'exec', command: expect.stringMatching(/^sh tools\.sh call edit\n/) },
    ]);
    const offered = JSON.stringify(model.requests[0]?.body.tools);
    for (const name of ['greet', 'discovered__edit', 'edit']) expect(offered).toContain(`"name":"${name}"`);
  });

  it('may change files: that is found, so that it can be undone', async () => {
    const { approver } = createFakeApprover([], ToolConfirmationOutcome.ProceedOnce);
    const events = await run({ approver });
    expect(existsSync(workspace.path('called'))).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'prompt-end', filesChanged: true });
    const [point] = await agent.rewindPoints();
    await agent.rewind(point?.id ?? '', { conversation: false, files: true });
    expect(existsSync(workspace.path('called'))).toBe(false);
  });

  it('runs nothing where nobody answers, nor in plan mode', async () => {
    const events = await run({ approvalMode: ApprovalMode.PLAN });
    expect(ends(events).map(({ status }) => status)).toEqual(['denied', 'denied']);
    expect(existsSync(workspace.path('called'))).toBe(false);
    expect(events.at(-1)).not.toHaveProperty('filesChanged');
  });

  it('obeys rules that name a tool', async () => {
    const allow = (text: string) => ({ list: 'allow' as const, text, origin: 'test' });
    const events = await run({ rules: [allow('greet'), allow('edit')] });
    expect(ends(events).map(({ status }) => status)).toEqual(['success', 'denied']);
  });

  it('goes on without its tools when the command fails, and says why', async () => {
    const events = await run({ discovery: { discoveryCommand: 'sh tools.sh none', callCommand: 'sh tools.sh call' } });
    expect(JSON.stringify(events)).toContain('No tools were discovered by');
    expect(ends(events)[0]).toMatchObject({ status: 'error', error: { type: 'tool_not_registered' } });
    expect(readdirSync(home)).toContain('projects');
  });
});
