import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpHost, McpServer, ServerProgress } from '../../packages/core/src/mcp/mcp-types.js';
import type { ServerDefinition } from '../../packages/core/src/mcp/server-definition.js';
import {
  call,
  createClientFixture,
  failureOf,
  NEVER,
  remoteDefinition,
  stdioDefinition,
  textOf,
  until,
  type ClientFixture,
} from './client-fixture.js';
import { createProgramFixture, type ProgramFixture } from './program-fixture.js';

const TWO_ERAS = fileURLToPath(new URL('two-era-server.mjs', import.meta.url));
const reference = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url));

let fixture: ClientFixture;
let programs: ProgramFixture;
let folder: string;

beforeEach(() => {
  fixture = createClientFixture();
  programs = createProgramFixture();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-real-')));
});
afterEach(async () => {
  await fixture.close();
  await programs.close();
  rmSync(folder, { recursive: true, force: true });
});

function client(definition: ServerDefinition, host: Partial<McpHost> = {}): McpServer {
  const [server] = fixture.clients([definition], host).servers;
  if (server === undefined) throw new Error('no server');
  return server;
}

/** Any free port would do, but this server takes none of its own choice. */
function somePort(): number {
  return 20_000 + Math.floor(Math.random() * 30_000);
}

async function everything(transport: string): Promise<ServerDefinition> {
  if (transport === 'stdio') return stdioDefinition(reference('everything'));
  const port = somePort();
  await programs.start([reference('everything'), transport], /listening|running on port/iu, { PORT: String(port) });
  const path = transport === 'sse' ? '/sse' : '/mcp';
  return remoteDefinition(`http://127.0.0.1:${port}${path}`, transport === 'sse' ? 'sse' : 'auto');
}

const person: Partial<McpHost> = {
  ask: async () => ({ action: 'accept', content: { name: 'Ada', check: true } }),
  sample: async () => ({ model: 'm', role: 'assistant', content: { type: 'text', text: 'sampled words' } }),
};

describe.each(['stdio', 'streamableHttp', 'sse'])('the reference server over %s (S133)', (transport) => {
  it('gives all that it has', async () => {
    const server = client({ ...(await everything(transport)), sampling: true }, person);
    const tools = await server.listTools(NEVER);
    expect(tools.problems).toEqual([]);
    expect(tools.entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'trigger-sampling-request']));
    expect(textOf(await call(server, 'echo', { message: 'grüße' }))).toBe('Echo: grüße');
    expect(await call(server, 'get-structured-content', { location: 'New York' })).toHaveProperty('structuredContent');
    expect(await call(server, 'get-tiny-image')).toHaveProperty('content.1.type', 'image');
    const told: ServerProgress[] = [];
    const onProgress = (progress: ServerProgress): number => told.push(progress);
    await server.callTool('trigger-long-running-operation', { duration: 0.6, steps: 3 }, { signal: NEVER, onProgress });
    expect(told.at(-1)).toMatchObject({ progress: 3, total: 3 });
    expect(textOf(await call(server, 'get-roots-list'))).toContain('file:///workspace');
    expect(textOf(await call(server, 'trigger-sampling-request', { prompt: 'x', maxTokens: 10 }))).toContain(
      'sampled words',
    );
    expect(JSON.stringify(await call(server, 'trigger-elicitation-request'))).toContain('Ada');
    const task = await server.callTool('simulate-research-query', { topic: 'x' }, { signal: NEVER, asTask: true });
    expect(JSON.stringify(task)).toContain('x');
    expect((await server.listResources(NEVER)).entries.length).toBeGreaterThan(0);
    expect((await server.listResourceTemplates(NEVER)).entries.length).toBeGreaterThan(0);
    expect(await server.readResource('demo://resource/dynamic/text/1', NEVER)).toHaveProperty('contents.0.text');
    expect((await server.listPrompts(NEVER)).entries.length).toBeGreaterThan(0);
    expect(await server.getPrompt('args-prompt', { city: 'Rome' }, NEVER)).toHaveProperty('messages.0.role');
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const;
    expect(await server.complete({ ref, argument: { name: 'department', value: 'E' } }, NEVER)).toContain(
      'Engineering',
    );
    const stop = new AbortController();
    const aborted = call(server, 'trigger-long-running-operation', { duration: 3, steps: 3 }, stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 200);
    await expect(aborted).rejects.toThrow('enough');
    expect(textOf(await call(server, 'echo', { message: 'on' }))).toBe('Echo: on');
  });
});

it('the reference server tells of a resource that was subscribed to, until it is no more', async () => {
  const server = client(stdioDefinition(reference('everything')));
  const [uri, other] = ['demo://resource/dynamic/text/1', 'demo://resource/dynamic/text/2'];
  const told: string[] = [];
  server.onChange((change) => {
    if (change.kind === 'resource') told.push(change.uri);
  });
  // It tells at once when it begins, and every five seconds.
  const toggle = async (): Promise<string> => textOf(await call(server, 'toggle-subscriber-updates'));
  await server.subscribe(uri, NEVER);
  await server.subscribe(other, NEVER);
  await server.unsubscribe(other, NEVER);
  expect(await toggle()).toContain('Started');
  await until(() => told.length > 0);
  await server.subscribe(other, NEVER);
  await until(() => told.includes(other));
  expect(new Set(told)).toEqual(new Set([uri, other]));
  await server.unsubscribe(uri, NEVER);
  expect(await toggle()).toContain('Stopped');
  told.length = 0;
  expect(await toggle()).toContain('Started');
  await until(() => told.includes(other));
  expect(told).not.toContain(uri);
});

it('a server over HTTP that was started anew is connected again', async () => {
  const definition = await everything('streamableHttp');
  const server = client(definition);
  await call(server, 'echo', { message: 'one' });
  await programs.kill();
  expect((await failureOf(call(server, 'echo', { message: 'two' }))).code).toBe('mcp_unavailable');
  const { port } = new URL(definition.transport.kind === 'stdio' ? '' : definition.transport.url);
  await programs.start([reference('everything'), 'streamableHttp'], /listening/iu, { PORT: port });
  expect(textOf(await call(server, 'echo', { message: 'three' }))).toBe('Echo: three');
});

it('the file server reads what it may, and says what it may not', async () => {
  writeFileSync(join(folder, 'a.txt'), 'inside\n');
  const server = client(stdioDefinition(reference('filesystem'), [folder]), {
    roots: () => [{ uri: `file://${folder}`, name: 'workspace' }],
  });
  expect(textOf(await call(server, 'read_text_file', { path: join(folder, 'a.txt') }))).toBe('inside\n');
  expect(await call(server, 'read_text_file', { path: '/etc/passwd' })).toMatchObject({ isError: true });
});

it('the memory server keeps what it is told', async () => {
  const definition = stdioDefinition(reference('memory'));
  if (definition.transport.kind !== 'stdio') throw new Error('not a program');
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
  const server = client({ ...definition, transport: { ...definition.transport, env } });
  await call(server, 'create_entities', {
    entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }],
  });
  await server.disconnect();
  expect(textOf(await call(server, 'read_graph'))).toContain('counts');
});

describe.each([
  ['stdio', 'legacy'],
  ['stdio', 'auto'],
  ['http', 'legacy'],
  ['http', 'auto'],
] as const)('a server of both eras over %s, begun as %s', (transport, negotiation) => {
  async function definition(): Promise<ServerDefinition> {
    if (transport === 'stdio') return stdioDefinition(TWO_ERAS, [], { negotiation });
    const [, port] = await programs.start([TWO_ERAS, '--http'], /listening (\d+)/u);
    return remoteDefinition(`http://127.0.0.1:${port}/`, 'http', { negotiation });
  }

  it('does all that belongs to its era', async () => {
    const server = client(await definition(), { ask: async () => ({ action: 'accept', content: { yes: false } }) });
    expect((await server.listTools(NEVER)).entries).toHaveLength(5);
    const isNewer = negotiation === 'auto';
    expect(server.status().protocolVersion).toBe(isNewer ? '2026-07-28' : '2025-11-25');
    expect(server.instructions()).toBe(`Era: ${isNewer ? 'modern' : 'legacy'}.`);
    expect(textOf(await call(server, 'ask'))).toBe('{"yes":false}');
    const told: ServerProgress[] = [];
    const onProgress = (progress: ServerProgress): number => told.push(progress);
    expect(textOf(await server.callTool('slow', {}, { signal: NEVER, onProgress }))).toBe('slow done');
    expect(told.at(-1)?.progress).toBe(20);
    expect(fixture.log).toContain('test info slow: step 20');
    let changes = 0;
    server.onChange(({ kind }) => {
      if (kind === 'tools') changes++;
    });
    await call(server, 'changed');
    await until(() => changes > 0);
    const stop = new AbortController();
    const aborted = call(server, 'slow', {}, stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 150);
    await expect(aborted).rejects.toThrow('enough');
    await expect.poll(async () => textOf(await call(server, 'seen')), { timeout: 5000 }).toBe('{"aborted":1}');
    expect(await failureOf(call(server, 'none'))).toMatchObject({ code: 'mcp_error' });
    await server.disconnect();
    expect(textOf(await call(server, 'echo', { text: 'again' }))).toBe('again');
  });
});
