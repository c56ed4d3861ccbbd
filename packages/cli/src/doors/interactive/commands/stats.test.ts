import { afterEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench?.close());

it('/stats shows what sessions of the project were, of some days or of all projects', async () => {
  bench = await createCommandBench({ turns: [{ text: 'hello' }] });
  expect(await bench.say('/stats')).toBe('No session is logged here.\n');
  await bench.prompt('hi');
  for (const line of ['/stats', '/stats 7', '/stats all', '/stats 7 all']) {
    const shown = await bench.say(line);
    expect(shown).toMatch(/^1 session, 1 prompt/);
    expect(shown).toContain('openai scripted');
  }
  expect(await bench.say('/stats 7')).toContain(' since ');
  expect(await bench.say('/stats yesterday')).toContain('/stats takes');
});
