import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  startForwardProxy,
  type ForwardProxy,
  type ForwardProxyOptions,
} from '../../packages/core/src/testing/forward-proxy.js';
import { createBench, type Bench, type Finished } from '../cli-process.js';
import { SCRIPTED_HTTP_SERVER } from './client-fixture.js';
import { createProgramFixture } from './program-fixture.js';

const HOST = 'mcp.example.test';
const ACCOUNT = 'me:p%40ss';
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function serve(...words: string[]): Promise<number> {
  const programs = createProgramFixture();
  ends.push(() => programs.close());
  const [, port] = await programs.start([SCRIPTED_HTTP_SERVER, ...words], /listening (\d+)/u);
  return Number(port);
}

async function proxy(options?: ForwardProxyOptions): Promise<ForwardProxy> {
  const way = await startForwardProxy(options);
  ends.push(way.close);
  return way;
}

async function bench(url: string): Promise<Bench> {
  const settings = JSON.stringify({ mcpServers: { far: { url } }, permissions: { allow: ['far__*'] } });
  const made = await createBench(
    [{ toolCalls: [{ name: 'far__echo', arguments: { text: 'hi' } }] }, { text: 'Done.' }],
    {
      settings,
    },
  );
  ends.push(() => made.end());
  return made;
}

/** What a person sees, and what is kept. */
async function everything({ stdout, stderr }: Finished, { tenonHome }: Bench): Promise<string> {
  const names = await readdir(tenonHome, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  return [stdout, stderr, ...texts].join('\n');
}

const SECRET = /p%40ss|p@ss|bWU6c/u;

describe('servers behind a proxy', () => {
  it('are reached through it in a run, and the account of the proxy is nowhere to be seen', async () => {
    const port = await serve();
    const way = await proxy({ account: 'me:p@ss' });
    const here = await bench(`http://${HOST}:${port}/mcp`);
    const env = { HTTP_PROXY: `http://${ACCOUNT}@127.0.0.1:${way.port}`, NO_PROXY: 'other.example.test' };
    const run = await here.run(['-p', 'do it'], { env });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
    expect(here.model.requests.at(-1)?.bodyText).toContain('no instructions.]\\nhi"');
    expect(way.asked.filter((line) => line === `POST http://${HOST}:${port}/mcp`).length).toBeGreaterThan(2);
    // The model is on this machine, which is never reached through a proxy.
    expect(way.asked.every((line) => line.includes(HOST))).toBe(true);
    expect(await everything(run, here)).not.toMatch(SECRET);
  });

  it('are reached through it by the older transport', async () => {
    const port = await serve('only-sse');
    const way = await proxy();
    const here = await bench(`http://${HOST}:${port}/mcp`);
    const { code, stdout } = await here.run(['call', 'far__echo', '{"text":"by the older way"}'], {
      env: { http_proxy: `127.0.0.1:${way.port}` },
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('by the older way')]);
    expect(way.asked).toContain(`GET http://${HOST}:${port}/mcp`);
  });

  it('that cannot be reached for the proxy say so', async () => {
    const way = await proxy({ refuses: 502 });
    const here = await bench(`https://${HOST}/mcp`);
    const env = { HTTPS_PROXY: `http://${ACCOUNT}@127.0.0.1:${way.port}` };
    const said = `The proxy 127.0.0.1:${way.port} (from HTTPS_PROXY) did not connect to ${HOST}:443: HTTP 502.`;
    const test = await here.run(['mcp', 'test', 'far'], { env });
    expect(test.code).toBe(1);
    expect(test.stdout + test.stderr).toContain(said);
    const login = await here.run(['mcp', 'login', 'far'], { env });
    expect(login.code).toBe(1);
    expect(login.stderr).toContain(said);
    await way.close();
    const gone = await here.run(['mcp', 'test', 'far'], { env });
    expect(gone.stdout + gone.stderr).toContain('(from HTTPS_PROXY) cannot be reached: connect ECONNREFUSED');
    const none = await here.run(['mcp', 'test', 'far'], { env: { HTTPS_PROXY: `socks5://${ACCOUNT}@127.0.0.1:1` } });
    expect(none.stdout + none.stderr).toContain('HTTPS_PROXY names a SOCKS proxy');
    for (const run of [test, login, gone, none]) expect(await everything(run, here)).not.toMatch(SECRET);
  });

  it('are asked for a sign-in through it', async () => {
    const port = await serve('sign-in');
    const way = await proxy();
    const here = await bench(`http://${HOST}:${port}/mcp`);
    const env = { HTTP_PROXY: `127.0.0.1:${way.port}` };
    expect((await here.run(['mcp', 'status'], { env })).stdout).toContain('needs-sign-in');
    const login = await here.run(['mcp', 'login', 'far'], { env });
    // Its own address is in the clear: nothing of a sign-in is sent there.
    expect(login.stderr).toContain('not protected by TLS');
    expect(way.asked.length).toBeGreaterThan(1);
  });
});

describe.skipIf(!existsSync('/usr/bin/openssl'))('a server behind TLS and a proxy', () => {
  it('is reached through a tunnel, proved by the certificates that the machine trusts', async () => {
    const inner = await serve();
    const way = await proxy({ account: 'me:p@ss' });
    const here = await bench('https://x.example.test/mcp');
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(path.dirname(here.workspace), name));
    if (key === undefined || cert === undefined) throw new Error('no names');
    const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${HOST}`;
    const more = ['-addext', `subjectAltName=DNS:${HOST}`, '-keyout', key, '-out', cert];
    execFileSync('openssl', [...words.split(' '), ...more], { stdio: 'ignore' });
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const onward = httpRequest({ host: '127.0.0.1', port: inner, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    const settings = JSON.stringify({ mcpServers: { far: { url: `https://${HOST}:${port}/mcp` } } });
    const env = { HTTPS_PROXY: `http://${ACCOUNT}@127.0.0.1:${way.port}` };
    const words2 = ['--mcp-config', settings, '--strict-mcp-config', 'mcp', 'test', 'far'];
    const unknown = await here.run(words2, { env });
    expect(unknown.code).toBe(1);
    expect(unknown.stdout + unknown.stderr).toMatch(/self.signed/iu);
    const known = await here.run(words2, { env: { ...env, NODE_EXTRA_CA_CERTS: cert } });
    expect([known.code, known.stdout]).toEqual([0, expect.stringContaining('echo')]);
    expect(new Set(way.asked)).toEqual(new Set([`CONNECT ${HOST}:${port}`]));
    expect(await everything(known, here)).not.toMatch(SECRET);
  });
});
