import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MAIN, until } from '../cli-process.js';
import { createServeBench, isAlive, type HttpServer, type ServeBench } from './serve-bench.js';

let bench: ServeBench | undefined;
const strangers: ChildProcess[] = [];

afterEach(async () => {
  for (const stranger of strangers.splice(0)) stranger.kill('SIGKILL');
  await bench?.end();
  bench = undefined;
});

async function serve(): Promise<ServeBench> {
  bench = await createServeBench({ 'a.txt': 'one\n' });
  return bench;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'wire', version: '1' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };

const callOf = (id: number, name: string, input: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

interface Wire {
  readonly child: ChildProcess;
  /** Every line of stdout, parsed: one that is no JSON fails the test. */
  readonly messages: Record<string, unknown>[];
  readonly stderr: () => string;
  readonly code: Promise<number | null>;
  write(text: string): void;
  send(...messages: object[]): void;
  answer(id: number): Promise<Record<string, unknown>>;
}

function wireTo(child: ChildProcess): Wire {
  const messages: Record<string, unknown>[] = [];
  const lost: string[] = [];
  let [rest, stderr] = ['', ''];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        messages.push(JSON.parse(line) as Record<string, unknown>);
      } catch {
        lost.push(line);
      }
    }
  });
  const write = (text: string): void => void child.stdin?.write(text);
  return {
    child,
    messages,
    stderr: () => stderr,
    code: new Promise((resolve) => child.once('close', (code) => resolve(code))),
    write,
    send: (...sent) => write(sent.map((message) => `${JSON.stringify(message)}\n`).join('')),
    async answer(id) {
      const found = (): Record<string, unknown> | undefined => messages.find((message) => message['id'] === id);
      await until(() => found() !== undefined, `the answer to ${id}; ${stderr}`);
      expect(lost).toEqual([]);
      return found() ?? {};
    },
  };
}

describe('over standard input and output', () => {
  it('outlives garbage, writes in pieces, several messages in a line and very long lines', async () => {
    const { start, workspace } = await serve();
    const wire = wireTo(start([]));
    const text = JSON.stringify(INITIALIZE);
    wire.write('no json at all\n\n{"jsonrpc":"2.0","id":77,"method":5}\n[1,2]\n\u0000\u0001\n{"a":');
    wire.write('1}\n');
    wire.write(text.slice(0, 20));
    await new Promise((resolve) => setTimeout(resolve, 20));
    wire.write(`${text.slice(20)}\r\n`);
    expect(await wire.answer(77)).toMatchObject({ error: { code: -32600 } });
    expect(await wire.answer(1)).toMatchObject({ result: { serverInfo: { name: 'tenon' } } });
    wire.send(READY);
    const file = path.join(workspace, 'a.txt');
    wire.write(
      `${JSON.stringify([callOf(2, 'read_file', { absolute_path: file }), { jsonrpc: '2.0', id: 3, method: 'ping' }])}\n`,
    );
    expect(await wire.answer(2)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(await wire.answer(3)).toMatchObject({ result: {} });
    // Longer than the SDK's own transport takes.
    wire.send(callOf(4, 'read_file', { absolute_path: file, nothing: 'x'.repeat(20_000_000) }));
    expect(await wire.answer(4)).toMatchObject({ result: { isError: true } });
    wire.write(`${'y'.repeat(66 * 1024 * 1024)}\n`);
    wire.send({ jsonrpc: '2.0', id: 5, method: 'no/such' });
    expect(await wire.answer(5)).toMatchObject({ error: { code: -32601 } });
    expect(wire.stderr()).toMatch(/skipped/);
    wire.child.stdin?.end();
    expect(await wire.code).toBe(0);
  });

  it('cuts what is too much for a model, and says where the rest is', async () => {
    const { start } = await serve();
    const wire = wireTo(start(['--approval-mode', 'yolo']));
    wire.send(INITIALIZE, READY, callOf(2, 'run_shell_command', { command: 'seq 1 200000' }));
    const { result } = (await wire.answer(2)) as { result: { content: { text: string }[] } };
    const text = result.content.map((block) => block.text).join('\n');
    expect(text.length).toBeLessThan(80_000);
    expect(text).toMatch(/\.txt/);
  });

  it.each(['end of input', 'SIGTERM', 'SIGINT'])('ends at %s, with all that runs', async (how) => {
    const { start, workspace } = await serve();
    const mark = path.join(workspace, 'pid');
    const wire = wireTo(start(['--approval-mode', 'yolo']));
    wire.send(INITIALIZE, READY, callOf(2, 'run_shell_command', { command: `echo $$ > ${mark}; sleep 300; true` }));
    await until(() => existsSync(mark) && readFileSync(mark, 'utf8').endsWith('\n'), `the command; ${wire.stderr()}`);
    const pid = Number(readFileSync(mark, 'utf8'));
    if (how === 'end of input') wire.child.stdin?.end();
    else wire.child.kill(how as NodeJS.Signals);
    expect(await wire.code).toBe(how === 'end of input' ? 0 : 130);
    await until(() => !isAlive(pid), 'the end of the command');
    // What was cancelled is not answered.
    expect(wire.messages.filter(({ id }) => id === 2)).toEqual([]);
  });

  it('leaves nothing behind when its client is killed', async () => {
    const { workspace, folder } = await serve();
    const mark = path.join(workspace, 'pid');
    const input = [
      INITIALIZE,
      READY,
      callOf(2, 'run_shell_command', { command: `echo $$ > ${mark}; sleep 300; true` }),
    ];
    const lines = input.map((message) => `${JSON.stringify(message)}\n`).join('');
    const client = path.join(folder, 'client.mjs');
    await writeFile(
      client,
      `import { spawn } from 'node:child_process';
       const child = spawn(process.execPath, [${JSON.stringify(MAIN)}, 'mcp', 'serve', '--approval-mode', 'yolo'],
         { stdio: ['pipe', 'ignore', 'ignore'], cwd: ${JSON.stringify(workspace)} });
       child.stdin.write(${JSON.stringify(lines)});
       console.log(child.pid);`,
    );
    const stranger = spawn(process.execPath, [client], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, TENON_HOME: path.join(folder, '.tenon'), TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    strangers.push(stranger);
    let text = '';
    stranger.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await until(() => existsSync(mark) && readFileSync(mark, 'utf8').endsWith('\n'), 'the command');
    const pids = [Number(text), Number(readFileSync(mark, 'utf8'))];
    expect(pids.every(isAlive)).toBe(true);
    stranger.kill('SIGKILL');
    await until(() => !pids.some(isAlive), 'the end of server and command');
  });
});

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

async function post(
  { url, token }: Pick<HttpServer, 'url' | 'token'>,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
  onFirst?: (text: string) => void,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const all = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const request = httpRequest(url, { method, headers: all, agent: false }, (response) => {
      let text = '';
      let isTold = false;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (isTold || !text.includes('roots/list')) return;
        isTold = true;
        onFirst?.(text);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    request.on('error', reject);
    request.end(method === 'POST' ? body : undefined);
  });
}

describe('over HTTP', () => {
  it('refuses whoever has no token, comes from another page or for another host', async () => {
    const { http } = await serve();
    const server = await http();
    const body = JSON.stringify(INITIALIZE);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    expect(server.token.length).toBeGreaterThan(30);
    expect(await post({ ...server, token: 'wrong' }, body)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringContaining('Bearer') as string },
    });
    expect(await post(server, body, { authorization: '' })).toMatchObject({ status: 401 });
    expect(await post(server, body, { host: 'evil.example:80' })).toMatchObject({ status: 403 });
    expect(await post(server, body, { origin: 'https://evil.example' })).toMatchObject({ status: 403 });
    expect(await post(server, body, { origin: 'null' })).toMatchObject({ status: 403 });
    expect(await post({ ...server, url: server.url.replace('/mcp', '/other') }, body)).toMatchObject({ status: 404 });
    expect(await post(server, body, { origin: 'http://localhost:6274' })).toMatchObject({ status: 200 });
  });

  it('tells what is wrong with a request, and goes on', async () => {
    const { http } = await serve();
    const server = await http();
    expect(await post(server, '{nonsense')).toMatchObject({ status: 400 });
    expect(await post(server, `"${'x'.repeat(17 * 1024 * 1024)}"`).catch(() => ({ status: 413 }))).toMatchObject({
      status: 413,
    });
    expect(await post(server, JSON.stringify(INITIALIZE), { 'mcp-session-id': 'gone' })).toMatchObject({ status: 404 });
    expect(await post(server, '', {}, 'GET')).toMatchObject({ status: 405 });
    expect(await post(server, JSON.stringify(callOf(1, 'read_file', {})))).toMatchObject({ status: 400 });
    const opened = await post(server, JSON.stringify(INITIALIZE));
    const id = String(opened.headers['mcp-session-id']);
    expect(await post(server, '', { 'mcp-session-id': id }, 'DELETE')).toMatchObject({ status: 200 });
    expect(await post(server, JSON.stringify(READY), { 'mcp-session-id': id })).toMatchObject({ status: 404 });
  });

  it('asks for roots beside the call, of a client that listens to nothing else', async () => {
    const { http, workspace } = await serve();
    const server = await http();
    const params = { ...INITIALIZE.params, capabilities: { roots: {} } };
    const opened = await post(server, JSON.stringify({ ...INITIALIZE, params }));
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    await post(server, JSON.stringify(READY), session);
    const call = callOf(2, 'read_file', { absolute_path: path.join(workspace, 'a.txt') });
    const asked = (text: string): void => {
      const line = text.split('\n').find((each) => each.startsWith('data:') && each.includes('roots/list')) ?? '';
      const { id } = JSON.parse(line.slice('data:'.length)) as { id: unknown };
      const result = { roots: [{ uri: 'file:///nowhere' }] };
      void post(server, JSON.stringify({ jsonrpc: '2.0', id, result }), session);
    };
    const { text } = await post(server, JSON.stringify(call), session, 'POST', asked);
    expect(text).toContain('--add-dir');
  });

  it('takes its token of a file or of the environment, and tells it to nobody then', async () => {
    const { http, folder } = await serve();
    const token = 'a-token-of-the-environment';
    const server = await http([], { TENON_MCP_TOKEN: token });
    expect(await post(server, JSON.stringify(INITIALIZE))).toMatchObject({ status: 200 });
    expect(server.stderr()).not.toContain(token);
    const file = path.join(folder, 'token');
    await writeFile(file, 'a-token-of-a-file-1\n');
    await chmod(file, 0o644);
    const other = await http(['--token-file', file], { TENON_MCP_TOKEN: 'a-token-of-a-file-1' });
    expect(await post(other, JSON.stringify(INITIALIZE))).toMatchObject({ status: 200 });
    expect(other.stderr()).toContain('chmod 600');
  });

  it('ends at SIGTERM, with the sessions and all that runs in them', async () => {
    const { connect, workspace } = await serve();
    const { call, pid } = await connect({ era: 'legacy', way: 'http', args: ['--approval-mode', 'yolo'] });
    const mark = path.join(workspace, 'pid');
    const running = call('run_shell_command', { command: `echo $$ > ${mark}; sleep 300; true` }).catch(() => undefined);
    await until(() => existsSync(mark) && readFileSync(mark, 'utf8').endsWith('\n'), 'the command');
    const [server, command] = [pid() ?? 0, Number(readFileSync(mark, 'utf8'))];
    process.kill(server, 'SIGTERM');
    await until(() => !isAlive(server) && !isAlive(command), 'the end of both');
    void running;
  });
});
