import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  ndJsonStream,
  type ClientApp,
  type PromptResponse,
  type SessionUpdate,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, MAIN, programEnvironment, until, type Bench } from './cli-process.js';
import { EditorTerminals } from './editor-terminals.js';
import { isAlive } from './is-alive.js';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

interface Editor {
  readonly here: Bench;
  readonly terminals: EditorTerminals;
  readonly prompt: () => Promise<string>;
  readonly cancel: () => Promise<void>;
  readonly calls: () => ToolCallUpdate[];
  readonly notes: () => string;
  /** Ends Tenon as nothing can be caught. */
  readonly kill: () => Promise<unknown>;
  /** What Tenon left in the system's folder of temporary files. */
  readonly left: () => Promise<string[]>;
}

/** The built program behind an editor with terminals; the model runs the commands, one after the other. */
async function edit(
  commands: readonly string[],
  more?: (app: ClientApp) => ClientApp,
  terminals = new EditorTerminals(),
): Promise<Editor> {
  const turns = commands.map((command, at) => ({
    toolCalls: [{ id: `call-${at}`, name: 'run_shell_command', arguments: { command, description: 'x' } }],
  }));
  const here = await createBench([...turns, { text: 'Done.' }], { settings: '{"tools": {"approvalMode": "yolo"}}' });
  cleanUps.push(() => here.end());
  const child = spawn(process.execPath, [MAIN, 'acp', '--approval-mode', 'yolo'], {
    cwd: here.workspace,
    env: { ...programEnvironment(here), TMPDIR: path.dirname(here.workspace) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const finished = new Promise((resolve) => child.on('close', resolve));
  const updates: SessionUpdate[] = [];
  const app = client({ name: 'editor' }).onNotification(
    'session/update',
    ({ params }) => void updates.push(params.update),
  );
  const { agent } = (more ?? terminals.answers)(app).connect(
    ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ),
  );
  cleanUps.push(async () => {
    child.stdin.end();
    child.kill('SIGTERM');
    await finished;
  });
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: { terminal: true } });
  const { sessionId } = await agent.request('session/new', { cwd: here.workspace, mcpServers: [] });
  return {
    here,
    terminals,
    prompt: async () => {
      const prompt = [{ type: 'text' as const, text: 'Go' }];
      const answered: PromptResponse = await agent.request('session/prompt', { sessionId, prompt });
      return answered.stopReason;
    },
    cancel: () => agent.notify('session/cancel', { sessionId }),
    calls: () => updates.flatMap((update) => (update.sessionUpdate === 'tool_call_update' ? [update] : [])),
    notes: () =>
      updates
        .flatMap((update) => (update.sessionUpdate === 'agent_message_chunk' ? [update.content] : []))
        .map((content) => (content.type === 'text' ? content.text : ''))
        .join(''),
    kill: () => {
      child.kill('SIGKILL');
      return finished;
    },
    left: async () => (await readdir(path.dirname(here.workspace))).filter((name) => name.startsWith('tenon-')),
  };
}

const lastOf = (calls: readonly ToolCallUpdate[]): ToolCallUpdate | undefined => calls.at(-1);

describe('a command that runs while the editor offers terminals', () => {
  it('is shown in one, live, with its colours and its exit code, and the call keeps it', async () => {
    const { terminals, prompt, calls, left, here } = await edit([
      String.raw`echo one; until [ -e go ]; do sleep 0.05; done; printf '\033[31mtwo\033[0m\033]0;title\007\n'; exit 3`,
    ]);
    const answer = prompt();
    await until(() => terminals.all[0]?.output() === 'one\n', 'the terminal shows something');
    await writeFile(path.join(here.workspace, 'go'), '');
    expect(await answer).toBe('end_turn');
    const [terminal] = terminals.all;
    expect(terminals.all).toHaveLength(1);
    expect(terminal?.output()).toBe('one\n\u001b[31mtwo\u001b[0m\n');
    expect(await terminal?.exited).toEqual({ exitCode: 3, signal: null });
    expect(terminal?.isReleased).toBe(true);
    const shown = calls().filter(({ content }) => content !== undefined);
    for (const { content } of shown.slice(-2))
      expect(content).toEqual([{ type: 'terminal', terminalId: 'terminal-1' }]);
    expect(lastOf(calls())).toMatchObject({ status: 'completed', rawOutput: { exitCode: 3 } });
    expect(JSON.stringify(here.model.requests.at(-1)?.body.messages)).toContain('Exit code: 3');
    expect(await left()).toEqual([]);
  });

  it('is released when the program in it has exited, not when its output has ended', async () => {
    const slowly = ['sh', '-c', '"$@"; code=$?; sleep 0.3; exit $code', 'sh'];
    const command = 'echo one; until [ -e go ]; do sleep 0.05; done; exit 3';
    const { terminals, prompt, here } = await edit([command], undefined, new EditorTerminals(slowly));
    const answer = prompt();
    await until(() => terminals.all[0]?.output() === 'one\n', 'the terminal shows something');
    await writeFile(path.join(here.workspace, 'go'), '');
    expect(await answer).toBe('end_turn');
    expect(await terminals.all[0]?.exited).toEqual({ exitCode: 3, signal: null });
    expect(terminals.all[0]?.isReleased).toBe(true);
  });

  it('has none when it is over soon', async () => {
    const { terminals, prompt, calls } = await edit(['echo quick']);
    await prompt();
    expect(terminals.all).toEqual([]);
    expect(JSON.stringify(lastOf(calls())?.content)).toContain('quick');
  });

  it('is shown whole, however much it prints', async () => {
    const { terminals, prompt, here } = await edit([
      'echo one; until [ -e go ]; do sleep 0.05; done; yes 0123456789abcde | head -c 10485760; echo end',
    ]);
    const answer = prompt();
    await until(() => terminals.all[0]?.output() === 'one\n', 'the terminal shows something');
    await writeFile(path.join(here.workspace, 'go'), '');
    await answer;
    const output = terminals.all[0]?.output() ?? '';
    expect(output).toHaveLength(10 * 1024 * 1024 + 8);
    expect(output.endsWith('0123456789abcde\nend\n')).toBe(true);
  });

  it('ends with all it started when the turn is cancelled, and so does what follows it', async () => {
    const { terminals, prompt, cancel, calls } = await edit(['sleep 60 & echo $!; wait']);
    const answer = prompt();
    await until(() => /\d+\n/.test(terminals.all[0]?.output() ?? ''), 'the terminal shows something');
    await cancel();
    expect(await answer).toBe('cancelled');
    await until(() => !isAlive(Number(terminals.all[0]?.output().split('\n')[0])), 'the command has ended');
    expect(terminals.all[0]?.output()).toContain('[It was stopped.]');
    expect((await terminals.all[0]?.exited)?.exitCode).not.toBe(0);
    expect(lastOf(calls())).toMatchObject({ status: 'failed', content: [{ type: 'terminal' }] });
  });

  it('is stopped by closing its terminal; the turn goes on, and the model knows who it was', async () => {
    const { terminals, prompt, calls, here } = await edit(['echo $$; sleep 60']);
    const answer = prompt();
    await until(() => /\d+\n/.test(terminals.all[0]?.output() ?? ''), 'the terminal shows something');
    terminals.all[0]?.child.kill('SIGKILL');
    expect(await answer).toBe('end_turn');
    await until(() => !isAlive(Number(terminals.all[0]?.output().split('\n')[0])), 'the command has ended');
    expect(lastOf(calls())).toMatchObject({ status: 'failed', _meta: { tenon: { status: 'cancelled' } } });
    expect(JSON.stringify(here.model.requests.at(-1)?.body.messages)).toContain('The user stopped the command');
  });

  it.each<[string, (app: ClientApp) => ClientApp]>([
    [
      'cannot make one',
      (app) =>
        app.onRequest('terminal/create', () => {
          throw new Error('no room');
        }),
    ],
    [
      'is on another machine, where nothing can be followed',
      (app) =>
        app
          .onRequest('terminal/create', () => ({ terminalId: 'elsewhere' }))
          .onRequest('terminal/wait_for_exit', () => ({ exitCode: 69 }))
          .onRequest('terminal/release', () => ({})),
    ],
  ])('shows its output itself when the editor %s, and the person is told once', async (_, more) => {
    const { prompt, calls, notes } = await edit(['echo first; sleep 1; echo over', 'echo second; sleep 0.6'], more);
    expect(await prompt()).toBe('end_turn');
    expect(notes().match(/terminal could not show/g)).toHaveLength(1);
    const contents = JSON.stringify(calls().map(({ content }) => content));
    expect(contents).not.toContain('"terminal"');
    expect(contents).toContain('over');
    expect(contents).toContain('second');
  });

  it('is followed no longer than there is Tenon, and nothing is left of that', async () => {
    const { terminals, prompt, kill, left, here } = await edit(['echo $$ > pid; echo here; sleep 30']);
    prompt().catch(() => undefined);
    await until(() => terminals.all[0]?.output() === 'here\n', 'the terminal shows something');
    await kill();
    expect(await terminals.all[0]?.exited).toEqual({ exitCode: 70, signal: null });
    expect(await left()).toEqual([]);
    process.kill(Number(await readFile(path.join(here.workspace, 'pid'), 'utf8')), 'SIGKILL');
  });
});
