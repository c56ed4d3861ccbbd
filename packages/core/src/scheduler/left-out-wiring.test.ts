import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ToolSystemOptions } from '../agent-types.js';
import type { AgentEvent } from '../agent/events.js';
import { createAgent, createToolSystem } from '../create-agent.js';
import { createOpenAiChatModel } from '../models/openai-chat.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { Rule, RuleList } from '../policy/rule.js';
import { startScriptedModel } from '../testing/scripted-model-server.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';

let home: string;
let workspace: TempWorkspace;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({
    '.env': 'needle one\n',
    'src/a.ts': 'needle two\n',
    'src/.env': 'needle 3\n',
  });
});

afterEach(async () => {
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

function rule(list: RuleList, text: string): Rule {
  return { list, text, origin: 'project settings' };
}

function options(rules: readonly Rule[]): ToolSystemOptions {
  return {
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.DEFAULT,
    rules,
    environment: process.env,
  };
}

interface Ended {
  readonly status: string;
  readonly told: string;
}

/** Calls without anybody who could be asked. */
async function run(rules: readonly Rule[], calls: readonly (readonly [string, object])[]): Promise<Ended[]> {
  const system = await createToolSystem(options(rules));
  const ended: Ended[] = [];
  try {
    for (const [toolName, args] of calls) {
      const call = { callId: '1', toolName, argumentsText: JSON.stringify(args) };
      for await (const event of system.runCalls([call], new AbortController().signal)) {
        if (event.type === 'tool-call-end') ended.push({ status: event.status, told: JSON.stringify(event.content) });
      }
    }
    return ended;
  } finally {
    await system.close();
  }
}

it('looking around goes on under deny and ask rules on files, without a question and without these files', async () => {
  const looks: [string, object][] = [
    ['grep_search', { pattern: 'needle' }],
    ['glob', { pattern: '**/*' }],
    ['list_directory', { path: workspace.root, depth: 3 }],
    ['read_many_files', { paths: ['.'] }],
  ];
  for (const list of ['deny', 'ask'] as const) {
    const ended = await run([rule(list, 'Read(.env)')], looks);
    expect(ended.map(({ status }) => status)).toEqual(looks.map(() => 'success'));
    for (const { told } of ended) {
      expect(told).toContain('a.ts');
      expect(told).not.toMatch(/needle one|needle 3|\/\.env|"\.env/);
      expect(told).toContain(list === 'deny' ? '2 files denied by rule Read(.env)' : '2 files that rule Read(.env)');
    }
  }
});

it('naming such a file is denied or asked about, and a command goes on asking', async () => {
  const rules = [rule('deny', 'Read(.env)'), rule('ask', 'Read(src/**)')];
  const ended = await run(rules, [
    ['grep_search', { pattern: 'needle', path: '.env' }],
    ['read_file', { absolute_path: workspace.path('.env') }],
    ['grep_search', { pattern: 'needle', path: 'src' }],
    ['run_shell_command', { command: 'grep -r needle .' }],
    ['run_shell_command', { command: 'ls' }],
  ]);
  expect(ended.map(({ status }) => status)).toEqual(['denied', 'denied', 'denied', 'denied', 'success']);
  expect(ended.map(({ told }) => told.includes('needle one'))).toEqual(Array(5).fill(false));
});

it('a folder named with @ in a prompt goes along without what rules deny', async () => {
  const model = await startScriptedModel([{ text: 'ok' }]);
  const agent = await createAgent({
    ...options([rule('deny', 'Read(.env)')]),
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
  });
  try {
    const events: AgentEvent[] = [];
    for await (const event of agent.prompt('look at @src', undefined, { attach: ['src'] })) events.push(event);
    expect(events.find((event) => event.type === 'tool-call-end')).toMatchObject({ status: 'success' });
    const sent = JSON.stringify(model.requests[0]?.body.messages.at(-1));
    expect(sent).toContain('needle two');
    expect(sent).not.toContain('needle 3');
    expect(sent).toContain('1 file denied by rule Read(.env) (project settings)');
  } finally {
    await agent.close();
    await model.close();
  }
});
