import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, ndJsonStream } from '@agentclientprotocol/sdk';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, eventsIn, MAIN, NO_MODEL, programEnvironment, type Bench } from './cli-process.js';
import { describeInTerminal, sessionForEachTest } from './terminal-session.js';

const FIRST = 'sk-first-0123456789abc';
const SECOND = 'sk-second-9876543210xyz';
/** Gives one key, and another from its second run on. */
const PROGRAM = `printf x >>"$HOME/runs"\n[ $(wc -c <"$HOME/runs") = 1 ] && echo ${FIRST} || echo ${SECOND}\n`;

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

type Turns = readonly (ScriptedTurn | TurnFunction)[];

interface Made {
  readonly command?: readonly string[] | string;
  readonly model?: object;
  readonly files?: Readonly<Record<string, string>>;
}

const settingsOf = (baseUrl: string, { command = 'sh print-key', model = {} }: Made): string =>
  JSON.stringify({ model: { baseUrl, name: 'scripted', apiKeyCommand: command, ...model } });

/** A person whose key a program in their home prints. */
async function open(turns: Turns, made: Made = {}): Promise<Bench> {
  bench = await createBench(turns, made.files === undefined ? {} : { files: made.files });
  await writeFile(path.join(bench.tenonHome, 'settings.json'), settingsOf(bench.model.baseUrl, made));
  await writeFile(path.join(homeOf(bench), 'print-key'), PROGRAM);
  return bench;
}

const homeOf = ({ tenonHome }: Bench): string => path.dirname(tenonHome);
const runsOf = (here: Bench): number => {
  const file = path.join(homeOf(here), 'runs');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
};
const keysSent = ({ model }: Bench): (string | undefined)[] =>
  model.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
const onlySecond =
  (turn: ScriptedTurn): TurnFunction =>
  ({ headers }) =>
    headers.authorization === `Bearer ${SECOND}` ? turn : { error: { status: 401, message: 'token expired' } };
const env = NO_MODEL;

describe('a key from a command', () => {
  it('signs in with the first request, and again when the token has run out (S139)', async () => {
    const here = await open([{ text: 'Hello.' }, onlySecond({ text: 'x' }), onlySecond({ text: 'Again.' })]);
    expect(await here.run(['-p', 'x'], { env })).toMatchObject({ code: 0, stdout: 'Hello.\n' });
    expect(keysSent(here)).toEqual([FIRST]);
    expect(runsOf(here)).toBe(1);
    await writeFile(path.join(homeOf(here), 'runs'), '');
    expect(await here.run(['-p', 'x'], { env })).toMatchObject({ code: 0, stdout: 'Again.\n' });
    expect(keysSent(here)).toEqual([FIRST, FIRST, SECOND]);
    expect(runsOf(here)).toBe(2);
  });

  it('is not run by what sends no request', async () => {
    const here = await open([]);
    const config = await here.run(['config'], { env });
    expect(config.stdout).toMatch(/model\.apiKeyCommand +sh print-key +\(user settings/);
    expect(config.stdout).toMatch(/model\.apiKey +– +\(printed by model\.apiKeyCommand with the first request\)/);
    await here.run(['tools'], { env });
    await here.run(['call', 'list_directory', '{"path":"."}'], { env });
    expect(runsOf(here)).toBe(0);
    const doctor = await here.run(['doctor'], { env });
    expect(doctor.stdout).toContain(
      'openai/scripted, its endpoint answers (key from the command of model.apiKeyCommand)',
    );
    expect(here.model.otherRequests[0]?.headers.authorization).toBe(`Bearer ${FIRST}`);
  });

  it('ends with the code for a missing model when it brings none, and says why', async () => {
    const command = ['sh', '-c', 'echo "no such entry" >&2; exit 4'];
    const here = await open([], { command });
    const { code, stderr } = await here.run(['-p', 'x'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain(
      'the model failed: No key for the model: `sh -c \'echo "no such entry" >&2; exit 4\'` (model.apiKeyCommand) failed with exit code 4: no such entry. Run it in a terminal to see why.',
    );
    const lines = await here.run(['--input-format', 'stream-json', '--output-format', 'stream-json', 'x'], { env });
    expect(lines.code).toBe(3);
    const doctor = await here.run(['doctor'], { env });
    expect(doctor.stdout).toContain('failed with exit code 4: no such entry.');
    expect(doctor.code).toBe(1);
    expect(here.model.requests).toHaveLength(0);
  });

  it('keeps the code for a model that refuses where the command works', async () => {
    const here = await open([{ error: { status: 401, message: 'no' } }, { error: { status: 401, message: 'no' } }]);
    expect((await here.run(['-p', 'x'], { env })).code).toBe(9);
    expect(runsOf(here)).toBe(2);
  });

  it('is hidden in what tools say, in events and logs, as any key is', async () => {
    const call = { name: 'run_shell_command', arguments: { command: `cat key.txt`, description: 'x' } };
    const files = { 'key.txt': `it is ${FIRST}\n` };
    const here = await open([{ toolCalls: [call] }, { text: 'Done.' }], { files });
    const { stdout } = await here.run(['-p', 'x', '--output-format', 'stream-json', '--allow', 'Bash(cat *)'], { env });
    expect(eventsIn(stdout).at(-1)).toMatchObject({ stopReason: 'completed' });
    expect(stdout).not.toContain(FIRST);
    expect(stdout).toContain('model.apiKey');
    expect(here.model.requests[1]?.bodyText).not.toContain(FIRST);
    const logs = (await readdir(here.tenonHome, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    expect(logs.length).toBeGreaterThan(0);
    for (const name of logs) expect(readFileSync(path.join(here.tenonHome, name), 'utf8')).not.toContain(FIRST);
  });

  it('does not count in the settings of a project, trusted or not', async () => {
    const files = { '.tenon/settings.json': '{"model": {"apiKeyCommand": ["sh", "evil"]}}', evil: 'touch "$HOME/ran"' };
    const here = await open([{ text: 'a' }, { text: 'b' }], { files });
    const { stderr } = await here.run(['-p', 'x'], { env });
    expect(stderr).toContain('"model.apiKeyCommand" is ignored here: a project may tighten, not loosen.');
    await here.run(['trust', '--yes'], { env });
    await here.run(['-p', 'x'], { env });
    expect(keysSent(here)).toEqual([FIRST, SECOND]);
    expect(existsSync(path.join(homeOf(here), 'ran'))).toBe(false);
  });

  it('stops at a setting that is no command', async () => {
    const here = await open([], { command: 'pass show x | head -1' });
    const { code, stderr } = await here.run(['-p', 'x'], { env });
    expect(code).toBe(7);
    expect(stderr).toContain('a command: a list of words, or a text that needs no shell');
  });

  it('is shared by --model and by the models of agents', async () => {
    const turn: TurnFunction = ({ body }) => {
      const isFirst = !body.messages.some(({ role }) => role === 'assistant');
      const task = { description: 'd', prompt: 'p', subagent_type: 'other' };
      return body.model === 'big' && isFirst ? { toolCalls: [{ name: 'task', arguments: task }] } : { text: 'ok' };
    };
    const here = await open([turn, turn, turn]);
    await mkdir(path.join(here.tenonHome, 'agents'));
    const agent = '---\nname: other\ndescription: other\nmodel: small\n---\nHelp.\n';
    await writeFile(path.join(here.tenonHome, 'agents', 'other.md'), agent);
    expect(await here.run(['-p', 'x', '--model', 'big'], { env })).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(here.model.requests.map(({ body }) => body.model)).toEqual(['big', 'small', 'big']);
    expect(keysSent(here)).toEqual([FIRST, FIRST, FIRST]);
    expect(runsOf(here)).toBe(1);
  });

  it('signs an editor in', async () => {
    const here = await open([onlySecond({ text: 'x' }), onlySecond({ text: 'Hi.' })]);
    const child = spawn(process.execPath, [MAIN, 'acp'], {
      env: { ...programEnvironment(here), ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const finished = new Promise((resolve) => child.on('close', resolve));
    const stream = ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    );
    const connection = client({ name: 'editor' })
      .onNotification('session/update', () => undefined)
      .connect(stream);
    const { agent } = connection;
    await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    await agent.request('authenticate', { methodId: 'model-settings' });
    const { sessionId } = await agent.request('session/new', { cwd: here.workspace, mcpServers: [] });
    const prompt = [{ type: 'text' as const, text: 'Hello' }];
    expect(await agent.request('session/prompt', { sessionId, prompt })).toMatchObject({ stopReason: 'end_turn' });
    expect(keysSent(here)).toEqual([FIRST, SECOND]);
    child.stdin.end();
    await finished;
  });
});

describeInTerminal('a key from a command, in a session', () => {
  const test = sessionForEachTest();

  it('is had with the first prompt, and stays when the model is another', async () => {
    const settings = JSON.stringify({ model: { apiKeyCommand: 'sh .tenon/print-key' } });
    const turns = [{ text: 'One.' }, { text: 'Two.' }];
    const options = { settings, home: { 'print-key': PROGRAM }, env: { OPENAI_API_KEY: '' } };
    const { bench: here, terminal, say } = await test.open(turns, options);
    expect(runsOf(here)).toBe(0);
    await say('Hello');
    await terminal.waitFor('One.');
    await say('/model small');
    await terminal.waitFor('openai small');
    await say('Hello');
    await terminal.waitFor('Two.');
    expect(here.model.requests.map(({ body }) => body.model)).toEqual(['scripted', 'small']);
    expect(keysSent(here)).toEqual([FIRST, FIRST]);
    expect(runsOf(here)).toBe(1);
  });
});
