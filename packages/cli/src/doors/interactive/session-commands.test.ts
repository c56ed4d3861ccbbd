import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApprovalMode, createToolSystem, type ToolSystem } from '@tenon/core';
import { createTempWorkspace, type TempWorkspace } from '@tenon/core/testing';
import { sessionCommand, type CommandAnswer } from './session-commands.js';

let workspace: TempWorkspace;
let home: TempWorkspace;
let agent: ToolSystem;

beforeEach(async () => {
  workspace = await createTempWorkspace({ 'a.txt': 'one\ntwo\n' });
  home = await createTempWorkspace();
  agent = await createToolSystem({
    ...project(),
    userHome: home.root,
    approvalMode: ApprovalMode.AUTO_EDIT,
    rules: [],
    environment: {},
  });
});

afterEach(async () => {
  await agent.close();
  await workspace.remove();
  await home.remove();
});

const project = () => ({ roots: [workspace.root], tenonHome: join(home.root, 'state') });
const read = (): Promise<string> => readFile(join(workspace.root, 'a.txt'), 'utf8');
const answer = (text: string): Promise<CommandAnswer> =>
  sessionCommand(text, { agent, project: project(), screen: { colors: false, columns: () => 80 } });
const say = async (text: string): Promise<string> => (await answer(text)).shown;

async function edit(callId: string, from: string, to: string): Promise<void> {
  const params = { file_path: join(workspace.root, 'a.txt'), old_string: from, new_string: to };
  const calls = [{ callId, toolName: 'edit', argumentsText: JSON.stringify(params) }];
  for await (const event of agent.runCalls(calls, new AbortController().signal)) {
    if (event.type === 'tool-call-end') expect(event.status).toBe('success');
  }
}

it('shows, takes back and makes again what calls changed, in the words of the command line', async () => {
  await edit('1', 'one', 'ONE');
  await edit('2', 'two', 'TWO\u001b[2J');
  const diff = await say('/diff');
  expect(diff).toContain(String.raw`+TWO\u{1b}[2J`);
  expect(diff).not.toContain('+ONE');
  expect(await say('/diff 2')).toContain('+ONE');
  expect(await say('/undo')).toContain('Took back 1 call:');
  expect(await read()).toBe('ONE\ntwo\n');
  expect(await say('/undo')).toContain('Took back 1 call:');
  expect(await read()).toBe('one\ntwo\n');
  expect(await say('/redo')).toContain('Made again 1 call:');
  expect(await read()).toBe('ONE\ntwo\n');
});

it('has something to say to the model when files are no longer as it left them', async () => {
  await edit('1', 'one', 'ONE');
  expect((await answer('/diff')).forModel).toBeUndefined();
  const file = join(workspace.root, 'a.txt');
  expect((await answer('/undo')).forModel).toBe(
    `[The user took back changes of: ${file}. Read these files again before you rely on them.]`,
  );
  expect((await answer('/undo')).forModel).toBeUndefined();
  expect((await answer('/redo')).forModel).toContain(file);
});

it('says what cannot be done, and leaves everything as it is', async () => {
  expect(await say('/undo')).toMatch(/^There is nothing to undo/);
  expect(await say('/redo')).toMatch(/^There is nothing to redo/);
  expect(await say('/undo 0')).toContain('counted from 1');
  expect(await say('/undo nonsense')).toContain('"nonsense"');
  expect(await say('/nothing')).toBe('There is no /nothing. /help lists what there is.\n');
  expect(await read()).toBe('one\ntwo\n');
});

it('sets no mode above what the administrator allows, and says whose word that is', async () => {
  const origin = 'managed settings (/etc/tenon/settings.json:1:2)';
  const held = await createToolSystem({
    ...project(),
    userHome: home.root,
    approvalMode: ApprovalMode.PLAN,
    approvalCeiling: { mode: ApprovalMode.DEFAULT, origin },
    rules: [],
    environment: {},
  });
  const sayHeld = async (text: string): Promise<string> =>
    (await sessionCommand(text, { agent: held, project: project(), screen: { colors: false, columns: () => 80 } }))
      .shown;
  try {
    expect(await sayHeld('/mode yolo')).toBe(`The mode yolo is not permitted: the ${origin} allow default at most.\n`);
    expect(await sayHeld('/mode')).toBe('The mode is plan.\n');
    expect(await sayHeld('/mode default')).toBe('The mode is now default.\n');
  } finally {
    await held.close();
  }
});

it('sets the mode, and lists itself', async () => {
  expect(await say('/mode plan')).toBe('The mode is now plan.\n');
  expect(await say('/mode')).toBe('The mode is plan.\n');
  expect(await say('/mode wild')).toContain('"wild" is not a mode');
  const help = await say('/help');
  for (const name of ['/mode', '/diff', '/undo', '/redo', '/help', '/exit']) expect(help).toContain(`  ${name}`);
});
