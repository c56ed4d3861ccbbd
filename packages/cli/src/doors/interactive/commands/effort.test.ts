import { afterEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench.close());

const efforts = (): unknown[] =>
  bench.model.requests.map(({ body }) => (body as { readonly reasoning_effort?: string }).reasoning_effort);

it('holds from the next request on, also for another model', async () => {
  bench = await createCommandBench({ turns: [{ text: '1' }, { text: '2' }, { text: '3' }, { text: '4' }] });
  await bench.prompt('Hi');
  expect(await bench.say('/effort')).toMatch(/^The effort is default\. Levels: none, .*, default\.\n$/);
  expect(await bench.say('/effort HIGH')).toBe('The effort is now high.\n');
  await bench.prompt('Again');
  await bench.say('/model other-model');
  await bench.prompt('Again');
  expect(await bench.say('/effort default')).toBe('The effort is now default.\n');
  await bench.prompt('Again');
  expect(efforts()).toEqual([undefined, 'high', 'high', undefined]);
});

it('begins as --effort says, else as the settings do', async () => {
  const home = { '.tenon/settings.json': '{"model": {"reasoningEffort": "low"}}' };
  bench = await createCommandBench({ home, args: ['--effort', 'max'] });
  expect(await bench.say('/effort')).toContain('The effort is max.');
  await bench.close();
  bench = await createCommandBench({ home });
  expect(await bench.say('/effort')).toContain('The effort is low.');
});

it('refuses what is no level, with the one that was meant', async () => {
  bench = await createCommandBench();
  expect(await bench.say('/effort hihg')).toMatch(/^"hihg" is not a level: .* Did you mean high\?\n$/);
});

it('stays where the administrator has fixed it', async () => {
  bench = await createCommandBench({ home: { 'machine/settings.json': '{"model": {"reasoningEffort": "low"}}' } });
  expect(await bench.say('/effort high')).toContain('The effort stays low: it is fixed by the managed settings');
  expect(await bench.say('/effort default')).toContain('The effort stays low');
});
