import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { openUndo } from './session/open-undo.js';
import { createFakeApprover } from './testing/fake-approver.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { ToolConfirmationOutcome } from './tools/tools.js';

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
  });
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function start(turns: readonly ScriptedTurn[], options: Partial<AgentOptions> = {}): Promise<void> {
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
    ...options,
  });
}

async function prompt(text: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt(text)) events.push(event);
  return events;
}
const notices = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
const sent = (at: number): string => JSON.stringify(model.requests[at]?.body.messages);
const system = (at: number): unknown => model.requests[at]?.body.messages[0]?.content;
const call = (name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const save = (scope: string): ScriptedTurn => call('save_memory', { fact: 'Answers are in German.', scope });
const todos = (state: string): ScriptedTurn =>
  call('todo_write', { todos: [{ id: '1', content: 'Look', status: state }] });

describe('an agent that remembers', () => {
  it('is told context files with the first request, those of a folder behind the results that touched it', async () => {
    const read = { name: 'read_file', arguments: { absolute_path: workspace.path('lib/a.txt') } };
    await start([{ toolCalls: [read] }, { toolCalls: [read] }, { text: 'ok' }], { memory: { isTrusted: true } });
    const events = await prompt('go');
    expect(notices(events)).toEqual([`Context: ${workspace.path('AGENTS.md')}.`]);
    expect(system(0)).toContain('Use tabs.');
    expect(sent(0)).not.toContain('No loops in lib.');
    expect(system(1)).toEqual(system(0));
    expect(sent(1)).toContain('No loops in lib.');
    expect(sent(2).split('No loops in lib.')).toHaveLength(2);
  });

  it('is told by the next prompt what changed meanwhile', async () => {
    await start([{ text: 'ok' }, { text: 'ok' }]);
    await prompt('one');
    await workspace.write({ 'AGENTS.md': 'Use blanks.' });
    const events = await prompt('two');
    expect(notices(events)).toEqual([`Context that changed, and is read again: ${workspace.path('AGENTS.md')}.`]);
    expect(system(1)).toContain('Use blanks.');
  });

  it('saves for all projects only when the person agrees, whatever the mode and the rules (S122)', async () => {
    const rules = [{ list: 'allow', text: 'save_memory', origin: 'test' }] as const;
    await start([save('global'), { text: 'ok' }], { rules });
    const end = (await prompt('remember')).find((event) => event.type === 'tool-call-end');
    expect(end).toMatchObject({ status: 'denied' });
  });

  it('tells the next session what was saved for all projects, until it is taken back (S122)', async () => {
    await start([save('global'), { text: 'ok' }], {
      approver: createFakeApprover([ToolConfirmationOutcome.ProceedOnce]).approver,
    });
    await prompt('remember');
    const file = join(home, 'TENON.md');
    expect(await readFile(file, 'utf8')).toContain('- Answers are in German.');
    await agent.close();
    await model.close();
    await start([{ text: 'ok' }]);
    await prompt('go');
    expect(system(0)).toMatch(/What the user wants to be remembered[^]*Answers are in German/);
    await openUndo({ roots: [workspace.root], tenonHome: home }).undo();
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  it('takes what it saved in the project for words of the project (S122)', async () => {
    writeFileSync(join(home, 'TENON.md'), 'Be brief.');
    await start([save('project'), { text: 'ok' }, { text: 'ok' }]);
    await prompt('remember');
    expect(await workspace.read('TENON.md')).toContain('- Answers are in German.');
    await prompt('go on');
    expect(system(2)).toMatch(/Be brief\.[^]*What this project says of itself[^]*Answers are in German/);
  });
});

it('sends again, word for word, what it sent before: providers cache only the same beginning (S139)', async () => {
  await workspace.write({
    '.tenon/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n',
  });
  const file = workspace.path('lib/a.txt');
  const turns = [
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
  ];
  await start(turns, { memory: { isTrusted: true }, skills: { isTrusted: true } });
  for (const text of ['Look at it', 'Change it', 'Are you done?', 'Plan the next step']) await prompt(text);

  const bodies = model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(13);
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index];
    expect(body.tools, `the tools of request ${index + 2}`).toEqual(before?.tools);
    expect(body.messages.slice(0, before?.messages.length), `request ${index + 2}`).toEqual(before?.messages);
  }
});
