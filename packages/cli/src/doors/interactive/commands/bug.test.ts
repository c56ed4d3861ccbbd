import { readdir } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { settingLines } from './bug.js';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

it('writes what is known of this machine and what went wrong to a file, and nothing of what was said', async () => {
  bench = await createCommandBench({
    home: {
      '.tenon/settings.json': JSON.stringify({
        limits: { maxTurns: 7 },
        model: { headers: { 'x-key': 'secret-of-mine' } },
        mcpServers: { hidden: { command: 'no-such-program', args: ['--token', 'secret-argument'] } },
      }),
    },
    turns: [{ error: { status: 400, message: 'No such thing as key-of-the-test.' } }],
  });
  await bench.prompt('my private words');
  const shown = await bench.say('/bug It stopped.');
  expect(shown).toContain('Nothing was sent.');
  const [name = ''] = (await readdir(bench.workspace.root)).filter((each) => each.startsWith('tenon-bug-'));
  const text = await bench.workspace.read(name);
  expect(text).toContain('It stopped.');
  expect(text).toContain('0.0.0-test');
  expect(text).toContain('limits.maxTurns: 7 (user settings)');
  expect(text).toContain('model.headers: (set)');
  expect(text).toMatch(/stopped \(model-error\)/);
  expect(text).toMatch(/log \(not attached\): ~\//);
  for (const secret of ['private words', 'secret-of-mine', 'secret-argument', 'key-of-the-test', bench.home.root])
    expect(text).not.toContain(secret);
});

it('shows of settings only what cannot be a secret', () => {
  const origin = 'user settings (/home/me/.tenon/settings.json:1:2)';
  expect(
    settingLines({
      'model.name': { value: 'gpt', origin },
      'model.baseUrl': { value: 'https://me:pass@x.example/v1?key=1', origin },
      'tools.discoveryCommand': { value: 'list --token abc', origin },
      'ui.bell': { value: true, origin },
    }),
  ).toEqual([
    'model.name: "gpt" (user settings)',
    'model.baseUrl: (set) (user settings)',
    'tools.discoveryCommand: (set) (user settings)',
    'ui.bell: true (user settings)',
  ]);
});
