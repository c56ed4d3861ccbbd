import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

beforeEach(async () => {
  bench = await createCommandBench();
});

afterEach(async () => bench.close());

const saved = (): Promise<string> => bench.home.read('.tenon/settings.json').catch(() => '');

it('puts a named one in force and keeps it', async () => {
  expect(await bench.say('/theme light')).toContain('The colours are now light');
  expect(bench.done.themes).toEqual(['light']);
  expect(await saved()).toContain('"theme": "light"');
  expect(await bench.say('/theme pink')).toContain('There is no theme "pink"');
});

it('shows what one looks like before it is kept; a no leads back to the list', async () => {
  const answer = await bench.run('/theme', [['home', 'enter'], ['n'], ['down', 'enter'], ['y']]);
  expect(answer.shown).toContain('The colours are now');
  expect(bench.frames().join('\n')).toContain('a line that comes');
  const [first, back, second] = bench.done.themes;
  expect([first, back]).toEqual(['dark', 'no-colour']);
  expect(second).toBe('light');
  expect(await saved()).toContain('"theme": "light"');
});

it('leaves the one that was when the list is left', async () => {
  expect(await bench.run('/theme', [['escape']])).toEqual({});
  expect(bench.done.themes).toEqual(['no-colour']);
  expect(await saved()).toBe('');
});

it('holds for the session where it cannot be kept', async () => {
  await bench.home.write({ '.tenon/settings.json': '{ broken' });
  expect(await bench.say('/theme dark')).toContain('for this session only');
  expect(await saved()).toBe('{ broken');
});

it('offers those of the person as well, and says what is hard to read in one', async () => {
  await bench.home.write({ '.tenon/themes/mine.json': '{"roles": {"accent": "#00003f"}}' });
  expect(await bench.say('/theme MINE')).toMatch(
    /The colours are now mine; .*The theme mine: accent has a contrast of/,
  );
  expect(bench.done.themes).toEqual(['mine']);
  expect(await bench.say('/theme pink')).toContain('no-colour, mine.');
});
