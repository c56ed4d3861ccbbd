import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Validator } from '@cfworker/json-schema';
import type { AgentEvent } from '@tenon/core';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { createBench, eventsIn, MAIN, until, type Bench, type BenchOptions } from './cli-process.js';
import { isAlive } from './is-alive.js';

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

async function open(turns: readonly (ScriptedTurn | TurnFunction)[], options?: BenchOptions): Promise<Bench> {
  bench = await createBench(turns, options);
  return bench;
}

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  text: 'One moment.',
  toolCalls: [{ name, arguments: args }],
});
const shell = (command: string): ScriptedTurn => call('run_shell_command', { command, description: 'for the test' });

describe('text', () => {
  it('writes nothing but the answer to stdout, and what runs to stderr (S25)', async () => {
    const { run, workspace } = await open(
      [
        () => call('edit', { file_path: path.join(here(), 'a.txt'), old_string: 'two', new_string: 'TWO' }),
        { text: 'Done, with ünïcode and \u001b[31mcolour.' },
      ],
      { files: { 'a.txt': 'one\ntwo\nthree\n' } },
    );
    const { code, stdout, stderr } = await run(['-p', 'change it', '--approval-mode', 'auto_edit']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done, with ünïcode and \u001b[31mcolour.\n' });
    expect(stderr).toContain('● Edit');
    expect(stderr).toMatch(/-two/);
    expect(stderr).toMatch(/\+TWO/);
    expect(stderr).toContain('One moment.');
    expect(await readFile(path.join(workspace, 'a.txt'), 'utf8')).toBe('one\nTWO\nthree\n');
  });

  it('keeps stderr empty with --quiet', async () => {
    const { run } = await open([shell('echo hi'), { text: 'Done.' }]);
    expect(await run(['-q', '-p', 'x', '--allow', 'Bash(echo hi)'])).toEqual({
      code: 0,
      stdout: 'Done.\n',
      stderr: '',
    });
  });

  it('denies what nobody can approve, names the rule, tells the model, and ends with 4', async () => {
    const { run, model } = await open([shell('touch made'), { text: 'I could not.' }]);
    const { code, stdout, stderr } = await run(['-p', 'x']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: 'I could not.\n' });
    const rule = /to allow it: --allow '?([^'\n]+)'?/.exec(stderr)?.[1] ?? '';
    expect(rule).toContain('touch made');
    expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain('touch made');
    const again = await open([shell('touch made'), { text: 'Made.' }]);
    expect(await again.run(['-p', 'x', '--allow', rule])).toMatchObject({ code: 0, stdout: 'Made.\n' });
    await stat(path.join(again.workspace, 'made'));
  });

  it('puts piped text below the prompt', async () => {
    const { run, model } = await open([{ text: 'ok' }, { text: 'ok' }]);
    await run(['summarise'], { stdin: 'the input\n' });
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('summarise\\n\\n<stdin>\\nthe input\\n</stdin>');
    await run([], { stdin: 'only this' });
    expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain('only this');
  });

  it('sends along what the prompt names with @, but not what piped text names (S118)', async () => {
    const files = { 'a.txt': 'content of a', 'b.txt': 'content of b' };
    const { run, model } = await open([{ text: 'ok' }], { files });
    const { code, stderr } = await run(['compare @a.txt'], { stdin: 'a diff with @b.txt' });
    expect(code).toBe(0);
    expect(stderr).toContain('ReadManyFiles');
    const sent = JSON.stringify(model.requests[0]?.body.messages);
    expect(sent).toContain('content of a');
    expect(sent).not.toContain('content of b');
  });

  it('goes on when standard input is left open and silent', async () => {
    const { start } = await open([{ text: 'ok' }]);
    const { code, stderr } = await start(['-p', 'x'], { stdin: null }).finished;
    expect(code).toBe(0);
    expect(stderr).toContain('open but silent');
  });

  it('says what it waits for when a pipe stays open', async () => {
    const { model, workspace, tenonHome } = await open([{ text: 'ok' }]);
    const env = { PATH: process.env['PATH'] ?? '', TENON_HOME: tenonHome, OPENAI_BASE_URL: model.baseUrl };
    const command = 'sleep 4 | "$0" "$1" -p x';
    const child = spawn('sh', ['-c', command, process.execPath, MAIN], {
      cwd: workspace,
      env: { ...env, OPENAI_MODEL: 'm' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(stderr).toContain('waiting for standard input to end');
  });

  it('stops at --max-turns with 5', async () => {
    const turns = Array.from({ length: 9 }, (_value, index) => shell(`echo ${index}`));
    const { run, model } = await open(turns);
    const { code, stderr } = await run(['-p', 'x', '--max-turns', '3', '--allow', 'Bash(echo *)']);
    expect(code).toBe(5);
    expect(stderr).toContain('stopped after 3 turns');
    expect(model.requests).toHaveLength(3);
  });

  it('stops a model that repeats itself with 6', async () => {
    const { run } = await open(Array.from({ length: 40 }, () => shell('echo same')));
    expect((await run(['-p', 'x', '--allow', 'Bash(echo *)'])).code).toBe(6);
  });

  it('ends with 9 when the model refuses the request', async () => {
    const { run } = await open([{ error: { status: 401, message: 'bad key' } }]);
    const { code, stdout, stderr } = await run(['-p', 'x']);
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
    expect(stderr).toContain('the model failed');
    expect(stderr).not.toContain('sk-secret-key');
  });
});

describe('json', () => {
  it('prints one object at the end (S39)', async () => {
    const { run } = await open([shell('touch x'), { text: 'No.' }]);
    const { code, stdout } = await run(['-p', 'x', '--output-format', 'json']);
    expect(code).toBe(4);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'result',
      result: 'No.',
      stopReason: 'completed',
      exitCode: 4,
      sessionId: expect.stringMatching(/^[\w-]{8,}$/),
      turns: 2,
      toolCalls: 1,
      denials: [{ toolName: 'run_shell_command', rules: [expect.stringContaining('touch x')] }],
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
  });

  it('answers in JSON when the run cannot begin', async () => {
    const { run } = await open([]);
    const { code, stdout, stderr } = await run(['-p', 'x', '--output-format', 'json', '--cwd', 'nowhere']);
    expect(code).toBe(8);
    expect(JSON.parse(stdout)).toEqual({
      type: 'run-failed',
      exitCode: 8,
      message: expect.stringContaining('nowhere'),
    });
    expect(stderr).toContain('does not exist');
  });
});

describe('stream-json', () => {
  async function schema(): Promise<object> {
    const file = new URL('../packages/cli/schemas/events.schema.json', import.meta.url);
    return JSON.parse(await readFile(file, 'utf8')) as object;
  }

  it('writes every event as one line that the schema describes', async () => {
    const validator = new Validator(await schema(), '2020-12', false);
    const seen = new Set<string>();
    const { run, workspace } = await open(
      [
        () => ({
          thinking: 'Let me see.',
          text: 'Looking.',
          toolCalls: [
            { name: 'read_file', arguments: { absolute_path: path.join(here(), 'a.txt'), limit: '1' } },
            { name: 'list_directory', arguments: { path: here() } },
            { name: 'grep_search', arguments: { pattern: 'one' } },
            { name: 'no_such_tool', arguments: {} },
            { name: 'read_file', arguments: '{"absolute_path": "cut' },
          ],
        }),
        () => call('edit', { file_path: path.join(here(), 'a.txt'), old_string: 'one', new_string: 'ONE' }),
        () => call('write_file', { file_path: path.join(here(), 'b.txt'), content: 'b\n' }),
        call('todo_write', { todos: [{ id: '1', content: 'look', status: 'completed' }] }),
        shell('for i in 1 2 3; do echo $i; sleep 0.2; done'),
        shell('rm a.txt'),
        { error: { status: 503, headers: { 'retry-after': '0' } } },
        { text: 'Done \u202e\u009b.' },
      ],
      { files: { 'a.txt': 'one\ntwo\n' } },
    );
    const args = ['-p', 'x', '--output-format', 'stream-json', '--include-partial', '--approval-mode', 'auto_edit'];
    const { code, stdout } = await run([...args, '--allow', 'Bash(for *)', '--deny', 'Bash(rm *)']);
    expect(code).toBe(4);
    expect(stdout).not.toMatch(/[\u0080-\u009f\u202e\u001b]/);
    const events = eventsIn(stdout);
    for (const event of events) {
      seen.add(event.type);
      const result = validator.validate(event);
      expect(result.valid ? '' : `${JSON.stringify(event)}\n${JSON.stringify(result.errors)}`).toBe('');
    }
    expect(events[0]?.type).toBe('session-start');
    expect(events.at(-1)?.type).toBe('prompt-end');
    const wanted =
      'user-message turn-start text-delta thinking-delta model-retry assistant-message tool-call-start tool-call-end turn-end';
    expect(Array.from(seen)).toEqual(expect.arrayContaining(wanted.split(' ')));
    expect(await readFile(path.join(workspace, 'b.txt'), 'utf8')).toBe('b\n');
    const starts = events.filter((event) => event.type === 'tool-call-start').map((event) => event.callId);
    const ends = events.filter((event) => event.type === 'tool-call-end').map((event) => event.callId);
    expect(ends.toSorted()).toEqual(starts.toSorted());
  });

  it('documents every type of event, and refuses what it does not know', async () => {
    type DoorEvents = 'answer' | 'answer-missing' | 'prompt-start' | 'input-error' | 'run-failed';
    // A new type of event does not compile here until it is listed.
    const types: Record<AgentEvent['type'] | DoorEvents, true> = {
      'session-start': true,
      'user-message': true,
      'turn-start': true,
      'text-delta': true,
      'thinking-delta': true,
      'model-retry': true,
      'assistant-message': true,
      'tool-call-start': true,
      'hook-run': true,
      'approval-request': true,
      'approval-answer': true,
      'tool-call-update': true,
      'tool-call-end': true,
      'job-end': true,
      'job-wait': true,
      'subagent-start': true,
      'subagent-event': true,
      'subagent-end': true,
      compaction: true,
      'model-change': true,
      rewind: true,
      answer: true,
      'answer-missing': true,
      'prompt-start': true,
      'input-error': true,
      'turn-end': true,
      notice: true,
      'prompt-end': true,
      'run-failed': true,
    };
    const document = (await schema()) as { $defs: { event: { oneOf: { $ref: string }[] } } };
    const documented = document.$defs.event.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', ''));
    expect(documented.toSorted()).toEqual(Object.keys(types).toSorted());
    const validator = new Validator(document, '2020-12', false);
    expect(validator.validate({ type: 'text-delta', text: 'a' }).valid).toBe(true);
    expect(validator.validate({ type: 'text-delta', text: 'a', more: 1 }).valid).toBe(false);
    expect(validator.validate({ type: 'unheard-of' }).valid).toBe(false);
  });

  it('loses nothing of 50 MB when the reader is slow', async () => {
    // Told three times: as it comes, as a whole, and at the end.
    const long = Array.from({ length: 1_700_000 }, (_value, index) => `${String(index).padStart(9)} `).join('');
    const { start } = await open([{ text: long, chunkSize: 20_000 }]);
    const { child, finished } = start(['-p', 'x', '--output-format', 'stream-json', '--include-partial']);
    child.stdout?.pause();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    child.stdout?.resume();
    const { code, stdout } = await finished;
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(50_000_000);
    const events = eventsIn(stdout);
    const words = events.map((event) => (event.type === 'text-delta' ? event.text : ''));
    expect(words.join('') === long).toBe(true);
    const end = events.at(-1);
    expect(end?.type === 'prompt-end' && end.text === long).toBe(true);
  });

  it('leaves out what a later event repeats, unless it is asked for', async () => {
    const { run } = await open([shell('for i in 1 2 3; do echo $i; sleep 0.2; done'), { text: 'Done.' }]);
    const { stdout } = await run(['-p', 'x', '--output-format', 'stream-json', '--allow', 'Bash']);
    const partial = new Set(['text-delta', 'thinking-delta', 'tool-call-update']);
    expect(eventsIn(stdout).filter(({ type }) => partial.has(type))).toEqual([]);
    expect(eventsIn(stdout).at(-1)).toMatchObject({ type: 'prompt-end', text: 'Done.' });
  });
});

describe('limits of one prompt', () => {
  it('ends with 5 when the time is used up, and says so', async () => {
    const { run } = await open([{ text: 'a', hangAfterChunks: 1 }]);
    const { code, stdout } = await run(['-p', 'x', '--max-seconds', '1', '--output-format', 'json']);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: 'max-seconds', exitCode: 5 });
  });

  it('ends with 5 when the calls or the money are used up', async () => {
    const turns = Array.from({ length: 5 }, (_value, index) => shell(`echo ${index}`));
    const settings = '{"model": {"prices": {"input": 1000, "output": 1000}}}';
    const { run } = await open([...turns, ...turns], { settings });
    const args = ['-p', 'x', '--allow', 'Bash(echo *)', '--output-format', 'json'];
    const calls = await run([...args, '--max-calls', '2']);
    expect(calls.code).toBe(5);
    expect(JSON.parse(calls.stdout)).toMatchObject({ stopReason: 'max-tool-calls', toolCalls: 2 });
    const cost = await run([...args, '--max-cost', '0.001']);
    expect(cost.code).toBe(5);
    expect(JSON.parse(cost.stdout)).toMatchObject({ stopReason: 'max-cost' });
  });
});

describe('lines of a program', () => {
  const lines = (...messages: object[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

  it('ends when its input ends, and not while that is open', async () => {
    const { start, model } = await open([{ text: 'one' }, { text: 'two' }]);
    const { child, finished } = start(['--input-format', 'stream-json'], { stdin: null });
    child.stdin?.write(lines({ type: 'user', text: 'x' }));
    await until(() => model.requests.length === 1, 'the first prompt');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(child.exitCode).toBeNull();
    child.stdin?.end(lines({ type: 'user', text: 'y' }));
    const { code, stdout } = await finished;
    expect(code).toBe(0);
    expect(stdout).toContain('"text":"two"');
  });

  it('ends at "end" and at an interruption, though the input stays open', async () => {
    const first = await open([{ text: 'one' }]);
    const ended = first.start(['--input-format', 'stream-json'], { stdin: null });
    ended.child.stdin?.write(lines({ type: 'user', text: 'x' }, { type: 'end' }));
    expect((await ended.finished).code).toBe(0);
    await first.end();
    const { start, model } = await open([{ text: 'one', hangAfterChunks: 0 }]);
    const interrupted = start(['--input-format', 'stream-json'], { stdin: null });
    interrupted.child.stdin?.write(lines({ type: 'user', text: 'x' }));
    await until(() => model.requests.length === 1, 'the request');
    interrupted.child.kill('SIGINT');
    expect((await interrupted.finished).code).toBe(130);
  });
});

describe('--json-schema', () => {
  const schema = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}';

  it('prints the answer and nothing else', async () => {
    const { run, model } = await open([call('structured_output', { n: 'x' }), call('structured_output', { n: 1 })]);
    const { code, stdout } = await run(['-q', '-p', 'x', '--json-schema', schema]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"n":1}\n' });
    expect(model.requests).toHaveLength(2);
  });

  it('ends with 11 and no answer when the model gives none', async () => {
    const no = { text: 'no' };
    const { run } = await open([no, no, no], { files: { 'schema.json': schema } });
    const { code, stdout, stderr } = await run(['-p', 'x', '--json-schema', 'schema.json']);
    expect({ code, stdout }).toEqual({ code: 11, stdout: '' });
    expect(stderr).toContain('there is no valid answer');
  });

  it('is part of the result with --output-format json', async () => {
    const { run } = await open([{ text: 'one' }, { text: '{"n": 1}' }]);
    const { stdout } = await run(['-p', 'x', '--json-schema', schema, '--output-format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ answer: { n: 1 }, exitCode: 0, turns: 2 });
  });
});

describe('an end in the middle', () => {
  it('is quiet when the reader of stdout goes away', async () => {
    const text = 'x'.repeat(400_000);
    const { start } = await open([{ text, chunkSize: 100 }], { delayMs: 1 });
    const { child, finished } = start(['-p', 'x', '--output-format', 'stream-json', '--include-partial']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { code, stderr } = await finished;
    expect({ code, stderr }).toEqual({ code: 141, stderr: '' });
  });

  it('cancels at the first Ctrl-C, pairs every call with a result, and ends with 130', async () => {
    const { start, workspace } = await open([shell('sleep 30; touch late'), { text: 'never' }]);
    const { child, finished } = start(['-p', 'x', '--output-format', 'stream-json', '--allow', 'Bash']);
    let seen = '';
    child.stdout?.on('data', (chunk: string) => (seen += chunk));
    await until(() => seen.includes('"tool-call-start"'), 'the call');
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(130);
    const events = eventsIn(stdout);
    expect(events.find((event) => event.type === 'tool-call-end')).toMatchObject({ status: 'cancelled' });
    expect(events.at(-1)).toMatchObject({ type: 'prompt-end', stopReason: 'cancelled' });
    await expect(stat(path.join(workspace, 'late'))).rejects.toThrow('ENOENT');
  });

  it('cancels while the model is silent', async () => {
    const { start, model } = await open([{ text: 'a', hangAfterChunks: 0 }]);
    const { child, finished } = start(['-p', 'x']);
    await until(() => model.requests.length === 1, 'the request');
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await finished;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('interrupted');
  });

  it('ends at once at the second Ctrl-C', async () => {
    const { start, model } = await open([{ text: 'a', hangAfterChunks: -1 }]);
    const { child, finished } = start(['-p', 'x']);
    await until(() => model.requests.length === 1, 'the request');
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
  });

  it.runIf(process.platform === 'linux')('leaves no command behind at the second Ctrl-C', async () => {
    const command = "trap '' TERM INT HUP; echo $$ > pid; sleep 36; sleep 37";
    const { start, workspace } = await open([shell(command), { text: 'never' }]);
    const { child, finished } = start(['-p', 'x', '--approval-mode', 'yolo']);
    const pidFile = path.join(workspace, 'pid');
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'), 'the command');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
    await until(() => !isAlive(pid), 'the end of the command');
    expect(processesIn(workspace)).toEqual([]);
  });

  it('ends when it is interrupted while it waits for standard input', async () => {
    const { start } = await open([]);
    const { child, finished } = start([], { stdin: null });
    await new Promise((resolve) => setTimeout(resolve, 700));
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
  });
});

/** The processes that work in a folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

/** The workspace of the running test; known only once its model has been started. */
function here(): string {
  return bench?.workspace ?? '';
}
