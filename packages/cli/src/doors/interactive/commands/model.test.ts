import { afterEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

afterEach(async () => bench.close());

it('lets the next request go to the model that is named', async () => {
  bench = await createCommandBench({ turns: [{ text: 'One.' }, { text: 'Two.' }] });
  await bench.prompt('Hi');
  expect(await bench.say('/model other-model')).toMatch(/^The model is now .*other-model\.\n$/);
  await bench.prompt('Again');
  expect(bench.model.requests.map(({ body }) => body.model)).toEqual(['scripted', 'other-model']);
  expect(bench.model.requests[1]?.headers.authorization).toBe('Bearer key-of-the-test');
});

it('offers what the endpoint has', async () => {
  bench = await createCommandBench();
  expect(await bench.say('/model', [['enter']])).toBe(`The model is ${bench.agent.model.label} already.\n`);
  expect(bench.frames()[0]).toContain('scripted');
  expect(await bench.run('/model', [['escape']])).toEqual({});
});

it('stays where the administrator has fixed it', async () => {
  bench = await createCommandBench({ home: { 'machine/settings.json': '{"model": {"name": "scripted"}}' } });
  expect(await bench.say('/model other')).toContain('it is fixed by the managed settings');
  expect(bench.agent.model.model).toBe('scripted');
});
