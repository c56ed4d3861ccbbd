import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runInProcess, type Finished } from '../testing/run-in-process.js';

let folder = '';
let server: Server | undefined;
afterEach(async () => {
  server?.close();
  server?.closeAllConnections();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function test(definition: object, ...words: string[]): Promise<Finished> {
  folder = await mkdtemp(path.join(tmpdir(), 'tenon-status-'));
  for (const name of ['home/.tenon', 'work']) await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, 'home/.tenon/settings.json'), JSON.stringify({ mcpServers: { y: definition } }));
  return runInProcess(folder, ['mcp', 'test', 'y', ...words]);
}

async function redirecting(): Promise<string> {
  const made = createServer((_request, response) => {
    response.writeHead(307, { location: 'https://u:s3cret@other.example/mcp?token=s3cret' }).end();
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/mcp`;
}

it('tells why a port cannot be used, and what to do, but not to run the same command', async () => {
  const { code, stdout } = await test({ url: 'http://127.0.0.1:1/mcp' });
  expect(code).toBe(1);
  expect(stdout).toContain('("bad port")');
  expect(stdout).toContain('another one.\n');
  expect(stdout).toContain('`tenon mcp get y` shows its definition.');
  expect(stdout).not.toMatch(/tenon mcp test|\.\./);
});

it.each([{}, { type: 'sse' }])('tells where a server sends to, without what may be secret: %j', async (more) => {
  const { code, stdout } = await test({ ...more, url: await redirecting() });
  expect(code).toBe(1);
  expect(stdout).toContain('HTTP 307');
  expect(stdout).toContain('https://other.example/mcp');
  expect(stdout).not.toMatch(/s3cret|tenon mcp test|\.\./);
});

it('tells of a program that is not there once, and once only', async () => {
  const { code, stdout } = await test({ command: '/no/such/program' });
  expect(code).toBe(1);
  expect(stdout.match(/was not started/g)).toHaveLength(1);
  expect(stdout).not.toMatch(/tenon mcp test|\.\./);
  const json = JSON.parse((await runInProcess(folder, ['mcp', 'test', 'y', '--json'])).stdout);
  expect(json.failure).toContain('was not started');
  expect(json.failure).not.toContain('tenon mcp test');
});
