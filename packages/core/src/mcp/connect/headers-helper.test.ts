import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandSupervisor } from '../../process/command-supervisor.js';
import { createTempWorkspace, type TempWorkspace } from '../../testing/temp-workspace.js';
import type { ServerDefinition } from '../server-definition.js';
import { helperHeaders, type HelperHeaders } from './headers-helper.js';

// What it does stands in `act.mjs`, so that a test can change it.
const HELPER = `
import { appendFileSync } from 'node:fs';
appendFileSync(new URL('runs', import.meta.url), 'x');
await import(new URL('act.mjs', import.meta.url));
`;

let workspace: TempWorkspace;
let supervisor: CommandSupervisor;
let server: Server | undefined;
const log: string[] = [];
const { signal } = new AbortController();

beforeEach(async () => {
  workspace = await createTempWorkspace({ 'helper.mjs': HELPER });
  supervisor = new CommandSupervisor();
  log.length = 0;
});
afterEach(async () => {
  supervisor.endAll();
  const running = server;
  server = undefined;
  running?.closeAllConnections();
  await new Promise((resolve) => (running === undefined ? resolve(undefined) : running.close(resolve)));
  await workspace.remove();
});

function act(code: string): void {
  writeFileSync(workspace.path('act.mjs'), code);
}

function print(value: unknown): void {
  act(`process.stdout.write(${JSON.stringify(JSON.stringify(value))});`);
}

const runs = (): number => readFileSync(workspace.path('runs'), 'utf8').length;

function open(url = 'http://127.0.0.1:9/mcp', timeLimitMs = 20_000, program = process.execPath): HelperHeaders {
  const definition: ServerDefinition = {
    alias: 'an alias',
    origin: 'user',
    transport: {
      kind: 'http',
      url,
      headers: {},
      headersHelper: { argv: [program, 'helper.mjs', 'a word'], cwd: workspace.root },
    },
    timeoutMs: 1,
    startupMs: 1,
    trust: false,
    excludeTools: [],
    sampling: false,
    negotiation: 'auto',
    disabled: false,
  };
  const helper = helperHeaders({
    definition,
    start: supervisor.connect,
    environment: () => ({ PATH: process.env['PATH'] ?? '', KEPT: 'kept' }),
    log: (level, text) => log.push(`${level} ${text}`),
    timeLimitMs,
  });
  if (helper === undefined) throw new Error('no helper');
  return helper;
}

/** What nobody waits for any more is none. */
function isRunning(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `no failure but ${JSON.stringify(value)}`,
    (thrown: unknown) => String(thrown),
  );

describe('a program that prints headers', () => {
  it('runs in its folder, is told for which server, and inherits nothing else', async () => {
    act(`
      const { TENON_MCP_SERVER_NAME: name, CLAUDE_CODE_MCP_SERVER_URL: url } = process.env;
      const names = Object.keys(process.env).filter((each) => !/^(PATH|TENON_CALL.*|__CF.*)$/.test(each)).sort();
      for await (const chunk of process.stdin) names.push(chunk);
      process.stdout.write(JSON.stringify({ 'X-Name': name, 'x-url': url, 'x-cwd': process.cwd(), 'x-names': names.join(), 'x-word': process.argv[2] }) + '\\n');
    `);
    expect(await open().first(signal)).toEqual({
      'x-name': 'an alias',
      'x-url': 'http://127.0.0.1:9/mcp',
      'x-cwd': workspace.root,
      'x-names': expect.stringMatching(
        /^CLAUDE_CODE_MCP_SERVER_NAME,CLAUDE_CODE_MCP_SERVER_URL,KEPT,(?:\w+_\w+,)*TENON_MCP_SERVER_NAME,TENON_MCP_SERVER_URL/,
      ),
      'x-word': 'a word',
    });
  });

  it.each([
    [
      'fails',
      "console.error('\\u001b[2Jno ticket\\u202e\\nmore secret'); process.exit(3);",
      'failed with exit code 3: no ticket',
    ],
    ['fails silently', 'process.exit(1);', 'failed with exit code 1'],
    ['is killed', "process.kill(process.pid, 'SIGKILL');", 'was ended by the signal SIGKILL'],
    ['floods', "const more = () => process.stdout.write('x'.repeat(65536), more); more();", 'printed more than 64 kB'],
    ['prints rubbish', "console.log('secret: {');", 'must print a JSON object'],
    ['prints a list', 'console.log(\'["secret"]\');', 'must print a JSON object'],
    ['prints nothing', '', 'must print a JSON object'],
    ['prints more than that', 'console.log(\'{"a":"secret"} secret\');', 'must print a JSON object'],
  ])('and %s is told by how it ended', async (_, code, said) => {
    act(code);
    const failure = await failureOf(open().first(signal));
    expect(failure).toContain(`Failure: its headersHelper ${said}`);
    expect(failure).not.toMatch(/secret|\u001B|\u202E/);
  });

  it.each<readonly [object, string]>([
    [{ 'x-a': 'secret\r\nHost: evil' }, 'cannot be sent as a header'],
    [{ 'x-a': 'secret\0' }, 'cannot be sent as a header'],
    [{ 'x-a': 'secret €' }, 'cannot be sent as a header'],
    [{ 'x a': 'secret' }, 'cannot be sent as a header'],
    [{ '': 'secret' }, 'cannot be sent as a header'],
    [{ 'x-a': { secret: 1 } }, 'printed no text for the header "x-a"'],
    [{ 'x-a': null }, 'printed no text for the header "x-a"'],
    [{ 'x-a': 'secret', 'X-A': 'secret' }, 'printed the header "X-A" twice'],
    ...[
      'Host',
      'content-length',
      'Content-Type',
      'MCP-Session-Id',
      'mcp-protocol-version',
      'Connection',
      'TE',
      'transfer-encoding',
      'Proxy-Authorization',
      'last-event-id',
    ].map((name) => [{ [name]: 'secret' }, `printed the header "${name}", which belongs to the connection`] as const),
  ])('%j is refused', async (printed, said) => {
    print(printed);
    const failure = await failureOf(open().first(signal));
    expect(failure).toContain(said);
    expect(failure).not.toContain('secret');
  });

  it('is ended with all that it started, when it takes too long or nobody waits any more', async () => {
    const file = workspace.path('pid');
    act(`
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      console.error('waiting for a ticket');
      writeFileSync(${JSON.stringify(file)}, String(child.pid));
      setInterval(() => {}, 1000);
    `);
    const isGone = (): boolean => !isRunning(Number(readFileSync(file, 'utf8')));
    expect(await failureOf(open(undefined, 5000).first(signal))).toContain(
      'took longer than 5 s: waiting for a ticket',
    );
    expect(isGone()).toBe(true);
    const giveUp = new AbortController();
    writeFileSync(file, '');
    const asked = open().first(giveUp.signal);
    await expect.poll(() => readFileSync(file, 'utf8'), { timeout: 15_000 }).not.toBe('');
    giveUp.abort(new Error('given up'));
    await expect(asked).rejects.toThrow('given up');
    expect(isGone()).toBe(true);
  }, 40_000);

  it('that is not there is named', async () => {
    expect(await failureOf(open(undefined, 1000, 'no-such-program').first(signal))).toContain(
      'no-such-program was not started',
    );
    expect(existsSync(workspace.path('runs'))).toBe(false);
  });
});

describe('its headers', () => {
  interface Seen {
    readonly url: string;
    readonly headers: IncomingHttpHeaders[];
    /** The one that is taken. */
    ticket: string;
    status: number;
  }

  async function serve(): Promise<Seen> {
    const headers: IncomingHttpHeaders[] = [];
    const seen: Seen = { url: '', headers, ticket: '1', status: 401 };
    const started = createServer((request, response) => {
      headers.push(request.headers);
      const isRight = request.headers['x-ticket'] === seen.ticket;
      response.writeHead(isRight ? 200 : seen.status).end(isRight ? 'taken' : 'refused');
    });
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    return Object.assign(seen, { url: `http://127.0.0.1:${(started.address() as AddressInfo).port}/mcp` });
  }

  const post = (send: typeof fetch, url: string): Promise<Response> =>
    send(url, { method: 'POST', body: '{}', headers: { 'X-Ticket': 'of the settings', 'x-other': 'stays' } });

  it('stand over those of the settings, and the program runs once for many requests', async () => {
    const seen = await serve();
    print({ 'x-ticket': '1' });
    const send = open(seen.url).around(fetch, true);
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await post(send, seen.url)).text()));
    expect(answers).toEqual(Array.from({ length: 5 }, () => 'taken'));
    expect(seen.headers.map((headers) => [headers['x-ticket'], headers['x-other']])).toContainEqual(['1', 'stays']);
    expect(runs()).toBe(1);
  });

  it.each([401, 403])('are asked for once more after %d, by all who were refused together', async (status) => {
    const seen = await serve();
    print({ 'x-ticket': '1', 'x-first': 'only' });
    const send = open(seen.url).around(fetch, true);
    expect((await post(send, seen.url)).status).toBe(200);
    seen.ticket = '2';
    seen.status = status;
    print({ 'x-ticket': '2' });
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await post(send, seen.url)).status));
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    expect(runs()).toBe(2);
    expect(seen.headers.at(-1)).not.toHaveProperty('x-first');
    expect((await post(send, seen.url)).status).toBe(200);
    expect(runs()).toBe(2);
  });

  it('that stay the same are not sent again, and not asked for all the time', async () => {
    const seen = await serve();
    seen.ticket = 'other';
    print({ 'x-ticket': 'secret' });
    const send = open(seen.url).around(fetch, true);
    const failure = await failureOf(post(send, seen.url));
    expect(failure).toContain('it refuses (HTTP 401) the headers that its headersHelper prints');
    expect(failure).not.toContain('secret');
    expect(seen.headers).toHaveLength(1);
    for (let count = 0; count < 3; count += 1) await failureOf(post(send, seen.url));
    expect(runs()).toBe(2);
    seen.status = 403;
    expect(await (await post(send, seen.url)).text()).toBe('refused');
  });

  it('leave a refusal as it is where somebody else can do something about it', async () => {
    const seen = await serve();
    seen.ticket = 'other';
    print({ 'x-ticket': '1' });
    expect((await post(open(seen.url).around(fetch, false), seen.url)).status).toBe(401);
  });

  it('that cannot be had any more are told where they are missing, and in the log otherwise', async () => {
    const seen = await serve();
    print({ 'x-ticket': '1' });
    const helper = open(seen.url);
    const send = helper.around(fetch, true);
    expect((await post(send, seen.url)).status).toBe(200);
    seen.ticket = '2';
    act('process.exit(9);');
    expect(await failureOf(post(send, seen.url))).toContain('its headersHelper failed with exit code 9');
    seen.status = 403;
    const other = open(seen.url);
    print({ 'x-ticket': '1' });
    await other.first(signal);
    act('process.exit(9);');
    expect((await post(other.around(fetch, true), seen.url)).status).toBe(403);
    expect(log).toEqual(['error its headersHelper failed with exit code 9']);
  });
});
