import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@cfworker/json-schema';
import type { RecordedRequest, ScriptedTurn } from '@tenon/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, eventsIn, type Bench, type BenchOptions } from './cli-process.js';

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

/** Who asks the model, and how many answers it had. */
type Script = (who: string, said: number) => ScriptedTurn;

async function open(script: Script, options?: BenchOptions): Promise<Bench> {
  const turn = (request: RecordedRequest): ScriptedTurn => {
    const [first] = request.body.messages;
    const who = /You are the subagent \S+ \((a[\d.]+)\)/.exec(JSON.stringify(first?.content ?? ''))?.[1] ?? 'main';
    return script(who, request.body.messages.filter(({ role }) => role === 'assistant').length);
  };
  bench = await createBench(
    Array.from({ length: 100 }, () => turn),
    options,
  );
  return bench;
}

const shell = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: 'run_shell_command', arguments: { command, description: 'for the test' } }],
});
const task = (more: object = {}) => ({
  name: 'task',
  arguments: { description: 'a task', prompt: 'do it', subagent_type: 'general', ...more },
});

/** The main agent hands on once; a1 hands on to a1.1, which writes a file and may not delete one. */
const nested: Script = (who, said) => {
  if (who === 'main') return said === 0 ? { toolCalls: [task()] } : { text: 'All done.' };
  if (who === 'a1') return said === 0 ? { toolCalls: [task({ description: 'deeper' })] } : { text: 'Handed on.' };
  return [shell('echo made > made.txt'), shell('rm made.txt')][said] ?? { text: 'I tried.' };
};
const RULES = ['--allow', 'Bash(echo *)', '--allow', 'Edit(/*)', '--deny', 'Bash(rm *)'];

describe('subagents of a program', () => {
  it('are told on stderr line by line, with what they were denied; the answer alone is on stdout', async () => {
    const { run } = await open(nested);
    const { code, stdout, stderr } = await run(['-p', 'x', ...RULES]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: 'All done.\n' });
    expect(stderr).toContain('general (a1) begins: a task');
    expect(stderr).toContain('general (a1.1) begins: deeper');
    expect(stderr).toMatch(/general \(a1\.1\) Shell echo made > made\.txt/);
    expect(stderr).toMatch(/general \(a1\.1\) is done after/);
    expect(stderr).toMatch(/denied: general \(a1\.1\): rm made\.txt/);
    expect((await run(['-q', '-p', 'x', '--approval-mode', 'yolo'])).stderr).toBe('');
  });

  it('are counted in json, each with what it used', async () => {
    const { run } = await open(nested);
    const { code, stdout } = await run(['-p', 'x', ...RULES, '--output-format', 'json']);
    expect(code).toBe(4);
    const result = JSON.parse(stdout) as { subagents: { agentId: string; usage: { inputTokens: number } }[] };
    expect(result).toMatchObject({
      result: 'All done.',
      toolCalls: 1,
      denials: [{ agentId: 'a1.1', agent: 'general', title: expect.stringContaining('rm made.txt') as string }],
      subagents: [
        { agentId: 'a1.1', parentId: 'a1', agent: 'general', description: 'deeper', toolCalls: 2 },
        { agentId: 'a1', description: 'a task', toolCalls: 1, stopReason: 'completed' },
      ],
    });
    for (const { usage } of result.subagents) expect(usage.inputTokens).toBeGreaterThan(0);
  });

  it('say what one in the background was denied, and what one below it was', async () => {
    const { run } = await open((who, said) => {
      if (who === 'main') return said === 0 ? { toolCalls: [task({ run_in_background: true })] } : { text: 'Begun.' };
      if (who === 'a1') return [shell('rm other.txt'), { toolCalls: [task()] }][said] ?? { text: 'Handed on.' };
      return said === 0 ? shell('rm made.txt') : { text: 'I tried.' };
    });
    const { code, stdout } = await run(['-p', 'x', '--output-format', 'json']);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      denials: [
        { agentId: 'a1', agent: 'general', title: 'rm other.txt (for the test)' },
        { agentId: 'a1.1', agent: 'general', title: 'rm made.txt (for the test)' },
      ],
    });
    expect((await run(['-p', 'x'])).stderr).toMatch(/denied: general \(a1\): rm other\.txt/);
  });

  it('are whole in stream-json, each event as the schema says', async () => {
    const { run } = await open(nested);
    const schema = JSON.parse(
      await readFile(new URL('../packages/cli/schemas/events.schema.json', import.meta.url), 'utf8'),
    ) as object;
    const validator = new Validator(schema, '2020-12', false);
    const args = ['-p', 'x', ...RULES, '--output-format', 'stream-json', '--include-partial'];
    const events = eventsIn((await run(args)).stdout);
    const seen = new Set<string>();
    for (const event of events) {
      const { valid, errors } = validator.validate(event);
      expect(valid ? '' : `${JSON.stringify(event)}\n${JSON.stringify(errors)}`).toBe('');
      const path_: string[] = [];
      for (let inner = event; ; inner = inner.event) {
        path_.push(inner.type);
        if (inner.type !== 'subagent-event') break;
      }
      seen.add(path_.join(' '));
    }
    for (const wanted of [
      'subagent-start',
      'subagent-end',
      'subagent-event tool-call-start',
      'subagent-event subagent-start',
      'subagent-event subagent-event text-delta',
      'subagent-event subagent-event tool-call-end',
      'subagent-event subagent-event prompt-end',
    ])
      expect([...seen]).toContain(wanted);
    expect(events.at(-1)?.type).toBe('prompt-end');
  });

  it('are in the audit, the replay and the list of agents afterwards, and in no list of sessions', async () => {
    const { run, tenonHome } = await open(nested);
    await run(['-p', 'x', ...RULES]);
    expect(JSON.parse((await run(['sessions', '--json'])).stdout)).toHaveLength(1);
    const shown = await run(['audit', 'show']);
    expect(shown.stdout).toMatch(/general \(a1\.1\) run_shell_command/);
    expect(shown.stdout).toContain('to general (a1.1): do it');
    expect(shown.stdout).toContain('the subagent general (a1) ended (completed) after 2 turns, 1 call');
    const verified = await run(['audit', 'verify', '--json']);
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({
      status: 'intact',
      agents: [
        { agent: 'general (a1)', status: 'intact' },
        { agent: 'general (a1.1)', status: 'intact' },
      ],
    });
    const replay = await run(['replay', 'newest']);
    expect(replay.stdout).toContain('skipped: general (a1.1) run_shell_command');
    const [log] = (await readdir(tenonHome, { recursive: true })).filter((name) => name.endsWith('.a1.jsonl'));
    const file = path.join(tenonHome, log ?? '');
    await writeFile(file, (await readFile(file, 'utf8')).replace('do it', 'do no'));
    const changed = await run(['audit', 'verify']);
    expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('subagent general (a1): ')]);
    expect(changed.stdout).toContain('BROKEN');
    await rm(file);
    expect((await run(['audit', 'verify'])).stdout).toContain('MISSING');
  });

  it('may put questions to whoever answers by lines, where their file names the tool', async () => {
    const question = { question: 'Which way?', options: [{ label: 'left' }, { label: 'right' }] };
    const { start } = await open(
      (who, said) => {
        if (who === 'main')
          return said === 0 ? { toolCalls: [task({ subagent_type: 'asker' })] } : { text: 'All done.' };
        return said === 0
          ? { toolCalls: [{ name: 'ask_user', arguments: { questions: [question] } }] }
          : { text: 'ok' };
      },
      { home: { 'agents/asker.md': '---\nname: asker\ndescription: asks\ntools: AskUserQuestion\n---\n' } },
    );
    const lines = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--approvals', 'stdin'];
    const { child, finished } = start(['-p', 'x', ...lines], { stdin: null });
    let seen = '';
    child.stdout?.on('data', (chunk: string) => {
      seen += chunk;
      const [, callId] = /"type":"approval-request","callId":"([^"]+)"/.exec(seen) ?? [];
      if (callId === undefined || child.stdin?.writableEnded === true) return;
      const answer = { type: 'approval', callId, outcome: 'proceed_once', answers: [{ selected: ['right'] }] };
      child.stdin?.end(`${JSON.stringify(answer)}\n`);
    });
    const { code, stdout } = await finished;
    expect(code).toBe(0);
    const inner = eventsIn(stdout).flatMap((event) => (event.type === 'subagent-event' ? [event.event] : []));
    expect(inner.find(({ type }) => type === 'approval-request')).toMatchObject({ request: { agent: 'asker (a1)' } });
    expect(inner.find(({ type }) => type === 'tool-call-end')).toMatchObject({
      toolName: 'ask_user',
      status: 'success',
      content: [{ text: expect.stringContaining('right') as string }],
    });
  });

  it('end with the program: an interruption leaves nothing behind, twenty at once', async () => {
    const { start, model } = await open((who) =>
      who === 'main'
        ? { toolCalls: Array.from({ length: 20 }, () => task({ subagent_type: 'explore' })) }
        : { text: 'never', hangAfterChunks: 0 },
    );
    const { child, finished } = start(['-p', 'x', '--output-format', 'stream-json']);
    await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBeGreaterThan(8);
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(130);
    const events = eventsIn(stdout);
    const of = (type: string): string[] =>
      events.flatMap((event) => (event.type === type && 'agentId' in event ? [event.agentId] : [])).toSorted();
    expect(of('subagent-end')).toEqual(of('subagent-start'));
    expect(of('subagent-start').length).toBeGreaterThan(7);
    expect(events.at(-1)).toMatchObject({ type: 'prompt-end', stopReason: 'cancelled' });
  });
});
