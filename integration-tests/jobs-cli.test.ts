import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, eventsIn, until, type Bench } from './cli-process.js';
import { isAlive } from './is-alive.js';
import { hasScript, openScript } from './script-terminal.js';

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
    const events = eventsIn(stream.stdout);
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
    const { sees, types, screen, finished, kill } = openScript(here, ['--plain', ...YOLO]);
    leftOver = () => kill('SIGKILL');
    await sees('› ');
    types('start it\r');
    await sees('It runs.');
    types('what');
    await sees('job-1 (sleep 3; echo bye; exit 7) ended after 3 s (exit code 7)');
    types(' now?\r');
    await sees('I know.');
    types('/exit\r');
    await finished;
    expect(screen().split('ended after').length).toBe(2);
    expect(JSON.stringify(here.model.requests.at(-1)?.body.messages.at(-1))).toMatch(
      /what now\?\\n\[A note from Tenon.*exit code 7/,
    );
  });
});
