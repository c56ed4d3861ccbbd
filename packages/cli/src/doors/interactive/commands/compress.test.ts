import { afterEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench.close());

it('makes the conversation shorter now, keeps what it was told to, and says what came of it', async () => {
  const long = 'A long story. '.repeat(8_000);
  bench = await createCommandBench({
    turns: [{ text: long }, { text: long }, { text: 'The summary.' }, { text: 'After.' }],
  });
  await bench.prompt('Tell a story.');
  await bench.prompt('Another.');
  const shown = await bench.say('/compact the names');
  expect(shown).toMatch(/The conversation is now about [\d,]+ tokens; it was [\d,]+\./);
  expect(JSON.stringify(bench.model.requests[2]?.body)).toContain('the names');
  await bench.prompt('Go on.');
  expect(JSON.stringify(bench.model.requests[3]?.body.messages)).toContain('The summary.');
});

it('has nothing to do in a new session', async () => {
  bench = await createCommandBench();
  expect(await bench.say('/compress')).toContain('too short');
});
