import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ScriptedTurn } from '@tenon/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { startCollector, type Collector } from '../packages/core/src/testing/collector-server.js';
import { createBench, type Bench, type BenchOptions } from './cli-process.js';

let bench: Bench | undefined;
let collector: Collector | undefined;
afterEach(async () => {
  await bench?.end();
  await collector?.close();
  [bench, collector] = [undefined, undefined];
});

const FILES = { 'a.txt': 'one\ntwo\n' };

async function open(turns: readonly ScriptedTurn[], options: BenchOptions = {}): Promise<Bench> {
  bench = await createBench(turns, { files: FILES, ...options });
  return bench;
}

const read = (): ScriptedTurn => ({
  toolCalls: [{ name: 'read_file', arguments: { absolute_path: path.join(bench?.workspace ?? '', 'a.txt') } }],
});
const settings = (telemetry: object): string => JSON.stringify({ telemetry });

describe('telemetry of the built program', () => {
  it('goes where the settings say, and nothing of it to the terminal', async () => {
    collector = await startCollector();
    const turns: ScriptedTurn[] = [];
    const { run } = await open(turns, {
      settings: settings({ endpoint: collector.endpoint, headers: { 'x-key': 'k' } }),
    });
    turns.push(read(), { text: 'Two lines.' });
    const { code, stdout, stderr } = await run(['-q', '-p', 'how many?']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Two lines.\n', stderr: '' });
    const names = collector.spans().map(({ name }) => name);
    expect(names.toSorted()).toEqual([
      'chat scripted',
      'chat scripted',
      'execute_tool read_file',
      'invoke_agent tenon',
    ]);
    expect(collector.points().map(({ name }) => name)).toContain('gen_ai.client.token.usage');
    expect(collector.requests.every(({ headers }) => headers['x-key'] === 'k')).toBe(true);
    const one = await run([
      'call',
      'read_file',
      JSON.stringify({ absolute_path: path.join(bench?.workspace ?? '', 'a.txt') }),
    ]);
    expect(one).toMatchObject({ code: 0 });
    const loose = collector.spans().at(-1);
    expect(loose?.name).toBe('execute_tool read_file');
    expect(loose?.parentSpanId).toBeUndefined();
  });

  it('is sent for a session of an editor as well', async () => {
    collector = await startCollector();
    const { start, workspace } = await open([{ text: 'Hello.' }], {
      settings: settings({ endpoint: collector.endpoint }),
    });
    const { child, finished } = start(['acp'], { stdin: null });
    const waiting = new Map<number, (result: unknown) => void>();
    let text = '';
    child.stdout?.on('data', (chunk: string) => {
      text += chunk;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const { id, result } = JSON.parse(text.slice(0, end)) as { readonly id?: number; readonly result?: unknown };
        text = text.slice(end + 1);
        if (id !== undefined) waiting.get(id)?.(result);
      }
    });
    const ask = (id: number, method: string, params: object): Promise<unknown> =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      });
    await ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = (await ask(2, 'session/new', { cwd: workspace, mcpServers: [] })) as {
      readonly sessionId: string;
    };
    await ask(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hi' }] });
    child.stdin?.end();
    await finished;
    expect(collector.spans().map(({ name }) => name)).toEqual(['chat scripted', 'invoke_agent tenon']);
  });

  it('takes two seconds from the end at most, whatever becomes of the collector', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    try {
      const { run } = await open([{ text: 'one' }, { text: 'two' }], {
        settings: settings({ endpoint: `http://127.0.0.1:${port}` }),
      });
      const without = await timed(() =>
        run(['-q', '-p', 'x', '--max-turns', '3'], { env: { OTEL_SDK_DISABLED: 'true' } }),
      );
      const silently = await timed(() => run(['-q', '-p', 'x']));
      expect(silently.result).toMatchObject({ code: 0, stdout: 'two\n', stderr: '' });
      expect(silently.ms - without.ms).toBeLessThan(4000);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('cannot be switched on, or sent elsewhere, by what came with a project', async () => {
    collector = await startCollector();
    const theirs = JSON.stringify({ telemetry: { enabled: true, endpoint: collector.endpoint, content: true } });
    const { run } = await open([{ text: 'one' }, { text: 'two' }], {
      files: { ...FILES, '.tenon/settings.json': theirs },
    });
    const { code, stderr } = await run(['-p', 'x']);
    expect(code).toBe(0);
    expect(stderr).toContain('telemetry.endpoint');
    await run(['trust', '--yes']);
    expect(await run(['-p', 'x'])).toMatchObject({ code: 0 });
    expect(collector.requests).toEqual([]);
  });

  it('is not there without settings: a session opens no connection but to the model, and loads nothing of it', async () => {
    collector = await startCollector();
    const turns: ScriptedTurn[] = [];
    const { run, workspace } = await open(turns);
    turns.push(read(), { text: 'done' });
    const trace = path.join(workspace, '..', 'connections');
    const watcher = path.join(workspace, '..', 'watch.cjs');
    const { writeFile } = await import('node:fs/promises');
    await writeFile(
      watcher,
      `const { appendFileSync } = require('node:fs');
      require('node:diagnostics_channel').subscribe('net.client.socket', ({ socket }) =>
        socket.on('connect', () => appendFileSync(${JSON.stringify(trace)}, socket.remotePort + '\\n')));`,
    );
    const env = {
      NODE_OPTIONS: `--require ${watcher}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_TRACES_EXPORTER: 'otlp',
    };
    expect(await run(['-q', '-p', 'x'], { env })).toMatchObject({ code: 0, stdout: 'done\n' });
    const ports = new Set(readFileSync(trace, 'utf8').trim().split('\n'));
    expect([...ports]).toEqual([new URL(bench?.model.baseUrl ?? '').port]);
    expect(collector.requests).toEqual([]);
  });
});

describe('tenon stats', () => {
  it('adds up what sessions of the project were, for people and as JSON, and sends nothing', async () => {
    const turns: ScriptedTurn[] = [];
    const { run, workspace, tenonHome } = await open(turns, {
      settings: JSON.stringify({ model: { prices: { input: 1, output: 2 } } }),
    });
    expect(await run(['stats'])).toEqual({ code: 0, stdout: 'No session is logged here.\n', stderr: '' });
    const hostile = { name: `x\u001b[31m\u202e`, arguments: {} };
    turns.push(read(), { toolCalls: [hostile] }, { text: 'done' });
    await run(['-q', '-p', 'x']);
    const { code, stdout } = await run(['stats']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 session, 1 prompt\n/);
    expect(stdout).toMatch(/read_file +1 +1 /);
    expect(stdout).toContain('(no such tool)');
    expect(stdout).not.toMatch(/\u001b|\u202e/);
    const json = JSON.parse((await run(['stats', '--json', '--days', '2', '--all'])).stdout) as object;
    expect(json).toMatchObject({
      sessions: 1,
      prompts: 1,
      turns: 3,
      models: [{ requests: 3, cost: expect.any(Number) as number }],
    });
    expect(await run(['stats', '--days', 'x'])).toMatchObject({ code: 2 });
    const logs = readdirSync(path.join(tenonHome, 'projects'), { recursive: true }).filter((name) =>
      String(name).endsWith('.jsonl'),
    );
    expect(logs).toHaveLength(1);
    expect(existsSync(path.join(workspace, 'a.txt'))).toBe(true);
  });
});

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}
