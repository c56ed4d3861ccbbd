import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  createClientFixture,
  failureOf,
  isAlive,
  NEVER,
  SCRIPTED_SERVER,
  stdioDefinition,
  textOf,
  until,
  type ClientFixture,
} from './client-fixture.js';
import type { ServerChange, ServerProgress } from '../../packages/core/src/mcp/mcp-types.js';

let fixture: ClientFixture;
let folder: string;

beforeEach(() => {
  fixture = createClientFixture();
  folder = mkdtempSync(join(tmpdir(), 'mcp-client-'));
});
afterEach(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Seen {
  readonly calls: number;
  readonly lists: number;
  readonly pages?: number;
  readonly pid: number;
  readonly cancelled: unknown[];
  readonly notes: string[];
  readonly asked: { method: string; result?: unknown; error?: { code: number } }[];
  readonly subscribed: string[];
  readonly capabilities: Record<string, unknown>;
  readonly listens?: number;
}

async function seenBy(server: ReturnType<ClientFixture['scripted']>): Promise<Seen> {
  return JSON.parse(textOf(await call(server, 'state'))) as Seen;
}

describe('a connection', () => {
  it('is made on first use and told by the status', async () => {
    const server = fixture.scripted(['instructions=Be kind.']);
    expect(server.status()).toEqual({ state: 'idle' });
    expect(server.features()).toBeUndefined();
    expect(textOf(await call(server, 'echo', { text: 'grüße' }))).toBe('grüße');
    expect(server.status()).toMatchObject({
      state: 'ready',
      server: { name: 'scripted', version: '1.0.0' },
      protocolVersion: '2025-11-25',
    });
    expect(server.instructions()).toBe('Be kind.');
    expect(server.features()).toMatchObject({ tools: true, subscribe: true, completions: true });
  });

  it('is shared by all who want it at once', async () => {
    const server = fixture.scripted(['slow-start=200']);
    const pids = await Promise.all([1, 2, 3].map(async () => (await seenBy(server)).pid));
    expect(new Set(pids).size).toBe(1);
  });

  it('of one server waits for no other', async () => {
    const words: Record<string, string[]> = { silent: ['silent'], dead: ['die-at-start'], good: [] };
    const definitions = Object.entries(words).map(([alias, args]) =>
      stdioDefinition(SCRIPTED_SERVER, args, { alias, ...(alias === 'silent' ? { startupMs: 1500 } : {}) }),
    );
    const clients = fixture.clients([
      ...definitions,
      stdioDefinition(SCRIPTED_SERVER, [], { alias: 'off', disabled: true }),
    ]);
    clients.start();
    await until(() => clients.server('good')?.status().state === 'ready');
    expect(clients.server('silent')?.status().state).toBe('connecting');
    await clients.settled(NEVER);
    expect(clients.servers.map((server) => server.status().state)).toEqual(['failed', 'failed', 'ready', 'disabled']);
    expect(clients.server('silent')?.status().reason).toContain('did not answer within 1.5 s');
  });

  it('that fails says why, with what the program last wrote', async () => {
    const server = fixture.scripted(['die-at-start=7']);
    const failure = await failureOf(server.listTools(NEVER));
    expect(failure).toMatchObject({ code: 'mcp_unavailable' });
    expect(failure.message).toContain('exit code 7');
    expect(failure.message).toContain('please set DATABASE_URL');
    expect(server.status()).toMatchObject({ state: 'failed', lastStderr: expect.stringContaining('cannot find') });
  });

  it('to a program that is not there says so', async () => {
    const definition = stdioDefinition('x');
    const [server] = fixture.clients([
      { ...definition, transport: { kind: 'stdio', command: 'no-such-program-x', args: [], cwd: folder, env: {} } },
    ]).servers;
    const failure = await failureOf(server?.connect(NEVER) ?? Promise.resolve());
    expect(failure.message).toContain('no-such-program-x');
  });

  it('is given up after failures in a row, until it is asked for', async () => {
    const server = fixture.scripted(['die-at-start']);
    for (let count = 0; count < 3; count++) await failureOf(server.listTools(NEVER));
    const before = fixture.log.length;
    expect((await failureOf(server.listTools(NEVER))).code).toBe('mcp_unavailable');
    expect(fixture.log.length).toBe(before);
    await failureOf(server.connect(NEVER));
    await until(() => fixture.log.length > before);
  });

  it('to a server that dies at every use is given up as well', async () => {
    const server = fixture.scripted(['die-on-list']);
    for (let count = 0; count < 4; count++) await failureOf(server.listTools(NEVER));
    expect(server.status().state).toBe('failed');
  });

  it('that was refused by an abort goes on for others', async () => {
    const server = fixture.scripted(['slow-start=300']);
    const stop = new AbortController();
    const aborted = server.connect(stop.signal);
    const other = server.connect(NEVER);
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await other;
    expect(server.status().state).toBe('ready');
  });

  it('is made to servers that leave out what nobody needs', async () => {
    const server = fixture.scripted(['no-info', 'version=2024-11-05']);
    await server.connect(NEVER);
    expect(server.status()).toMatchObject({ state: 'ready', protocolVersion: '2024-11-05' });
    expect(await server.listTools(NEVER)).toEqual({ entries: [], problems: [] });
  });
});

describe('the era', () => {
  it('is found out where that is asked for', async () => {
    const server = fixture.scripted(['modern'], { definition: { negotiation: 'auto' } });
    expect(textOf(await call(server, 'echo', { text: 'x' }))).toBe('x');
    expect(server.status().protocolVersion).toBe('2026-07-28');
    await server.disconnect();
    expect(textOf(await call(server, 'echo', { text: 'y' }))).toBe('y');
  });

  it('is the older one where the server knows no other', async () => {
    const server = fixture.scripted([], { definition: { negotiation: 'auto' } });
    await server.connect(NEVER);
    expect(server.status().protocolVersion).toBe('2025-11-25');
  });

  it('is the older one for a server that dies of what it does not know', async () => {
    const server = fixture.scripted(['die-on-unknown'], { definition: { negotiation: 'auto' } });
    await server.connect(NEVER);
    expect(server.status().protocolVersion).toBe('2025-11-25');
  });

  it('is the newer one for a server that refuses the older', async () => {
    const server = fixture.scripted(['modern-only']);
    await server.connect(NEVER);
    expect(server.status().protocolVersion).toBe('2026-07-28');
  });
});

describe('a list', () => {
  it('has all pages', async () => {
    const server = fixture.scripted(['many-tools=10000']);
    const { entries, problems } = await server.listTools(NEVER);
    expect(problems).toEqual([]);
    expect(entries.filter(({ name }) => String(name).startsWith('tool_'))).toHaveLength(10_000);
    expect(server.status().tools).toBe(entries.length);
  });

  it.each([[['bad-tools']], [['bad-tools', 'modern-only']]])(
    'keeps what is sound among what is not: %s',
    async (words) => {
      const server = fixture.scripted(words);
      const { entries, problems } = await server.listTools(NEVER);
      expect(entries.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['echo', 'text_schema', 42, 'näme/with.signs']),
      );
      expect(entries.find(({ name }) => name === 'text_schema')).toMatchObject({ inputSchema: 'nope' });
      expect(problems).toHaveLength(2);
      expect(server.status()).toMatchObject({ state: 'ready', reason: expect.stringContaining('no object') });
    },
  );

  it.each(['same-cursor', 'endless-pages'])('ends: %s', async (word) => {
    const server = fixture.scripted([word], { limits: { pages: 20 } });
    const { entries, problems } = await server.listTools(NEVER);
    expect(entries.length).toBeLessThanOrEqual(40);
    expect(problems).toHaveLength(1);
  });

  it('keeps the pages before a broken one', async () => {
    const server = fixture.scripted(['page-error', 'page-size=5']);
    const { entries, problems } = await server.listTools(NEVER);
    expect(entries).toHaveLength(5);
    expect(problems[0]).toContain('the list is broken');
  });

  it('that is broken is an error, and the status says so', async () => {
    const server = fixture.scripted(['list-error']);
    expect(await failureOf(server.listTools(NEVER))).toMatchObject({ code: 'mcp_error' });
    expect(server.status()).toMatchObject({ state: 'ready', reason: expect.stringContaining('the list is broken') });
  });

  it('is kept as long as the server says, until it changes', async () => {
    const server = fixture.scripted(['modern-only', 'ttl=60000']);
    await server.listTools(NEVER);
    await server.listTools(NEVER);
    expect((await seenBy(server)).lists).toBe(1);
    const changed = nextChange(server, 'tools');
    await call(server, 'storm', { count: 1 });
    await changed;
    await server.listTools(NEVER);
    expect((await seenBy(server)).lists).toBe(2);
  });

  it('has resources, templates and prompts too', async () => {
    const server = fixture.scripted([]);
    expect((await server.listResources(NEVER)).entries).toEqual([{ uri: 'scripted://one', name: 'one' }]);
    expect((await server.listResourceTemplates(NEVER)).entries).toHaveLength(1);
    expect((await server.listPrompts(NEVER)).entries).toMatchObject([{ name: 'greet' }]);
    expect(await server.readResource('scripted://one', NEVER)).toMatchObject({
      contents: [{ text: expect.any(String) }],
    });
    expect(await server.getPrompt('greet', { who: 'Ada' }, NEVER)).toMatchObject({ messages: [{ role: 'user' }] });
    const ref = { type: 'ref/prompt', name: 'greet' } as const;
    expect(await server.complete({ ref, argument: { name: 'who', value: 'a' } }, NEVER)).toEqual(['anna']);
  });
});

function nextChange(server: ReturnType<ClientFixture['scripted']>, kind: ServerChange['kind']): Promise<ServerChange> {
  return new Promise((resolve) => {
    const off = server.onChange((change) => {
      if (change.kind !== kind) return;
      off();
      resolve(change);
    });
  });
}

describe('what a server writes', () => {
  it.each([
    [['garbage']],
    [['split-writes']],
    [['crlf', 'bom']],
    [['batch']],
    [['string-ids']],
    [['wrong-ids']],
    [['stderr-flood=5000']],
    [['garbage', 'split-writes', 'crlf', 'batch', 'wrong-ids']],
  ])('may be %s', async (words) => {
    const server = fixture.scripted(words);
    expect(textOf(await call(server, 'echo', { text: 'äöü €' }))).toBe('äöü €');
    expect((await server.listTools(NEVER)).problems).toEqual([]);
    expect(server.status().state).toBe('ready');
  });

  it('that is no message goes to the log', async () => {
    const server = fixture.scripted(['garbage', 'stderr-flood=300']);
    await server.connect(NEVER);
    await until(() => fixture.log.some((line) => line.startsWith('test stderr line 299')));
    expect(fixture.log).toContain('test stdout listening on nothing');
    expect(server.status().lastStderr?.length).toBeLessThanOrEqual(2000);
  });

  it.each(['legacy', 'modern'])('reaches the caller as it came: %s', async (era) => {
    const server = fixture.scripted(era === 'modern' ? ['modern-only'] : []);
    expect(await call(server, 'odd_blocks')).toMatchObject({
      content: [{ text: 'good' }, { type: 'hologram' }, { data: '%%%' }, null, 7],
      structuredContent: 'a text',
    });
    expect(await call(server, 'fail')).toMatchObject({ isError: true });
  });

  it('may be 20 MB', async () => {
    const server = fixture.scripted([]);
    expect(textOf(await call(server, 'big', { bytes: 20_000_000 }))).toHaveLength(20_000_000);
  });

  it('costs one call when it is beyond the limit', async () => {
    const server = fixture.scripted([], { limits: { messageBytes: 2_000_000 } });
    const [failure, other] = await Promise.all([
      failureOf(call(server, 'endless_line', { bytes: 5_000_000 })),
      call(server, 'slow', { ms: 300 }),
    ]);
    expect(failure).toMatchObject({
      code: 'mcp_error',
      message: expect.stringContaining('too long: more than 1.9 MB'),
    });
    expect(textOf(other)).toBe('slow done');
  });

  it.each([
    ['an answer', {}],
    ['what is no message', { of: 'x' }],
    ['an answer whose id comes last', { of: '{"result":{"content":[{"type":"text","text":"' }],
  ])('ends the call at once when its line has no end: %s', async (_, args) => {
    const server = fixture.scripted([], { limits: { messageBytes: 2_000_000 }, definition: { timeoutMs: 600_000 } });
    // The line begins when no other answer can come within it.
    await call(server, 'echo');
    const failure = await failureOf(call(server, 'no_end', args));
    expect(failure).toMatchObject({ code: 'mcp_error', message: expect.stringContaining('more than 1.9 MB') });
    await until(() => server.status().state === 'lost');
    expect(server.status().reason).toMatch(/is gone: it wrote a line without an end: [\d.]+ MB so far\.$/);
    expect(textOf(await call(server, 'echo', { text: 'again' }))).toBe('again');
  });

  it('ends all calls when a line without an end is none of theirs', async () => {
    const server = fixture.scripted([], { limits: { messageBytes: 2_000_000 }, definition: { timeoutMs: 600_000 } });
    await call(server, 'echo');
    const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"';
    const failures = await Promise.all([
      failureOf(call(server, 'never')),
      failureOf(call(server, 'no_end', { of: log })),
    ]);
    for (const { message } of failures) expect(message).toContain('a line without an end');
  });

  it.each([
    ['error', 'error -32000: out of paper'],
    ['invalid_error', 'an error without a message'],
    ['invalid_result', 'its answer is unsound: the result is a string'],
    ['no_such_tool', 'Unknown tool: no_such_tool'],
  ])('%s is an error at once', async (tool, message) => {
    const server = fixture.scripted([]);
    const failure = await failureOf(call(server, tool));
    expect(failure).toMatchObject({ code: 'mcp_error', message: expect.stringContaining(message) });
    expect(failure.message).not.toContain('\n');
  });
});

describe('a call', () => {
  it('tells progress, with the last before the result', async () => {
    const server = fixture.scripted([]);
    for (const tool of ['progress', 'progress_and_result']) {
      const told: ServerProgress[] = [];
      await server.callTool(tool, {}, { signal: NEVER, onProgress: (progress) => told.push(progress) });
      const last = told.at(-1);
      expect(last?.progress).toBe(last?.total);
    }
  });

  it('tells no more progress than can be shown', async () => {
    const server = fixture.scripted([]);
    const told: ServerProgress[] = [];
    const onProgress = (progress: ServerProgress): number => told.push(progress);
    const startedAt = Date.now();
    await server.callTool('progress', { steps: 500, ms: 1 }, { signal: NEVER, onProgress });
    expect(told.length).toBeLessThan((Date.now() - startedAt) / 100 + 3);
    expect(told.at(-1)).toEqual({ progress: 500, total: 500, message: 'step 500' });
  });

  it('ends when the server shows no life, and the connection lives', async () => {
    const server = fixture.scripted([], { definition: { timeoutMs: 1000 } });
    const failure = await failureOf(call(server, 'never'));
    expect(failure).toMatchObject({
      code: 'mcp_timeout',
      message: expect.stringContaining('no sign of life for 1 s'),
    });
    const seen = await seenBy(server);
    expect(seen.cancelled).toHaveLength(1);
    expect(seen.calls).toBe(2);
  });

  it('lives on progress, but not for ever', async () => {
    const server = fixture.scripted([], { definition: { timeoutMs: 1200, longestMs: 3000 } });
    await server.callTool('progress', { steps: 5, ms: 400 }, { signal: NEVER });
    const failure = await failureOf(call(server, 'progress_forever'));
    expect(failure).toMatchObject({ code: 'mcp_timeout', message: expect.stringContaining('not done after 3 s') });
  });

  it.each(['legacy', 'modern'])('that is aborted is cancelled at the server: %s', async (era) => {
    const server = fixture.scripted(era === 'modern' ? ['modern-only'] : []);
    await server.connect(NEVER);
    const stop = new AbortController();
    const aborted = call(server, 'late_answer', {}, stop.signal);
    setTimeout(() => stop.abort(new Error('not any more')), 100);
    await expect(aborted).rejects.toThrow('not any more');
    await call(server, 'slow', { ms: 150 });
    expect((await seenBy(server)).cancelled).toHaveLength(1);
    expect(server.status().state).toBe('ready');
  });

  it('that the server dies of may or may not have been done', async () => {
    const server = fixture.scripted([]);
    const failure = await failureOf(call(server, 'die'));
    expect(failure).toMatchObject({ code: 'mcp_unavailable' });
    expect(failure.message).toContain('may or may not have been done');
    expect(failure.message).toContain('exit code 5');
    expect(server.status().state).toBe('lost');
    expect(textOf(await call(server, 'echo', { text: 'again' }))).toBe('again');
  });

  it('is repeated once where that does no harm', async () => {
    const server = fixture.scripted([]);
    const flag = join(folder, 'flag');
    const result = await server.callTool('die_once', { flag }, { signal: NEVER, mayRepeat: true });
    expect(textOf(result)).toBe('alive');
    expect((await failureOf(server.callTool('die', {}, { signal: NEVER, mayRepeat: true }))).code).toBe(
      'mcp_unavailable',
    );
  });

  it('that has another in flight does not wait for it', async () => {
    const server = fixture.scripted([]);
    const slow = call(server, 'slow', { ms: 500 });
    expect(textOf(await call(server, 'echo', { text: 'first' }))).toBe('first');
    expect(textOf(await slow)).toBe('slow done');
  });

  it('sees the environment that was given, and no more', async () => {
    const server = fixture.scripted([]);
    const names = Object.keys(JSON.parse(textOf(await call(server, 'env'))) as object);
    expect(names.filter((name) => !['PATH', 'TENON_CALL_ID'].includes(name))).toEqual([]);
  });
});

describe('a task', () => {
  it.each(['legacy', 'modern'])('is awaited: %s', async (era) => {
    const server = fixture.scripted(era === 'modern' ? ['modern-only'] : []);
    expect(textOf(await server.callTool('task', {}, { signal: NEVER, asTask: true }))).toBe('task done');
  });

  it('that fails is an error', async () => {
    const server = fixture.scripted(['modern-only']);
    const failure = await failureOf(server.callTool('task', { fails: true }, { signal: NEVER, asTask: true }));
    expect(failure).toMatchObject({ code: 'mcp_error', message: expect.stringContaining('task broke') });
  });

  it('is cancelled with the call', async () => {
    const server = fixture.scripted([]);
    const stop = new AbortController();
    const task = server.callTool(
      'task',
      { forever: true },
      // It is told each time that the task was looked at.
      { signal: stop.signal, asTask: true, onProgress: () => stop.abort(new Error('enough')) },
    );
    await expect(task).rejects.toThrow('enough');
    await expect.poll(async () => (await seenBy(server)).cancelled).toContainEqual({ taskId: 'task-1' });
  });
});

describe('changes', () => {
  it.each([[['storm=1000']], [['storm-after-list']]])('are told a few times only: %s', async (words) => {
    const server = fixture.scripted(words);
    let told = 0;
    server.onChange(({ kind }) => {
      if (kind !== 'tools') return;
      told++;
      void server.listTools(NEVER).catch(() => undefined);
    });
    await server.listTools(NEVER);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThanOrEqual(5);
  });

  it('of resources are told, also after a reconnect', async () => {
    const server = fixture.scripted([]);
    await server.subscribe('scripted://one', NEVER);
    await failureOf(call(server, 'die'));
    expect((await seenBy(server)).subscribed).toEqual(['scripted://one']);
    await server.unsubscribe('scripted://one', NEVER);
    expect((await seenBy(server)).subscribed).toEqual([]);
  });

  it('are listened to again and again, but with pauses', async () => {
    const server = fixture.scripted(['modern-only', 'listen-cut']);
    let listens = 0;
    while (listens < 4) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      listens = (await seenBy(server)).listens ?? 0;
    }
    expect(listens).toBeLessThan(8);
  });
});

describe('a server that asks', () => {
  it('gets roots, a ping, and a refusal of the unknown', async () => {
    const server = fixture.scripted(['requests-at-start']);
    await server.connect(NEVER);
    await call(server, 'slow', { ms: 100 });
    const { asked } = await seenBy(server);
    expect(asked.toSorted((one, other) => (one.method < other.method ? 1 : -1))).toMatchObject([
      { method: 'strange/request', error: { code: -32_601 } },
      { method: 'roots/list', result: { roots: [{ uri: 'file:///workspace' }] } },
      { method: 'ping', result: {} },
    ]);
  });

  it('is told that the roots changed', async () => {
    const clients = fixture.clients([stdioDefinition(SCRIPTED_SERVER)]);
    const [server] = clients.servers;
    if (server === undefined) throw new Error('no server');
    await server.connect(NEVER);
    clients.rootsChanged();
    await call(server, 'slow', { ms: 50 });
    expect((await seenBy(server)).notes).toContain('notifications/roots/list_changed');
  });

  it.each(['legacy', 'modern'])('gets an answer of the person, who may take longer than the call: %s', async (era) => {
    const questions: unknown[] = [];
    const server = fixture.scripted(era === 'modern' ? ['modern-only'] : [], {
      definition: { timeoutMs: 1000 },
      host: {
        ask: async (_alias, question) => {
          questions.push(question);
          await new Promise((resolve) => setTimeout(resolve, 1700));
          return question.kind === 'url' ? { action: 'decline' } : { action: 'accept', content: { colour: 'blue' } };
        },
      },
    });
    expect(JSON.parse(textOf(await call(server, 'ask')))).toEqual({ action: 'accept', content: { colour: 'blue' } });
    expect(JSON.parse(textOf(await call(server, 'ask_url')))).toEqual({ action: 'decline' });
    expect(questions).toMatchObject([
      { kind: 'form', message: 'Which colour?' },
      // The newer revision has no id for it.
      { kind: 'url', url: 'https://example.invalid/pay?x=1', id: era === 'modern' ? '' : 'pay-1' },
    ]);
  });

  it.each(['accept', 'decline'] as const)('may need a page to be opened before the call: %s', async (action) => {
    const done: string[] = [];
    const server = fixture.scripted([], {
      host: { ask: async () => ({ action }), asked: (_alias, id) => done.push(id) },
    });
    const called = call(server, 'page');
    if (action === 'accept') {
      expect(textOf(await called)).toBe('paid');
      // The call went on by itself: nobody else waits for it.
      expect(done).toEqual([]);
    } else {
      expect((await failureOf(called)).message).toContain('which the person declined');
      await until(() => done.includes('pay-2'));
    }
  });

  it('is told what nobody does for it', async () => {
    const server = fixture.scripted([], { host: { sample: async () => ({}) } });
    const { capabilities } = await seenBy(server);
    expect(Object.keys(capabilities)).toEqual(['roots']);
    expect(JSON.parse(textOf(await call(server, 'ask')))).toMatchObject({ error: { code: -32_601 } });
  });

  it('gets the help of the model where that is allowed', async () => {
    const server = fixture.scripted([], {
      definition: { sampling: true },
      host: { sample: async () => ({ model: 'm', role: 'assistant', content: { type: 'text', text: 'yes' } }) },
    });
    expect(JSON.parse(textOf(await call(server, 'sample')))).toMatchObject({ content: { text: 'yes' } });
  });

  it('has its log kept', async () => {
    const server = fixture.scripted([]);
    await call(server, 'log');
    expect(fixture.log).toEqual(expect.arrayContaining(['test warning paper: {"tray":2}', 'test info plain']));
  });
});

describe('the end', () => {
  it('ends a program that does not want to, with its child', async () => {
    const server = fixture.scripted(['ignore-end', 'child']);
    const { pid } = await seenBy(server);
    await until(() => fixture.log.some((line) => line.includes('child')));
    const child = Number(
      fixture.log
        .find((line) => line.includes('child'))
        ?.split(' ')
        .at(-1),
    );
    expect(isAlive(child)).toBe(true);
    await server.disconnect();
    expect(server.status().state).toBe('idle');
    await until(() => !isAlive(pid) && !isAlive(child));
  });

  it('while it is connecting is the end too', async () => {
    const server = fixture.scripted(['silent', 'ignore-end']);
    const connecting = failureOf(server.connect(NEVER));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.disconnect();
    expect((await connecting).code).toBe('mcp_unavailable');
    expect(server.status().state).toBe('idle');
  });

  it('fails what is under way', async () => {
    const server = fixture.scripted([]);
    await server.connect(NEVER);
    const under = failureOf(call(server, 'never'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.disconnect();
    expect((await under).code).toBe('mcp_unavailable');
  });

  it('is for good where the clients are closed', async () => {
    const clients = fixture.clients([stdioDefinition(SCRIPTED_SERVER)]);
    await clients.server('test')?.connect(NEVER);
    await clients.close();
    const server = clients.server('test');
    if (server === undefined) throw new Error('no server');
    expect((await failureOf(call(server, 'echo'))).code).toBe('mcp_unavailable');
  });
});
