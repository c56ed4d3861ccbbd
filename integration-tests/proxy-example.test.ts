import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { startPageServer, type PageServer } from '../packages/core/src/testing/page-server.js';
import { createBench, until, watch, type Bench } from './cli-process.js';
import { SCRIPTED_HTTP_SERVER } from './mcp/client-fixture.js';
import { createProgramFixture } from './mcp/program-fixture.js';

const EXAMPLE = fileURLToPath(new URL('../examples/proxy/allow-list-proxy.mjs', import.meta.url));
/** Names that no machine has lead to this one, in the proxy alone: what reaches them went through it. */
const NAMES = `
const dns = require('node:dns');
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(/\\.example\\.test$/.test(name) ? '127.0.0.1' : name, ...rest);
`;

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Proxy {
  readonly address: string;
  readonly port: number;
  /** What it let through or refused, without the time. */
  readonly log: () => string[];
}

async function startProxy(here: Bench, ...hosts: readonly string[]): Promise<Proxy> {
  const hook = path.join(here.tenonHome, 'names.cjs');
  writeFileSync(hook, NAMES);
  const args = ['--require', hook, EXAMPLE, '--port', '0', ...hosts];
  const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'] }, stdio: 'pipe' });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  ends.push(async () => {
    child.kill();
    await new Promise((resolve) => child.once('close', resolve));
  });
  await until(() => said.includes('Listening'), 'the proxy');
  const port = Number(/:(\d+)\n/.exec(said)?.[1]);
  const log = (): string[] => said.split('\n').flatMap((line) => /^\S+Z (.*)$/.exec(line)?.[1] ?? []);
  return { address: `http://127.0.0.1:${port}`, port, log };
}

async function bench(turns: readonly ScriptedTurn[], settings: object = {}): Promise<Bench> {
  const made = await createBench(turns, { settings: JSON.stringify(settings) });
  ends.push(() => made.end());
  return made;
}

async function pages(): Promise<PageServer> {
  const server = await startPageServer({
    '/page': (_request, response) => void response.setHeader('content-type', 'text/plain').end('words of the page'),
  });
  ends.push(() => server.close());
  return server;
}

const portOf = (url: string): number => Number(new URL(url).port);
const call = (name: string, args: object): ScriptedTurn => ({ toolCalls: [{ name, arguments: { ...args } }] });

describe('the example of a proxy', () => {
  it('carries requests to the model, to a page and to an MCP server, and says so (S142)', async () => {
    const page = await pages();
    const programs = createProgramFixture();
    ends.push(() => programs.close());
    const [, mcp] = await programs.start([SCRIPTED_HTTP_SERVER], /listening (\d+)/u);
    const url = `http://pages.example.test:${page.port}/page`;
    const turns = [call('web_fetch', { url }), call('far__echo', { text: 'hi' }), { text: 'Done.' }];
    const here = await bench(turns, {
      mcpServers: { far: { url: `http://mcp.example.test:${mcp}/mcp` } },
      permissions: { allow: ['far__*', 'WebFetch(domain:pages.example.test)'] },
      web: { askAfterUntrusted: false },
    });
    const model = portOf(here.model.baseUrl);
    const hosts = [`model.example.test:${model}`, `*.example.test:${page.port}`, `mcp.example.test:${mcp}`];
    const proxy = await startProxy(here, ...hosts);
    const env = { HTTP_PROXY: proxy.address, OPENAI_BASE_URL: `http://model.example.test:${model}/v1` };
    const { code, stdout, stderr } = await here.run(['-p', 'do it'], { env });
    expect({ code, stdout, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' });
    const told = here.model.requests.at(-1)?.bodyText ?? '';
    expect(told).toContain('words of the page');
    expect(told).toContain('no instructions.]\\nhi');
    const log = proxy.log();
    expect(log.filter((line) => line === `allowed POST model.example.test:${model}`)).toHaveLength(3);
    expect(log).toContain(`allowed GET pages.example.test:${page.port}`);
    expect(log).toContain(`allowed POST mcp.example.test:${mcp}`);
    expect(log.filter((line) => !line.startsWith('allowed'))).toEqual([]);
  });

  it('refuses other hosts, and who asks is told what to do (S142)', async () => {
    const page = await pages();
    const url = `http://other.example.test:${page.port}/page`;
    const here = await bench([call('web_fetch', { url }), { text: 'Done.' }], {
      mcpServers: { far: { url: 'https://mcp.example.test/mcp' } },
      permissions: { allow: ['WebFetch(domain:other.example.test)'] },
    });
    const proxy = await startProxy(here, 'pages.example.test');
    const env = { HTTP_PROXY: proxy.address, HTTPS_PROXY: proxy.address };
    expect(await here.run(['-p', 'do it'], { env })).toMatchObject({ code: 0 });
    const named = (variable: string): string =>
      `The proxy 127.0.0.1:${proxy.port} (from ${variable}) did not connect to`;
    const next = 'HTTP 403. Ask whoever runs the proxy.';
    const told = here.model.requests.at(-1)?.bodyText ?? '';
    expect(told).toContain(`${named('HTTP_PROXY')} other.example.test:${page.port}: ${next}`);
    const server = await here.run(['mcp', 'test', 'far'], { env });
    expect(server.code).toBe(1);
    expect(server.stdout + server.stderr).toContain(`${named('HTTPS_PROXY')} mcp.example.test:443: ${next}`);
    const sealed = await here.run(['-p', 'do it'], {
      env: { ...env, OPENAI_BASE_URL: 'https://model.example.test/v1' },
    });
    expect(sealed).toMatchObject({ code: 9, stdout: '' });
    expect(sealed.stderr).toContain(`${named('HTTPS_PROXY')} model.example.test:443: ${next}`);
    const open = await here.run(['-p', 'do it'], { env: { ...env, OPENAI_BASE_URL: 'http://model.example.test/v1' } });
    expect(open.code).toBe(9);
    expect(open.stderr).toContain(`${named('HTTP_PROXY')} model.example.test: ${next}`);
    const direct = await fetch(`${proxy.address}/`);
    expect([direct.status, await direct.text()]).toEqual([400, expect.stringContaining('This is a proxy')]);
    expect(proxy.log().filter((line) => line.startsWith('allowed'))).toEqual([]);
    expect(page.asked).toEqual([]);
  });

  it('is not asked for this machine, nor for what NO_PROXY names (S142)', async () => {
    const here = await bench([{ text: 'near' }]);
    const proxy = await startProxy(here, 'nobody.example.test');
    const env = { HTTP_PROXY: proxy.address, HTTPS_PROXY: proxy.address, NO_PROXY: '.example.test' };
    expect(await here.run(['-p', 'x'], { env })).toMatchObject({ code: 0, stdout: 'near\n' });
    const direct = { ...env, OPENAI_BASE_URL: 'https://model.example.test/v1', OPENAI_MODEL: '' };
    expect((await here.run(['-p', 'x'], { env: direct })).code).toBe(9);
    expect(proxy.log()).toEqual([]);
  });

  it('opens tunnels, and takes whole labels and ports (S142)', async () => {
    const page = await pages();
    const here = await bench([]);
    const proxy = await startProxy(here, `*.example.test:${page.port}`);
    const tunnel = (target: string): Promise<{ status: number | undefined; socket: Socket }> =>
      new Promise((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port: proxy.port, method: 'CONNECT', path: target });
        asked.on('connect', ({ statusCode }, socket) => resolve({ status: statusCode, socket }));
        asked.on('error', reject).end();
      });
    const { status, socket } = await tunnel(`a.example.test:${page.port}`);
    expect(status).toBe(200);
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.write('GET /page HTTP/1.1\r\nhost: a.example.test\r\nconnection: close\r\n\r\n');
    await until(() => answer.includes('words of the page'), 'the page');
    socket.destroy();
    const refused = [`badexample.test:${page.port}`, `example.test:${page.port}`, 'a.example.test:443', '127.0.0.1:22'];
    for (const target of refused) {
      const { status: no, socket: closed } = await tunnel(target);
      expect([target, no]).toEqual([target, 403]);
      closed.destroy();
    }
    await until(() => proxy.log().length > refused.length, 'the log');
    expect(proxy.log().slice(1)).toEqual(refused.map((target) => `refused CONNECT ${target}`));
  });

  it('says how it is started where that is wrong (S142)', async () => {
    for (const args of [[], ['https://example.com/'], ['--port', 'x', 'example.com']]) {
      const { code, stderr } = await watch(spawn(process.execPath, [EXAMPLE, ...args], { stdio: 'pipe' }), '').finished;
      expect([code, stderr]).toEqual([2, expect.stringContaining('Usage: node allow-list-proxy.mjs')]);
    }
    expect(readFileSync(EXAMPLE, 'utf8')).not.toMatch(/from '(?!node:)/);
  });
});
