import { afterEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench.close());

it('has the model write AGENTS.md where there is nothing yet', async () => {
  bench = await createCommandBench();
  const { prompt } = await bench.run('/init in German');
  expect(prompt?.text).toContain('write AGENTS.md at its top');
  expect(prompt?.text).toContain('The user adds: in German');
});

it('has it improve what is there', async () => {
  bench = await createCommandBench({ files: { 'QWEN.md': 'x', 'TENON.md': 'y', 'CLAUDE.md/': '' } });
  const { prompt } = await bench.run('/init');
  expect(prompt?.text).toContain('improve TENON.md at its top (there are: TENON.md, QWEN.md)');
});
