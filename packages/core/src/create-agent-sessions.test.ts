import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { loadSessionLog } from './session/session-log.js';
import { verifySession } from './session/verify-session.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agents: Agent[];

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  agents = [];
});
afterEach(async () => {
  for (const agent of agents) await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function begin(options: Partial<AgentOptions> = {}): Promise<Agent> {
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

async function say(agent: Agent, text: string, attach: readonly string[] = []): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt(text, undefined, { attach })) events.push(event);
  return events;
}

const write = (name: string, content: string): ScriptedTurn => ({
  toolCalls: [{ name: 'write_file', arguments: { file_path: workspace.path(name), content } }],
});
const read = (name: string): ScriptedTurn => ({
  toolCalls: [{ name: 'read_file', arguments: { absolute_path: workspace.path(name) } }],
});
const content = (name: string): string => readFileSync(workspace.path(name), 'utf8');
const startOf = (events: readonly AgentEvent[]) => events.find((event) => event.type === 'session-start');

describe('a session that goes on', () => {
  it('has the messages, the usage and the turns of before, and appends to the same log', async () => {
    model = await startScriptedModel([read('b.txt'), { text: 'first' }, { text: 'second' }]);
    const first = await begin();
    await say(first, 'One, with a file.', ['a.txt']);
    const { messages, sessionFile, sessionId } = first;
    const usage = first.usage();
    await first.close();
    const second = await begin({ session: { file: sessionFile } });
    expect(second).toMatchObject({ sessionId, sessionFile, sessionProblems: [] });
    expect(second.messages).toEqual(messages);
    expect(second.usage()).toEqual(usage);
    expect(second.history.map(({ event }) => event.type)).toContain('prompt-end');
    const lines = second.history.length;
    const events = await say(second, 'Two.');
    expect(startOf(events)).toMatchObject({ sessionId, resumed: { lines } });
    const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
    for (const words of ['One, with a file.', 'The files named with @:', 'first', 'Two.'])
      expect(sent).toContain(words);
    expect(verifySession(sessionFile)).toMatchObject({ status: 'intact', faults: [] });
    expect(second.usage().requests).toBe(3);
  });

  it('is told to the second who wants it, goes on in a copy, and the copy in nobody else\u2019s way', async () => {
    model = await startScriptedModel([{ text: 'first' }, { text: 'second' }, { text: 'third' }]);
    const first = await begin();
    await say(first, 'One.');
    const { sessionFile, sessionId } = first;
    await expect(begin({ session: { file: sessionFile } })).rejects.toMatchObject({ code: 'session_open' });
    const copy = await begin({ session: { file: sessionFile, fork: true } });
    expect(copy.messages).toEqual(first.messages);
    const events = await say(copy, 'Two.');
    expect(startOf(events)).toMatchObject({ sessionId: copy.sessionId, forkedFrom: sessionId });
    await say(first, 'Three.');
    expect(loadSessionLog(sessionFile).events.some(({ event }) => JSON.stringify(event).includes('Two.'))).toBe(false);
    expect(verifySession(copy.sessionFile)).toMatchObject({ status: 'intact', faults: [] });
    const unused = await begin({ session: { file: sessionFile, fork: true } });
    expect(existsSync(unused.sessionFile)).toBe(true);
    await unused.close();
    expect(existsSync(unused.sessionFile)).toBe(false);
  });

  it('survives a cut and a damaged line, says so, and keeps the rest', async () => {
    model = await startScriptedModel([{ text: 'first' }, { text: 'second' }]);
    const first = await begin();
    await say(first, 'One.');
    await first.close();
    appendFileSync(first.sessionFile, '{"damaged\n{"sequence":99,"cut');
    const second = await begin({ session: { file: first.sessionFile } });
    expect(second.messages).toEqual(first.messages);
    expect(second.sessionProblems).toHaveLength(2);
    await say(second, 'Two.');
    const { events } = loadSessionLog(first.sessionFile);
    expect(events.filter(({ event }) => event.type === 'notice')).toHaveLength(2);
    await expect(begin({ session: { file: workspace.path('a.txt') } })).rejects.toMatchObject({ code: 'no_session' });
  });

  it('does not overwrite by what the model saw in the process before: it reads again', async () => {
    model = await startScriptedModel([read('a.txt'), { text: 'seen' }, write('a.txt', 'new\n'), { text: 'refused' }]);
    const first = await begin();
    await say(first, 'Read it.');
    await first.close();
    const second = await begin({ session: { file: first.sessionFile } });
    await say(second, 'Overwrite it.');
    expect(content('a.txt')).toBe('one\n');
  });
});

describe('switching sessions', () => {
  it('leaves one, begins an empty one, and comes back', async () => {
    model = await startScriptedModel([read('a.txt'), { text: 'one' }, write('a.txt', 'x\n'), { text: 'two' }]);
    const agent = await begin();
    await say(agent, 'Read.');
    const { sessionFile, messages } = agent;
    await agent.switchSession();
    expect([agent.messages, agent.usage().requests]).toEqual([[], 0]);
    await say(agent, 'Overwrite what another session read.');
    expect(content('a.txt')).toBe('one\n');
    const other = agent.sessionFile;
    await agent.switchSession({ file: sessionFile });
    expect(agent.messages).toEqual(messages);
    await expect(agent.switchSession({ file: `${other}.gone` })).rejects.toMatchObject({ code: 'no_session' });
    expect(agent.sessionFile).toBe(sessionFile);
    await agent.switchSession({ file: sessionFile });
    expect(agent.messages).toEqual(messages);
  });
});

describe('going back to a message', () => {
  const script = (): ScriptedTurn[] => [
    write('new.txt', 'new\n'),
    { text: 'made' },
    {
      toolCalls: [
        { name: 'edit', arguments: { file_path: workspace.path('b.txt'), old_string: 'two', new_string: '2' } },
      ],
    },
    { text: 'edited' },
    { text: 'again' },
  ];

  it('takes back the conversation and the files, and the log replays to that', async () => {
    model = await startScriptedModel(script());
    const agent = await begin();
    await say(agent, 'Make a file.');
    const messages = [...agent.messages];
    await say(agent, 'Edit the other.');
    const points = await agent.rewindPoints();
    expect(points).toMatchObject([
      { text: 'Edit the other.', changedFiles: [workspace.path('b.txt')], hasConversation: true },
      { text: 'Make a file.', changedFiles: [workspace.path('b.txt'), workspace.path('new.txt')] },
    ]);
    const report = await agent.rewind(points[0]?.id ?? '', { conversation: true, files: true });
    expect(report).toMatchObject({ text: 'Edit the other.', files: { complete: true } });
    expect([content('b.txt'), content('new.txt')]).toEqual(['two\n', 'new\n']);
    expect(agent.messages).toEqual(messages);
    await agent.close();
    const second = await begin({ session: { file: agent.sessionFile } });
    expect(second.messages).toEqual(messages);
    expect(await second.rewindPoints()).toHaveLength(1);
    await say(second, 'Something else.');
    expect(second.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'again' }] });
  });

  it('takes back only files, also of the session that it is a copy of, and leaves what somebody changed since', async () => {
    model = await startScriptedModel(script());
    const agent = await begin();
    await say(agent, 'Make a file.');
    await agent.close();
    const copy = await begin({ session: { file: agent.sessionFile, fork: true } });
    expect(await copy.rewindPoints()).toMatchObject([{ changedFiles: [workspace.path('new.txt')] }]);
    await say(copy, 'Edit the other.');
    writeFileSync(workspace.path('new.txt'), 'mine\n');
    const first = (await copy.rewindPoints()).at(-1);
    const before = copy.messages;
    const report = await copy.rewind(first?.id ?? '', { conversation: false, files: true });
    expect(report.text).toBeUndefined();
    expect(report.files).toMatchObject({ complete: false });
    expect([content('b.txt'), content('new.txt')]).toEqual(['two\n', 'mine\n']);
    expect(copy.messages).toEqual(before);
    await expect(copy.rewind('9-none', { conversation: true, files: false })).rejects.toMatchObject({
      code: 'no_such_message',
    });
  });
});

it('goes on with another model, which the log and the readers are told once, and reads what is said meanwhile', async () => {
  const slow: ScriptedTurn = { ...read('a.txt'), delayMs: 20 };
  model = await startScriptedModel([{ text: 'first' }, slow, { text: 'second' }]);
  const agent = await begin();
  expect(agent.steer('Nobody works.')).toBe(false);
  await say(agent, 'One.');
  const other = createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'other' });
  agent.setModel(other, { prices: { input: 1, output: 1 } });
  expect(agent.model).toBe(other);
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt('Two.')) {
    events.push(event);
    if (event.type === 'tool-call-start') expect(agent.steer('And quickly.')).toBe(true);
  }
  expect(events.filter(({ type }) => type === 'model-change')).toHaveLength(1);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'user-message', text: 'And quickly.', isSteering: true }),
  );
  expect(model.requests.at(-1)?.body).toMatchObject({ model: 'other' });
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('And quickly.');
  expect((await agent.rewindPoints()).map(({ text }) => text)).toEqual(['And quickly.', 'Two.', 'One.']);
  expect(agent.context().used).toBeGreaterThan(0);
});

it('is gone on with after its process was killed', async () => {
  model = await startScriptedModel([{ text: 'first' }]);
  const agent = await begin();
  await say(agent, 'One.');
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const lock = `${agent.sessionFile}.open`;
  const mark = JSON.parse(readFileSync(lock, 'utf8')) as Record<string, unknown>;
  await agent.close();
  expect(existsSync(lock)).toBe(false);
  writeFileSync(lock, JSON.stringify({ ...mark, pid: child.pid, start: '' }));
  await expect(begin({ session: { file: agent.sessionFile } })).rejects.toMatchObject({ code: 'session_open' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await begin({ session: { file: agent.sessionFile } })).messages).toEqual(agent.messages);
});
