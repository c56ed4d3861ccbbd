import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAcpBench, type AcpBench, type AcpBenchOptions } from './testing/acp-bench.js';

let bench: AcpBench;
let server: Server;
let origin: string;

beforeEach(async () => {
  server = createServer((request, response) => {
    const isSearch = request.url?.startsWith('/search') === true;
    const found = { results: [{ title: 'Planes', url: 'https://a.example/planes', content: 'Sharpen first.' }] };
    response.setHeader('content-type', isSearch ? 'application/json' : 'text/html');
    response.end(isSearch ? JSON.stringify(found) : '<h1>Planes</h1><p>Sharpen <b>first</b>.</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await bench.end();
  server.closeAllConnections();
  server.close();
});

type Call = readonly [name: string, args: Readonly<Record<string, unknown>>];

/** One call in a session of an editor whose person answers with that choice. */
async function callOf([name, args]: Call, answer: string, more: AcpBenchOptions = {}): Promise<void> {
  const permission = ({ options }: RequestPermissionRequest): RequestPermissionResponse => {
    const chosen = options.find(({ optionId }) => optionId === answer);
    return {
      outcome: chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen.optionId },
    };
  };
  bench = await createAcpBench([{ toolCalls: [{ name, arguments: args }] }, { text: 'ok' }], { permission, ...more });
  const { sessionId } = await bench.newSession();
  await bench.prompt(sessionId, 'Do it');
}

const lastStatus = () => bench.updates('tool_call_update').at(-1)?.status;
const toldModel = () => JSON.stringify(bench.model.requests.at(-1)?.body.messages);
const allowing = (more: object = {}): string =>
  JSON.stringify({ web: { allowPrivateHosts: [new URL(origin).host] }, ...more });

describe('an editor\u2019s session reaches', () => {
  it('a page, once its person agrees, and shows where (S120)', async () => {
    await callOf(['web_fetch', { url: `${origin}/page` }], 'once', { settings: allowing() });
    expect(bench.permissions).toHaveLength(1);
    expect(JSON.stringify(bench.permissions[0]?.toolCall)).toContain(origin);
    expect(lastStatus()).toBe('completed');
    expect(toldModel()).toContain('Sharpen **first**');
  });

  it('no page when they do not', async () => {
    await callOf(['web_fetch', { url: `${origin}/page` }], 'no', { settings: allowing() });
    expect(lastStatus()).toBe('failed');
    expect(toldModel()).not.toContain('Sharpen');
  });

  it('what a search finds (S121)', async () => {
    const settings = allowing({ webSearch: { providers: { searxng: { baseUrl: origin } } } });
    await callOf(['web_search', { query: 'planes' }], 'once', { settings });
    expect(lastStatus()).toBe('completed');
    expect(toldModel()).toContain('https://a.example/planes');
  });

  it('its memory: a saved fact is shown as a change before it is kept, and told to the next session (S122)', async () => {
    await callOf(['save_memory', { fact: 'Tests run with npm test.', scope: 'project' }], 'once');
    const content = bench.permissions[0]?.toolCall.content ?? [];
    expect(content.map(({ type }) => type)).toContain('diff');
    expect(readFileSync(path.join(bench.workspace, 'TENON.md'), 'utf8')).toContain('Tests run with npm test.');
    const { sessionId } = await bench.newSession();
    await bench.prompt(sessionId, 'again').catch(() => undefined);
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages[0])).toContain('Tests run with npm test.');
  });

  it('the person\u2019s hooks, which may keep a call from running', async () => {
    const command = 'echo "not here" >&2; exit 2';
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
    const touch = { command: 'touch new.txt', description: 'Makes a file' };
    await callOf(['run_shell_command', touch], 'once', { settings: JSON.stringify({ hooks }) });
    expect(lastStatus()).toBe('failed');
    expect(toldModel()).toContain('not here');
    expect(existsSync(path.join(bench.workspace, 'new.txt'))).toBe(false);
  });
});
