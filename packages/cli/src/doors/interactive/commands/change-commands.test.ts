import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

beforeEach(async () => {
  bench = await createCommandBench({ files: { 'a.txt': 'one\ntwo\n' }, args: ['--approval-mode', 'auto_edit'] });
});

afterEach(async () => bench.close());

async function edit(callId: string, from: string, to: string): Promise<void> {
  const params = { file_path: bench.workspace.path('a.txt'), old_string: from, new_string: to };
  const calls = [{ callId, toolName: 'edit', argumentsText: JSON.stringify(params) }];
  for await (const event of bench.agent.runCalls(calls, new AbortController().signal)) {
    if (event.type === 'tool-call-end') expect(event.status).toBe('success');
  }
}

const read = (): Promise<string> => bench.workspace.read('a.txt');

it('shows, takes back and makes again what calls changed, in the words of the command line', async () => {
  await edit('1', 'one', 'ONE');
  await edit('2', 'two', 'TWO\u001b[2J');
  const diff = await bench.say('/diff');
  expect(diff).toContain(String.raw`+TWO\u{1b}[2J`);
  expect(diff).not.toContain('+ONE');
  expect(await bench.say('/diff 2')).toContain('+ONE');
  expect(await bench.say('/undo')).toContain('Took back 1 call:');
  expect(await read()).toBe('ONE\ntwo\n');
  expect(await bench.say('/undo')).toContain('Took back 1 call:');
  expect(await read()).toBe('one\ntwo\n');
  expect(await bench.say('/redo')).toContain('Made again 1 call:');
  expect(await read()).toBe('ONE\ntwo\n');
});

it('has something to say to the model when files are no longer as it left them', async () => {
  await edit('1', 'one', 'ONE');
  expect((await bench.run('/diff')).forModel).toBeUndefined();
  const file = bench.workspace.path('a.txt');
  expect((await bench.run('/undo')).forModel).toBe(
    `[The user took back changes of: ${file}. Read these files again before you rely on them.]`,
  );
  expect((await bench.run('/undo')).forModel).toBeUndefined();
  expect((await bench.run('/redo')).forModel).toContain(file);
});

it('says what cannot be done, and leaves everything as it is', async () => {
  expect(await bench.say('/undo')).toMatch(/^There is nothing to undo/);
  expect(await bench.say('/redo')).toMatch(/^There is nothing to redo/);
  expect(await bench.say('/undo 0')).toContain('counted from 1');
  expect(await bench.say('/undo nonsense')).toContain('"nonsense"');
  expect(await read()).toBe('one\ntwo\n');
});
