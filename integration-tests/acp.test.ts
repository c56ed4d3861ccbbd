import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  client,
  ndJsonStream,
  type ClientCapabilities,
  type ClientConnection,
  type InitializeResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createBench,
  MAIN,
  NO_MODEL,
  programEnvironment,
  until,
  type Bench,
  type BenchOptions,
} from './cli-process.js';
import { isAlive } from './is-alive.js';

interface Editor {
  readonly connection: ClientConnection;
  readonly running: { readonly child: ChildProcess; readonly finished: Promise<number | null> };
  readonly updates: readonly SessionUpdate[];
  readonly permissions: readonly RequestPermissionRequest[];
  /** Standard output as it came. */
  readonly stdout: () => string;
  readonly initialized: unknown;
}

let bench: Bench | undefined;
const editors: Editor[] = [];
afterEach(async () => {
  for (const { connection, running } of editors.splice(0)) {
    connection.close();
    running.child.stdin?.end();
    await running.finished;
  }
  await bench?.end();
  bench = undefined;
});

type Turns = readonly (ScriptedTurn | TurnFunction)[];

async function open(turns: Turns, options: BenchOptions = {}): Promise<Bench> {
  bench = await createBench(turns, options);
  return bench;
}

interface EditorOptions {
  readonly capabilities?: ClientCapabilities;
  readonly env?: Readonly<Record<string, string>>;
  /** The option that the person chooses; never resolves for somebody who does not answer. */
  readonly choose?: (request: RequestPermissionRequest) => string | Promise<string>;
}

/** The built program as an editor starts it: in another folder than that of the session. */
async function edit(
  here: Bench,
  { capabilities = {}, env = {}, choose = () => 'once' }: EditorOptions = {},
): Promise<Editor> {
  const child = spawn(process.execPath, [MAIN, 'acp'], {
    cwd: path.dirname(here.workspace),
    env: { ...programEnvironment(here), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const finished = new Promise<number | null>((resolve) => child.on('close', resolve));
  const updates: SessionUpdate[] = [];
  const permissions: RequestPermissionRequest[] = [];
  let stdout = '';
  const output = child.stdout.pipe(new PassThrough());
  output.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  const connection = client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', async ({ params }) => {
      permissions.push(params);
      return { outcome: { outcome: 'selected', optionId: await choose(params) } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(output) as ReadableStream<Uint8Array>,
      ),
    );
  const initialized = await connection.agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: capabilities,
  });
  const running = { child, finished };
  const editor = { connection, running, updates, permissions, stdout: () => stdout, initialized };
  editors.push(editor);
  return editor;
}

describe('the built program as the agent of an editor', () => {
  it.each([
    ['a model', {}, 0, /^The model is openai /],
    ['none', NO_MODEL, 3, /There are three ways to get one/],
  ])('signs in by what the client appends to its command, in any folder: with %s', async (_, env, code, says) => {
    const here = await open([]);
    const { initialized } = await edit(here, { capabilities: { auth: { terminal: true } } });
    const methods = (initialized as InitializeResponse).authMethods ?? [];
    const terminal = methods.find((method) => 'type' in method && method.type === 'terminal');
    const args = terminal !== undefined && 'args' in terminal ? (terminal.args ?? []) : [];
    const child = spawn(process.execPath, [MAIN, 'acp', ...args], {
      cwd: '/',
      env: { ...programEnvironment(here), ...env },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(code);
    expect(text).toMatch(says);
  });

  it('works through a prompt, is killed, and goes on with the session in another process', async () => {
    const file = (): string => path.join(bench?.workspace ?? '', 'a.txt');
    const here = await open([
      () => ({ toolCalls: [{ name: 'write_file', arguments: { file_path: file(), content: 'hi\n' } }] }),
      { text: 'Written.' },
      { text: 'As I said.' },
    ]);
    const first = await edit(here);
    expect(first.initialized).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'tenon' } });
    const { sessionId } = await first.connection.agent.request('session/new', { cwd: here.workspace, mcpServers: [] });
    const prompt = [{ type: 'text' as const, text: 'Write a file' }];
    const answer = await first.connection.agent.request('session/prompt', { sessionId, prompt });
    expect(answer).toMatchObject({ stopReason: 'end_turn' });
    expect(first.permissions).toHaveLength(1);
    expect(await readFile(file(), 'utf8')).toBe('hi\n');
    for (const line of first.stdout().split('\n').slice(0, -1))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    first.running.child.kill('SIGKILL');
    await first.running.finished;

    const second = await edit(here);
    const { sessions } = await second.connection.agent.request('session/list', { cwd: here.workspace });
    expect(sessions).toMatchObject([{ sessionId, title: 'Write a file', cwd: here.workspace }]);
    await second.connection.agent.request('session/load', { sessionId, cwd: here.workspace, mcpServers: [] });
    expect(second.updates.map(({ sessionUpdate }) => sessionUpdate).slice(0, 4)).toEqual([
      'user_message_chunk',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
    ]);
    await second.connection.agent.request('session/prompt', { sessionId, prompt });
    expect(JSON.stringify(here.model.requests.at(-1)?.body.messages)).toContain('Written.');
  });

  it('cancels a command with all that it started, and answers with cancelled', async () => {
    const here = await open([
      {
        toolCalls: [
          {
            name: 'run_shell_command',
            arguments: { command: 'sleep 300 & echo $! > pid; sleep 301', description: 'x' },
          },
        ],
      },
    ]);
    const { connection, updates } = await edit(here);
    const { agent } = connection;
    const { sessionId } = await agent.request('session/new', { cwd: here.workspace, mcpServers: [] });
    await agent.request('session/set_mode', { sessionId, modeId: 'yolo' });
    const answer = agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Wait' }] });
    await until(() => updates.some((update) => 'status' in update && update.status === 'in_progress'), 'the command');
    const pidFile = path.join(here.workspace, 'pid');
    await until(() => existsSync(pidFile) && statSync(pidFile).size > 0, 'the background program');
    const pid = Number(await readFile(pidFile, 'utf8'));
    await agent.notify('session/cancel', { sessionId });
    expect((await answer).stopReason).toBe('cancelled');
    await until(() => !isAlive(pid), 'the end of the background program');
    expect(updates.findLast((update) => 'status' in update)).toMatchObject({ status: 'failed' });
  });

  it('ends by itself with all its sessions when the editor goes away', async () => {
    const here = await open([{ text: 'never', hangAfterChunks: 0 }]);
    const { connection, running } = await edit(here);
    const { agent } = connection;
    const { sessionId } = await agent.request('session/new', { cwd: here.workspace, mcpServers: [] });
    agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Go' }] }).catch(() => undefined);
    await until(() => here.model.requests.length === 1, 'the request');
    running.child.stdin?.end();
    expect(await running.finished).toBe(0);
  });

  it('lets a proposal be edited first, in no file of the project, and takes it away again, also when the editor goes', async () => {
    const write = () => ({
      toolCalls: [
        {
          name: 'write_file',
          arguments: { file_path: path.join(bench?.workspace ?? '', 'a.ts'), content: 'one\r\ntwo' },
        },
      ],
    });
    const here = await open([write, { text: 'done' }, write]);
    const temp = await mkdtemp(path.join(path.dirname(here.workspace), 'temp-'));
    const proposals = (): string[] => readdirSync(temp).filter((name) => name.startsWith('tenon-edit-'));
    let questions = 0;
    const { connection, running } = await edit(here, {
      env: { TMPDIR: temp },
      choose: async ({ toolCall }) => {
        questions += 1;
        if (questions % 2 === 1) return 'edit';
        if (questions > 2) return new Promise(() => undefined);
        const file = toolCall.locations?.[0]?.path ?? '';
        expect(readdirSync(here.workspace)).toEqual([]);
        await writeFile(file, (await readFile(file, 'utf8')).replace('two', 'TWO'));
        return 'mine';
      },
    });
    const { agent } = connection;
    const { sessionId } = await agent.request('session/new', { cwd: here.workspace, mcpServers: [] });
    const prompt = [{ type: 'text' as const, text: 'Write a file' }];
    await agent.request('session/prompt', { sessionId, prompt });
    expect(await readFile(path.join(here.workspace, 'a.ts'), 'utf8')).toBe('one\r\nTWO');
    expect(proposals()).toEqual([]);
    await rm(path.join(here.workspace, 'a.ts'));
    agent.request('session/prompt', { sessionId, prompt }).catch(() => undefined);
    await until(() => questions === 4 && proposals().length === 1, 'the second question');
    running.child.stdin?.end();
    expect(await running.finished).toBe(0);
    expect([proposals(), readdirSync(here.workspace)]).toEqual([[], []]);
  });

  it('says what is missing where no model is configured', async () => {
    const here = await open([]);
    const { connection } = await edit(here, { env: NO_MODEL });
    const asked = connection.agent.request('session/new', { cwd: here.workspace, mcpServers: [] });
    await expect(asked).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('OPENAI_BASE_URL') as string,
    });
  });
});
