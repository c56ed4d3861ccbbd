import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetch } from '../network/create-fetch.js';
import { CommandSupervisor } from '../process/command-supervisor.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { functionHook } from './function-hook.js';
import type { CommandHook, HookDefinition, HttpHook } from './hook-types.js';
import { HookRunner } from './hook-runner.js';
import type { HookOutcome } from './merge-runs.js';

let workspace: TempWorkspace;
let supervisor: CommandSupervisor;
let server: Server | undefined;
const network = createFetch({ environment: {} });
const never = new AbortController().signal;

beforeEach(async () => {
  workspace = await createTempWorkspace({});
  supervisor = new CommandSupervisor();
});
afterEach(async () => {
  supervisor.endAll();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  await workspace.remove();
});

const COMMON = { event: 'PreToolUse', origin: 'here', timeoutMs: 20_000, failClosed: false, dialect: 'tenon' } as const;

function command(text: string, more: Partial<CommandHook> = {}): CommandHook {
  return { ...COMMON, kind: 'command', name: text.slice(0, 20), command: text, ...more };
}

function node(code: string, more: Partial<CommandHook> = {}): CommandHook {
  return { ...COMMON, kind: 'command', name: 'node', command: process.execPath, args: ['-e', code], ...more };
}

function http(url: string, more: Partial<HttpHook> = {}): HttpHook {
  return { ...COMMON, kind: 'http', name: 'http', url, headers: {}, allowedEnvVars: [], ...more };
}

async function ask(
  list: readonly HookDefinition[],
  signal = never,
  input: object = { command: 'ls' },
): Promise<HookOutcome> {
  const runner = new HookRunner({
    list,
    connect: supervisor.connect,
    environment: { PATH: process.env['PATH'] ?? '', TOKEN: 'secret', OTHER: 'other', KEY: 'hush\nhush' },
    shell: { program: 'bash' },
    folder: workspace.root,
    roots: [workspace.root],
    home: workspace.root,
    fetch: network.fetch,
    session: () => ({ sessionId: 's1', transcriptPath: '/log.jsonl', approvalMode: 'auto_edit' }),
  });
  const facts = { tool_name: 'run_shell_command', tool_input: input, tool_use_id: 'c1' };
  const matched = { kind: 'call', toolName: 'run_shell_command', displayName: 'Shell', effects: [] } as const;
  return runner.run({ event: 'PreToolUse', facts, matched, callId: 'c1' }, signal);
}

function isRunning(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

async function serve(
  answer: (
    body: string,
    headers: NodeJS.Dict<string | string[]>,
  ) => { status?: number; text: string; location?: string },
) {
  const made = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { status = 200, text, location } = answer(body, request.headers);
      response.writeHead(status, location === undefined ? {} : { location });
      response.end(text);
    });
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/hook`;
}

describe('a hook that is a program', () => {
  it('is told of the call and the session, and finds the project', async () => {
    await ask([
      command('cat > in.json; printf "%s %s %s" "$TENON_PROJECT_DIR" "$CLAUDE_PROJECT_DIR" "$QWEN_PROJECT_DIR" > dirs'),
    ]);
    expect(JSON.parse(readFileSync(workspace.path('in.json'), 'utf8'))).toEqual({
      hook_event_name: 'PreToolUse',
      session_id: 's1',
      transcript_path: '/log.jsonl',
      cwd: workspace.root,
      permission_mode: 'auto_edit',
      tool_name: 'run_shell_command',
      tool_input: { command: 'ls' },
      tool_use_id: 'c1',
    });
    expect(readFileSync(workspace.path('dirs'), 'utf8')).toBe(Array(3).fill(workspace.root).join(' '));
  });

  it('of Claude Code reads that agent\u2019s names', async () => {
    await ask([command('cat > in.json', { dialect: 'claude' })], never, { absolute_path: '/a' });
    expect(JSON.parse(readFileSync(workspace.path('in.json'), 'utf8'))).toMatchObject({
      tool_name: 'Bash',
      tool_input: { file_path: '/a' },
      permission_mode: 'acceptEdits',
    });
  });

  it('blocks with exit code 2 and its stderr', async () => {
    const outcome = await ask([command('echo "not on main" >&2; exit 2')]);
    expect(outcome).toMatchObject({ decision: 'deny' });
    expect(outcome.reason).toContain('not on main');
    expect(outcome.events).toMatchObject([{ type: 'hook-run', callId: 'c1', outcome: 'denied' }]);
  });

  it('that hangs is ended with all that it started, and told', async () => {
    const outcome = await ask([command('sleep 300 & echo $! > pid; wait', { timeoutMs: 1500 })]);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.events[0]).toMatchObject({ outcome: 'failed' });
    expect(outcome.events[0]?.problem).toContain('did not end within 1.5 s');
    expect(isRunning(Number(readFileSync(workspace.path('pid'), 'utf8')))).toBe(false);
  });

  it('that leaves children behind does not keep anybody waiting, and they end', async () => {
    const outcome = await ask([command('(setsid sleep 300 & echo $! > pid) ; sleep 300 & echo $! > pid2; echo "{}"')]);
    expect(outcome.events[0]).toMatchObject({ outcome: 'passed' });
    for (const file of ['pid', 'pid2'])
      expect(isRunning(Number(readFileSync(workspace.path(file), 'utf8')))).toBe(false);
  });

  it('that prints without end is ended', async () => {
    const outcome = await ask([
      node('const b = Buffer.alloc(1e6, 120); for (let i = 0; i < 100; i++) process.stdout.write(b);'),
    ]);
    expect(outcome.events[0]?.problem).toContain('printed more than 1 MB');
  });

  it('that prints 100 MB of errors is read to its end', async () => {
    const outcome = await ask([
      node(
        'const b = Buffer.alloc(1e6, 120); for (let i = 0; i < 100; i++) require("fs").writeSync(2, b); process.exitCode = 2',
      ),
    ]);
    expect(outcome.decision).toBe('deny');
    expect(outcome.reason?.length).toBeLessThan(110_000);
  });

  it.each([
    ['crashes', 'throw new Error("boom")'],
    ['kills itself', 'process.kill(process.pid, "SIGKILL")'],
    ['answers half an object', 'console.log("{\\"decision\\":")'],
    ['answers with wrong types', 'console.log(JSON.stringify({ hookSpecificOutput: 5 }))'],
  ])('that %s stops nothing, unless it fails closed', async (_what, code) => {
    const open = await ask([node(code)]);
    expect(open.decision).toBeUndefined();
    expect(open.events[0]).toMatchObject({ outcome: 'failed' });
    const closed = await ask([node(code, { failClosed: true })]);
    expect(closed).toMatchObject({ decision: 'deny' });
    expect(closed.reason).toContain('it failed');
  });

  it('that is not there is told', async () => {
    const outcome = await ask([command('x', { command: 'no-such-program-here', args: [] })]);
    expect(outcome.events[0]?.problem).toContain('no-such-program-here');
  });

  it('need not read what it is told', async () => {
    const outcome = await ask([command('exec 0<&-; exit 0')], never, { command: 'x'.repeat(3_000_000) });
    expect(outcome.events[0]).toMatchObject({ outcome: 'passed' });
  });

  it('ends with the call', async () => {
    const stop = new AbortController();
    const asked = ask([command('echo $$ > pid; sleep 300')], stop.signal);
    while (spawnSync('test', ['-s', workspace.path('pid')]).status !== 0) await new Promise((go) => setTimeout(go, 20));
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(isRunning(Number(readFileSync(workspace.path('pid'), 'utf8')))).toBe(false);
  });

  it('runs beside the others', async () => {
    const startedAt = performance.now();
    const outcome = await ask(Array.from({ length: 4 }, (_, index) => command('sleep 0.5', { name: `n${index}` })));
    expect(performance.now() - startedAt).toBeLessThan(1900);
    expect(outcome.events.map(({ name }) => name)).toEqual(['n0', 'n1', 'n2', 'n3']);
  });
});

describe('a hook that is an address', () => {
  it('gets the input posted, and answers in JSON', async () => {
    let seen: { body: string; authorization: unknown; other: unknown } | undefined;
    const url = await serve((body, headers) => {
      seen = { body, authorization: headers['authorization'], other: headers['x-other'] };
      return { text: '{"hookSpecificOutput": {"permissionDecision": "ask", "permissionDecisionReason": "hm"}}' };
    });
    const headers = { Authorization: 'Bearer ${TOKEN}', 'X-Other': '[$OTHER]' };
    const outcome = await ask([http(url, { headers, allowedEnvVars: ['TOKEN'] })]);
    expect(outcome).toMatchObject({ decision: 'ask', reason: 'the hook "http": hm' });
    expect(seen).toMatchObject({ authorization: 'Bearer secret', other: '[]' });
    expect(JSON.parse(seen?.body ?? '')).toMatchObject({ hook_event_name: 'PreToolUse' });
  });

  it.each([
    ['an error', { status: 500, text: '{"decision": "block"}' }, 'status 500'],
    ['a redirect', { status: 307, text: '', location: 'http://169.254.169.254/' }, 'status 307'],
    ['too much', { text: 'x'.repeat(2_000_000) }, 'more than 1 MB'],
  ])('is not believed with %s', async (_what, answer, problem) => {
    const outcome = await ask([http(await serve(() => answer))]);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.events[0]?.problem).toContain(problem);
  });

  it.each([
    'http://example.com/',
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'file:///etc/passwd',
    'https://u:p@example.com/',
  ])('is never %s', async (url) => {
    expect((await ask([http(url)])).events[0]?.problem).toContain('is not used');
  });

  it('does not tell a variable that no header can hold', async () => {
    const headers = { Authorization: 'Bearer ${KEY}' };
    const outcome = await ask([http(await serve(() => ({ text: '' })), { headers, allowedEnvVars: ['KEY'] })]);
    expect(outcome.events[0]).toMatchObject({
      outcome: 'failed',
      problem: expect.stringContaining('Authorization') as string,
    });
    expect(JSON.stringify(outcome)).not.toContain('hush');
  });

  it('that does not answer is given up', async () => {
    const made = createServer(() => undefined);
    server = made;
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(made.address() as AddressInfo).port}/`;
    expect((await ask([http(url, { timeoutMs: 200 })])).events[0]?.problem).toContain('did not end within 0.2 s');
  });
});

describe('a hook that is a function', () => {
  it('answers as others do, and cannot change what it is told', async () => {
    const input = { command: 'ls' };
    const hook = functionHook({
      event: 'PreToolUse',
      run: (told) => {
        Object.assign(told.tool_input, { command: 'rm' });
        return { permissionDecision: 'deny', permissionDecisionReason: told.tool_use_id };
      },
    });
    const outcome = await ask([hook], never, input);
    expect(outcome.reason).toContain('c1');
    expect(input).toEqual({ command: 'ls' });
  });

  it('is told what can be written as JSON, as others are', async () => {
    let told: unknown;
    const hook = functionHook({ event: 'PreToolUse', run: ({ tool_input }) => void (told = tool_input) });
    const { events } = await ask([hook], never, { a: 1, toJSON: () => ({ a: 1 }) });
    expect(events[0]?.outcome).toBe('passed');
    expect(told).toEqual({ a: 1 });
  });

  it('that throws, hangs or lies is a failure', async () => {
    const hooks = [
      functionHook({
        event: 'PreToolUse',
        run: () => {
          throw new Error('boom');
        },
      }),
      functionHook({ event: 'PreToolUse', timeoutMs: 50, run: () => new Promise<undefined>(() => undefined) }),
      functionHook({ event: 'PreToolUse', run: () => JSON.parse('7') as undefined }),
    ];
    const { events, decision } = await ask(hooks);
    expect(decision).toBeUndefined();
    expect(events.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed']);
  });
});
