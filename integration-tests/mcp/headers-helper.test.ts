import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '@tenon/core/testing';
import { createMcpClients } from '../../packages/core/src/mcp/mcp-client.js';
import type { McpClients, McpServer } from '../../packages/core/src/mcp/mcp-types.js';
import { createServerAuth } from '../../packages/core/src/mcp/auth/server-auth.js';
import { createTokenStore } from '../../packages/core/src/mcp/auth/token-store.js';
import type { RemoteServer } from '../../packages/core/src/mcp/server-definition.js';
import { CommandSupervisor } from '../../packages/core/src/process/command-supervisor.js';
import { startBound, type BoundCommand } from '../../packages/core/src/trust/bound-commands.js';
import { projectScripts } from '../../packages/core/src/trust/project-scripts.js';
import { createClientFixture, NEVER, textOf, type ClientFixture } from './client-fixture.js';
import { remoteDefinition } from './remote-definition.js';

// Gives out the ticket that lies beside it.
const HELPER = `
import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync('runs', 'x');
const authorization = readFileSync('ticket', 'utf8');
if (authorization === '') { console.error('no ticket today'); process.exit(4); }
process.stdout.write(JSON.stringify({ Authorization: authorization, 'X-Who': process.env.TENON_MCP_SERVER_NAME }));
`;

interface TicketServer {
  readonly url: string;
  readonly seen: IncomingHttpHeaders[];
  ticket: string;
}

let workspace: TempWorkspace;
let fixture: ClientFixture;
let server: Server;
let tickets: TicketServer;
const others: McpClients[] = [];

beforeEach(async () => {
  workspace = await createTempWorkspace({ 'helper.mjs': HELPER, ticket: 'secret-1', runs: '' });
  fixture = createClientFixture();
  const seen: IncomingHttpHeaders[] = [];
  const state = { url: '', seen, ticket: 'secret-1' };
  server = createServer((request, response) => {
    seen.push(request.headers);
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.headers.authorization !== state.ticket) return json(401, { error: 'who?' });
      if (request.method !== 'POST') return json(405, {});
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      if (id === undefined) return void response.writeHead(202).end();
      const info = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 't', version: '1' },
      };
      const content = [{ type: 'text', text: `hello, ${String(request.headers['x-who'])}` }];
      const result = method === 'initialize' ? info : { content, tools: [] };
      json(200, { jsonrpc: '2.0', id, result });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  tickets = Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
});
afterEach(async () => {
  await Promise.all(others.splice(0).map((clients) => clients.close()));
  await fixture.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await workspace.remove();
});

const argv: [string, ...string[]] = [process.execPath, './helper.mjs'];
const put = (ticket: string): void => writeFileSync(workspace.path('ticket'), ticket);
const runs = (): number => readFileSync(workspace.path('runs'), 'utf8').length;
const definitionOf = (more: Partial<RemoteServer> = {}) =>
  remoteDefinition(tickets.url, { headersHelper: { argv, cwd: workspace.root }, ...more });

function client(more: Partial<RemoteServer> = {}): McpServer {
  const [one] = fixture.clients([definitionOf(more)]).servers;
  if (one === undefined) throw new Error('no server');
  return one;
}

const call = async (one: McpServer): Promise<string> => textOf(await one.callTool('hello', {}, { signal: NEVER }));

describe('a server whose headers a program prints', () => {
  it('is connected, and goes on with new headers when the old ones run out', async () => {
    const one = client({ headers: { authorization: 'of the settings', 'x-stays': '1' } });
    expect(await call(one)).toBe('hello, signed');
    expect(runs()).toBe(1);
    expect(tickets.seen.every((headers) => headers['x-stays'] === '1')).toBe(true);
    tickets.ticket = 'secret-2';
    put('secret-2');
    expect(await Promise.all([call(one), call(one), call(one)])).toEqual(
      Array.from({ length: 3 }, () => 'hello, signed'),
    );
    expect(runs()).toBe(2);
    expect(tickets.seen.map(({ authorization }) => authorization)).not.toContain('of the settings');
    await one.disconnect();
    expect(await call(one)).toBe('hello, signed');
    expect(runs()).toBe(3);
    expect(fixture.log.join('\n')).not.toContain('secret');
  });

  it('fails with the reason of its program, and needs no sign-in', async () => {
    put('');
    const one = client({ kind: 'auto' });
    await expect(one.connect(NEVER)).rejects.toMatchObject({
      code: 'mcp_unavailable',
      message: expect.stringContaining(
        'could not be connected: its headersHelper failed with exit code 4: no ticket today. Look at its definition',
      ),
    });
    expect(one.status().state).toBe('failed');
    expect(runs()).toBe(1);
    put('secret-wrong');
    await expect(one.connect(NEVER)).rejects.toThrow('it refuses (HTTP 401) the headers that its headersHelper prints');
    expect(one.status()).toMatchObject({ state: 'failed', reason: expect.not.stringContaining('secret') });
    put('secret-1');
    await one.connect(NEVER);
    expect(one.status().state).toBe('ready');
  });

  it('is not signed in at, unless its settings speak of both', () => {
    const store = createTokenStore(workspace.root);
    expect(createServerAuth(definitionOf(), { store })).toBeUndefined();
    expect(createServerAuth(definitionOf({ oauth: {} }), { store })).toBeDefined();
  });

  it('is not connected any more once a script of the folder is another than was agreed to', async () => {
    const place = { cwd: workspace.root, root: workspace.root, env: {} };
    const bound: BoundCommand = { argv, ...place, scripts: await projectScripts(argv, place) };
    const supervisor = new CommandSupervisor();
    const clients = createMcpClients([definitionOf()], {
      connect: startBound(supervisor.connect, [bound]),
      environment: () => ({ PATH: process.env['PATH'] ?? '' }),
      host: { client: { name: 'tenon', version: '0' }, roots: () => [] },
      fetch,
    });
    others.push(clients);
    const [one] = clients.servers;
    if (one === undefined) throw new Error('no server');
    expect(await call(one)).toBe('hello, signed');
    writeFileSync(workspace.path('helper.mjs'), `${HELPER}\n// evil`);
    tickets.ticket = 'secret-2';
    put('secret-2');
    await expect(call(one)).rejects.toThrow('helper.mjs of this folder, which it runs, is not what it was');
    await one.disconnect();
    await expect(call(one)).rejects.toThrow('helper.mjs of this folder, which it runs, is not what it was');
    expect(runs()).toBe(1);
    supervisor.endAll();
  });
});
