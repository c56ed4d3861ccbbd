import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, type Bench } from './cli-process.js';

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

async function benchOf(...turns: ScriptedTurn[]): Promise<Bench> {
  bench = await createBench(turns);
  return bench;
}

const CUT = 'The answer was cut off at the model’s output limit. Ask it to continue.';

describe('an answer that was cut off', () => {
  it('is told on stderr, and the exit code is that of a used-up budget (S139)', async () => {
    const { run } = await benchOf({ text: 'Half of', finish: 'length' });
    expect(await run(['-p', 'x'])).toEqual({ code: 5, stdout: 'Half of\n', stderr: `tenon: ${CUT}\n` });
  });

  it('is told in the JSON formats', async () => {
    const { run } = await benchOf({ text: 'Half of', finish: 'length' }, { text: 'Half of', finish: 'length' });
    const whole = await run(['-p', 'x', '--output-format', 'json']);
    expect(whole.code).toBe(5);
    expect(JSON.parse(whole.stdout)).toMatchObject({ exitCode: 5, stopReason: 'completed', message: CUT });
    const stream = await run(['-p', 'x', '--output-format', 'stream-json']);
    expect(stream.code).toBe(5);
    expect(stream.stdout).toContain('"isCut":true');
  });

  it('by the filter of the provider is told as well', async () => {
    const { run } = await benchOf({ text: 'Half of', finish: 'content_filter' });
    const { code, stderr } = await run(['-p', 'x']);
    expect([code, stderr]).toEqual([0, 'tenon: The provider’s content filter ended the answer.\n']);
  });

  it('is whole in the end where the model went on', async () => {
    const call = { name: 'list_directory', arguments: '{"pa' };
    const { run, model } = await benchOf({ toolCalls: [call], finish: 'length' }, { text: 'Done.' });
    expect(await run(['-p', 'x', '--quiet'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(model.requests[1]?.bodyText).toContain('your answer reached the limit of output tokens');
  });
});

describe('a call that was cut off', () => {
  it('does not run, also where nothing came of its arguments; whole ones before it do', async () => {
    const whole = { name: 'list_directory', arguments: { path: '.' } };
    const cut = { name: 'list_directory', arguments: '' };
    const { run, model } = await benchOf({ toolCalls: [whole, cut], finish: 'length' }, { text: 'Done.' });
    expect((await run(['-p', 'x', '--quiet'])).code).toBe(0);
    const [first, second] = (model.requests[1]?.body.messages ?? []).filter(({ role }) => role === 'tool');
    expect(JSON.stringify(first?.content)).not.toContain('The call did not run');
    expect(JSON.stringify(second?.content)).toContain('The call did not run: your answer reached the limit of output');
  });

  it('runs without arguments where its answer was not cut', async () => {
    const call = { name: 'todo_write', arguments: '' };
    const { run, model } = await benchOf({ toolCalls: [call] }, { text: 'Done.' });
    await run(['-p', 'x', '--quiet']);
    expect(model.requests[1]?.bodyText).not.toContain('the limit of output tokens');
  });
});
