import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '@tenon/core';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, MAIN, until, watch, type Bench } from './cli-process.js';

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
const YOLO = ['--approval-mode', 'yolo'];
let bench: Bench | undefined;

let leftOver = (): void => undefined;

afterEach(async () => {
  leftOver();
  await bench?.end();
  bench = undefined;
});

async function open(turns: readonly ScriptedTurn[]): Promise<Bench> {
  bench = await createBench(turns);
  return bench;
}

const job = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: 'run_shell_command', arguments: { command, is_background: true } }],
});

/** A zombie, which nobody reaps where there is no init, runs no more. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a run from the command line that leaves a job', () => {
  const turns = [job('echo $$ > pid; exec sleep 60'), { text: 'It runs.' }];
  const ended = (folder: string): boolean =>
    process.platform !== 'linux' || !isAlive(Number(readFileSync(path.join(folder, 'pid'), 'utf8')));

  it('ends it and says so', async () => {
    const { run, workspace } = await open(turns);
    const { code, stdout, stderr } = await run(['-p', 'start it', ...YOLO]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It runs.\n' });
    expect(stderr).toMatch(
      /job-1 \(echo \$\$ > pid; exec sleep 60\) ended after \d+ s \(signal SIGTERM\), because the run that started it is over/,
    );
    expect(ended(workspace)).toBe(true);
  });

  it('has it in the JSON, and in the stream before the last event', async () => {
    const one = await open(turns);
    const { stdout } = await one.run(['-p', 'x', '--output-format', 'json', ...YOLO]);
    expect(JSON.parse(stdout)).toMatchObject({
      exitCode: 0,
      jobs: [{ jobId: 'job-1', signal: 'SIGTERM', reason: 'the run that started it is over' }],
    });
    expect(ended(one.workspace)).toBe(true);
    await one.end();
    const other = await open(turns);
    const stream = await other.run(['-p', 'x', '--output-format', 'stream-json', ...YOLO]);
    const events = stream.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AgentEvent);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['job-end', 'prompt-end']);
  });

  it('ends it after an interruption too', async () => {
    const { start, workspace } = await open([
      job('echo $$ > pid; exec sleep 60'),
      { toolCalls: [{ name: 'run_shell_command', arguments: { command: 'echo here; sleep 60' } }] },
    ]);
    const { child, stderr, finished } = start(['-p', 'x', ...YOLO]);
    await until(() => stderr().includes('sleep 60') && stderr().split('sleep 60').length > 2, 'the second call');
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
    expect(stderr()).toContain('job-1');
    expect(ended(workspace)).toBe(true);
  });
});

describe.runIf(hasScript)('at a terminal', () => {
  it('a job that ends while the person types is told above what was typed, once', async () => {
    const here = await open([job('sleep 3; echo bye; exit 7'), { text: 'It runs.' }, { text: 'I know.' }]);
    const words = [process.execPath, MAIN, '--plain', ...YOLO].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qfec', words, '/dev/null'], {
      cwd: here.workspace,
      env: {
        PATH: process.env['PATH'] ?? '',
        TERM: 'xterm',
        SHELL: '/bin/sh',
        HOME: path.dirname(here.tenonHome),
        TENON_HOME: here.tenonHome,
        OPENAI_BASE_URL: here.model.baseUrl,
        OPENAI_MODEL: 'scripted',
      },
      stdio: 'pipe',
    });
    let screen = '';
    child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
    const { finished } = watch(child, undefined);
    leftOver = () => void child.kill('SIGKILL');
    const sees = (text: string): Promise<void> => until(() => screen.includes(text), `${text} in\n${screen}`);
    await sees('› ');
    child.stdin.write('start it\r');
    await sees('It runs.');
    child.stdin.write('what');
    await sees('job-1 (sleep 3; echo bye; exit 7) ended after 3 s (exit code 7)');
    child.stdin.write(' now?\r');
    await sees('I know.');
    child.stdin.write('/exit\r');
    await finished;
    expect(screen.split('ended after').length).toBe(2);
    expect(JSON.stringify(here.model.requests.at(-1)?.body.messages.at(-1))).toMatch(
      /what now\?\\n\[A note from Tenon.*exit code 7/,
    );
  });
});
