import { afterEach, beforeEach, expect, it } from 'vitest';
import { ToolNames } from '@tenon/core';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

beforeEach(async () => {
  bench = await createCommandBench();
});

afterEach(async () => bench.close());

it('lists what the model may call, and what telling it of each costs', async () => {
  const list = await bench.say('/tools');
  for (const name of [ToolNames.READ_FILE, ToolNames.SHELL, ToolNames.EDIT])
    expect(list).toMatch(new RegExp(`^${name} +[1-9]\\d* tokens  \\S`, 'm'));
  const sum = bench.agent
    .context()
    .parts.filter(({ kind }) => kind === 'tools')
    .reduce((all, { tokens }) => all + tokens, 0);
  expect(list).toContain(`about ${sum} tokens`);
});

it('shows one with its parameters, by the name of the screen too', async () => {
  const shown = await bench.say('/tools readfile');
  expect(shown).toContain(`${ToolNames.READ_FILE} (ReadFile, read)`);
  expect(shown).toMatch(/About \d+ tokens/);
  expect(shown).toContain('"absolute_path"');
  expect(await bench.say('/tools read_fiel')).toContain(`Did you mean ${ToolNames.READ_FILE}?`);
});
