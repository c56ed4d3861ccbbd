import { afterEach, beforeEach, expect, it } from 'vitest';
import { ToolNames } from '@tenon/core';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

beforeEach(async () => {
  bench = await createCommandBench({
    args: ['--approval-mode', 'auto_edit'],
    turns: [
      { text: 'Hello.' },
      () => ({
        toolCalls: [
          { name: ToolNames.WRITE_FILE, arguments: { file_path: bench.workspace.path('a.txt'), content: 'new\n' } },
        ],
      }),
      { text: 'Written.' },
      { text: 'Later.' },
    ],
  });
});

afterEach(async () => bench.close());

it('has nothing to go back to in a new session', async () => {
  expect(await bench.say('/rewind')).toContain('nothing to go back to');
});

it('goes back with conversation and files, and hands the words back', async () => {
  await bench.prompt('hello there');
  await bench.prompt('write the file');
  expect(await bench.workspace.read('a.txt')).toBe('new\n');
  const answer = await bench.run('/rewind', [['enter'], ['enter']]);
  expect(answer.composer).toBe('write the file');
  expect(answer.shown).toContain('The conversation is as it was before that message.');
  expect(answer.shown).toContain('Took back 1 call:');
  expect(answer.forModel).toBeUndefined();
  expect(bench.done.shownAgain).toBe(1);
  await expect(bench.workspace.read('a.txt')).rejects.toThrow();
  await bench.prompt('something else');
  const said = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
  expect(said).toContain('hello there');
  expect(said).not.toContain('write the file');
});

it('leaves all as it is when it is left', async () => {
  await bench.prompt('hello there');
  expect(await bench.run('/rewind', [['escape']])).toEqual({});
  expect(bench.done.shownAgain).toBe(0);
});
