import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  createClientFixture,
  failureOf,
  NEVER,
  remoteDefinition,
  SCRIPTED_HTTP_SERVER,
  textOf,
  until,
  type ClientFixture,
} from './client-fixture.js';
import { createProgramFixture, type ProgramFixture } from './program-fixture.js';
import type { McpHost, McpServer } from '../../packages/core/src/mcp/mcp-types.js';
import type { RemoteServer, ServerDefinition } from '../../packages/core/src/mcp/server-definition.js';

let fixture: ClientFixture;
let programs: ProgramFixture;
let origin: string;

beforeEach(() => {
  fixture = createClientFixture();
  programs = createProgramFixture();
});
afterEach(async () => {
  await fixture.close();
  await programs.close();
});

async function serve(...words: string[]): Promise<void> {
  const [, port] = await programs.start([SCRIPTED_HTTP_SERVER, ...words], /listening (\d+)/u);
  origin = `http://127.0.0.1:${port}`;
}

interface ClientOf {
  readonly kind?: RemoteServer['kind'];
  readonly path?: string;
  readonly definition?: Partial<ServerDefinition>;
  readonly host?: Partial<McpHost>;
}

function client({ kind = 'auto', path = '/mcp', definition = {}, host = {} }: ClientOf = {}): McpServer {
  const [server] = fixture.clients([remoteDefinition(origin + path, kind, definition)], host).servers;
  if (server === undefined) throw new Error('no server');
  return server;
}

async function serverState(): Promise<{
  deleted: number;
  calls: number;
  cancelled: unknown[];
  headers: Record<string, string>[];
}> {
  const response = await fetch(`${origin}/state`);
  return (await response.json()) as Awaited<ReturnType<typeof serverState>>;
}

describe('over Streamable HTTP', () => {
  it.each([[[]], [['json']]])('calls are made in a session, which is ended: %s', async (words) => {
    await serve(...words);
    const server = client();
    expect(textOf(await call(server, 'echo', { text: 'grüße' }))).toBe('grüße');
    expect((await server.listTools(NEVER)).problems).toEqual([]);
    await server.disconnect();
    expect((await serverState()).deleted).toBe(1);
  });

  it('headers are sent, the parameters of a call among them', async () => {
    await serve();
    const [server] = fixture.clients([
      {
        ...remoteDefinition(`${origin}/mcp`),
        transport: { kind: 'http', url: `${origin}/mcp`, headers: { 'X-Key': 'k' } },
      },
    ]).servers;
    await server?.callTool('echo', {}, { signal: NEVER, headers: { Region: 'north' } });
    expect((await serverState()).headers.at(-1)).toMatchObject({ 'x-key': 'k', 'mcp-param-region': 'north' });
  });

  it('progress comes before the result', async () => {
    await serve();
    const told: number[] = [];
    const onProgress = ({ progress }: { progress: number }): number => told.push(progress);
    await client().callTool('progress', { steps: 3, ms: 150 }, { signal: NEVER, onProgress });
    expect([told[0], told.at(-1)]).toEqual([1, 3]);
  });

  it.each(['forget', 'old-404'])('a session that the server forgot is made anew: %s', async (word) => {
    await serve(...(word === 'forget' ? [] : [word]));
    const server = client();
    await call(server, 'forget').catch(() => undefined);
    expect(textOf(await call(server, 'echo', { text: 'again' }))).toBe('again');
  });

  it.each(['cut', 'broken', 'empty'])('a call whose answer does not come is an error at once: %s', async (tool) => {
    await serve();
    const server = client();
    const failure = await failureOf(call(server, tool));
    expect(failure).toMatchObject({ code: 'mcp_unavailable', message: expect.stringContaining('may or may not') });
    expect(textOf(await call(server, 'echo', { text: 'x' }))).toBe('x');
  });

  it('garbage in a stream is passed over', async () => {
    await serve();
    expect(textOf(await call(client(), 'garbage'))).toBe('after garbage');
  });

  it('an error of HTTP is told in one line', async () => {
    await serve();
    const failure = await failureOf(call(client(), 'http_500'));
    expect(failure.message).toContain('HTTP 500');
    expect(failure.message).toContain('the disk');
    expect(failure.message).not.toContain('\n');
  });

  it('a busy server is asked again, but not to do something', async () => {
    await serve('busy=2', 'busy-calls=1');
    const server = client();
    await server.connect(NEVER);
    expect((await failureOf(call(server, 'echo'))).message).toContain('HTTP 429');
    expect(textOf(await call(server, 'echo', { text: 'x' }))).toBe('x');
  });

  it('a call that is aborted is cancelled, and the connection lives', async () => {
    await serve();
    const server = client();
    await server.connect(NEVER);
    const stop = new AbortController();
    const aborted = call(server, 'never', {}, stop.signal);
    setTimeout(() => stop.abort(new Error('not any more')), 100);
    await expect(aborted).rejects.toThrow('not any more');
    expect(textOf(await call(server, 'echo', { text: 'x' }))).toBe('x');
    expect((await serverState()).cancelled).toHaveLength(1);
  });

  it('a call whose headers never come ends in time', async () => {
    await serve('hang-calls');
    const failure = await failureOf(call(client({ definition: { timeoutMs: 300 } }), 'echo'));
    expect(failure).toMatchObject({ code: 'mcp_timeout' });
  });

  it('a server that hangs has its time to start', async () => {
    await serve('hang');
    const failure = await failureOf(client({ definition: { startupMs: 600 } }).connect(NEVER));
    expect(failure.message).toContain('did not answer within 0.6 s');
  });

  it.each([
    ['status=500', 'HTTP 500'],
    ['status=403', 'HTTP 403'],
    ['html', 'text/html'],
  ])('a server that is none says so: %s', async (word, message) => {
    await serve(word);
    expect((await failureOf(client().connect(NEVER))).message).toContain(message);
  });

  it('a server that cannot be reached is told with its cause', async () => {
    await serve();
    await programs.kill();
    const failure = await failureOf(client().connect(NEVER));
    expect(failure).toMatchObject({
      code: 'mcp_unavailable',
      message: expect.stringMatching(
        /^The MCP server "test" at http:\/\/127\.0\.0\.1:\d+\/mcp could not be connected: connection refused \(.*ECONNREFUSED/,
      ),
    });
  });

  it('a name that nobody knows is told with the address', async () => {
    const definition = remoteDefinition('http://no-such-host.invalid:8080/mcp');
    const [server] = fixture.clients([definition]).servers;
    const { message } = await failureOf(server?.connect(NEVER) ?? Promise.resolve());
    expect(message).toMatch(
      /at http:\/\/no-such-host\.invalid:8080\/mcp could not be connected: .*(ENOTFOUND|EAI_AGAIN)/,
    );
  });

  it('what speaks no TLS where TLS is meant is told with the address and what to do', async () => {
    await serve();
    const url = `${origin.replace('http:', 'https:')}/mcp`;
    const [server] = fixture.clients([remoteDefinition(url)]).servers;
    const { message } = await failureOf(server?.connect(NEVER) ?? Promise.resolve());
    expect(message).toContain(`at ${url} could not be connected:`);
    expect(message).toContain('the address may have to begin with http://');
  });

  it('a server that comes back is connected again', async () => {
    await serve();
    const server = client();
    await server.connect(NEVER);
    await programs.kill();
    expect((await failureOf(call(server, 'echo'))).code).toBe('mcp_unavailable');
    await serve(`port=${new URL(origin).port}`);
    expect(textOf(await call(server, 'echo', { text: 'back' }))).toBe('back');
  });

  it('a sign-in that is needed is a state of its own', async () => {
    await serve('sign-in');
    const server = client();
    const failure = await failureOf(server.connect(NEVER));
    expect(failure).toMatchObject({
      code: 'mcp_needs_sign_in',
      message: expect.stringContaining('tenon mcp login test'),
    });
    expect(server.status().state).toBe('needs-sign-in');
  });

  it('the sign-in of the host is used', async () => {
    await serve();
    const server = client({ host: { authFor: () => ({ provider: { token: async () => 'secret-1' } }) } });
    await call(server, 'echo');
    expect((await serverState()).headers.at(-1)).toMatchObject({ authorization: 'Bearer secret-1' });
  });
});

describe('over the older transport', () => {
  it('calls are made where it is named', async () => {
    await serve();
    const server = client({ kind: 'sse', path: '/sse' });
    expect(textOf(await call(server, 'echo', { text: 'x' }))).toBe('x');
  });

  it('calls are made where the server knows no other', async () => {
    await serve('only-sse');
    const server = client();
    expect(textOf(await call(server, 'echo', { text: 'x' }))).toBe('x');
    expect((await server.listTools(NEVER)).problems).toEqual([]);
  });

  it('is not tried where the newer was asked for', async () => {
    await serve('only-sse');
    expect((await failureOf(client({ kind: 'http' }).connect(NEVER))).message).toContain('HTTP 404');
  });

  it('a stream that breaks ends the calls at once, and is opened again', async () => {
    await serve('only-sse');
    const server = client();
    expect(await failureOf(call(server, 'drop'))).toMatchObject({ code: 'mcp_unavailable' });
    await until(() => server.status().state === 'lost');
    expect(textOf(await call(server, 'echo', { text: 'x' }))).toBe('x');
  });
});
