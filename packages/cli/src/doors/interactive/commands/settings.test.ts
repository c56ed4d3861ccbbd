import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSettingValue, SETTINGS } from '@tenon/core';
import { readValue, settingNamed, valueWords, type Setting } from './settings-values.js';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;
const FILE = '.tenon/settings.json';

beforeEach(async () => {
  bench = await createCommandBench({
    home: {
      [FILE]: '{\n  // mine\n  "limits": {"maxTurns": 7}\n}\n',
      'machine/settings.json': '{"sandboxNetwork": "off"}',
    },
    files: { [FILE]: '{"ui": {"diff": "unified"}}' },
  });
});

afterEach(async () => bench.close());

it('shows every setting with its value and where that is from', async () => {
  const shown = await bench.say('/settings');
  expect(shown).toMatch(/^limits\.maxTurns +7 {2}\(user settings .*settings\.json:3:/m);
  expect(shown).toMatch(/^ui\.diff +unified {2}\(project settings/m);
  expect(shown).toMatch(/^approvalMode +default {2}\(default\)/m);
  await bench.run('/mode plan');
  expect(await bench.say('/settings')).toMatch(/^approvalMode +plan {2}\(this session\)/m);
});

it('shows one with what it does, what it may be and how it is changed', async () => {
  const shown = await bench.say('/settings limits.maxturns');
  expect(shown).toContain('limits.maxTurns: Requests to the model');
  expect(shown).toContain('  7 (user settings');
  expect(await bench.say('/settings ui.theme')).toMatch(/not set; the default is "auto"[\s\S]*auto\|dark\|light/);
  expect(await bench.say('/settings limits.maxTurn')).toContain('Did you mean limits.maxTurns?');
});

it('changes one in the file of the person, and leaves the rest of it as it is', async () => {
  expect(await bench.say('/settings ui.theme light')).toContain('ui.theme is now "light"');
  expect(await bench.say('/settings limits.maxTurns 9')).toContain('from the next session on');
  const text = await bench.home.read(FILE);
  expect(text).toContain('// mine');
  expect(text).toMatch(/"maxTurns": 9/);
  expect(text).toMatch(/"theme": "light"/);
  expect(await bench.say('/settings ui.theme --unset')).toContain('is no longer in');
  expect(await bench.home.read(FILE)).not.toContain('light');
});

it('says when another place counts before it', async () => {
  expect(await bench.say('/settings ui.diff side-by-side')).toMatch(/But project settings .* counts before it\./);
});

it('refuses what is no such value, and what the administrator does not allow', async () => {
  const before = await bench.home.read(FILE);
  expect(await bench.say('/settings limits.maxTurns many')).toContain('must be a whole number above 0');
  expect(await bench.say('/settings sandboxNetwork on')).toContain('left as it is');
  expect(await bench.home.read(FILE)).toBe(before);
});

describe('a typed value', () => {
  const setting = (key: string): Setting => {
    const found = settingNamed(key);
    if (found === undefined) throw new Error(key);
    return found;
  };

  it.each([
    ['ui.bell', 'true', true],
    ['limits.maxTurns', '12', 12],
    ['model.name', 'gpt-x', 'gpt-x'],
    ['model.name', '123', '123'],
    ['tools.exclude', 'grep, ls', ['grep', 'ls']],
    ['tools.exclude', '["Bash(a b)"]', ['Bash(a b)']],
    ['sandboxHosts', 'registry.npmjs.org', ['registry.npmjs.org']],
    ['model.prices', '{"input": 1, "output": 2}', { input: 1, output: 2 }],
    ['approvalMode', 'auto-edit', 'auto_edit'],
  ])('of %s as %j is %j', (key, typed, value) => {
    expect(readValue(setting(key), typed)).toEqual({ value });
  });

  it('is one of the words that are offered for it, and of all that there are', () => {
    for (const each of SETTINGS) {
      for (const word of valueWords(each)) expect(readValue(each, word)).not.toHaveProperty('problem');
      const refusal = checkSettingValue(each.type, 'none of them');
      const offered = refusal.ok ? undefined : /^one of (.*), not /.exec(refusal.expected)?.[1];
      if (offered !== undefined) expect(valueWords(each).join(', ')).toBe(offered);
    }
  });
});
