import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Agent } from './agent-types.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({
    'AGENTS.md': 'Use tabs.',
    'lib/AGENTS.md': 'No loops in lib.',
    'lib/a.txt': 'one\n',
    '.tenon/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n',
  });
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

const call = (name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const todos = (state: string): ScriptedTurn =>
  call('todo_write', { todos: [{ id: '1', content: 'Look', status: state }] });

it('sends again, word for word, what it sent before: providers cache only the same beginning (S139)', async () => {
  const file = workspace.path('lib/a.txt');
  model = await startScriptedModel([
    // What is touched brings context of its folder; a failed call, a list of tasks and a change come with notes.
    call('read_file', { absolute_path: file }),
    call('read_file', { absolute_path: workspace.path('missing.txt') }),
    todos('in_progress'),
    { text: 'Looked.' },
    call('edit', { file_path: file, old_string: 'one', new_string: 'two' }),
    call('run_shell_command', { command: 'echo hi; sleep 0.2', is_background: true }),
    call('skill', { skill: 'greet' }),
    { text: 'Changed.' },
    todos('completed'),
    { text: 'Done.' },
    call('enter_plan_mode', {}),
    call('glob', { pattern: '**/*.txt' }),
    { text: 'Planned.' },
  ]);
  agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    memory: { isTrusted: true },
    skills: { isTrusted: true },
  });
  for (const text of ['Look at it', 'Change it', 'Are you done?', 'Plan the next step'])
    for await (const event of agent.prompt(text)) void event;

  const bodies = model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(13);
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index];
    expect(body.tools, `the tools of request ${index + 2}`).toEqual(before?.tools);
    expect(body.messages.slice(0, before?.messages.length), `request ${index + 2}`).toEqual(before?.messages);
  }
});
