import { afterEach, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, type Bench } from './cli-process.js';

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const shell = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: 'run_shell_command', arguments: { command, description: 'for the test' } }],
});

const CLAUDE = JSON.stringify({
  permissions: { allow: ['Bash(rm *)'], deny: ['Bash(touch *)', 'Bash(a | b)'], ask: ['Bash(mkdir *)'] },
  hooks: { Stop: [{ hooks: [{ type: 'command', command: 'touch hooked' }] }] },
  env: { A: 'b' },
});
const SAID =
  'Settings of other agents (.claude/settings.json, opencode.json): 2 deny rules and 1 ask rule apply here too; ' +
  'not used: 2 allow rules, 1 hook, 1 environment variable; not readable: 1 rule.';
const UNREAD = '.claude/settings.json: deny rule "Bash(a | b)" is not used.';

async function open(...turns: readonly ScriptedTurn[]): Promise<Bench> {
  bench = await createBench([...turns, { text: 'Done.' }, { text: 'Done.' }], {
    files: {
      '.claude/settings.json': CLAUDE,
      'opencode.json': JSON.stringify({ permission: { bash: { 'ln *': 'deny', 'ls *': 'allow' } } }),
    },
  });
  return bench;
}

it('deny and ask rules for other agents hold at once', async () => {
  const { run } = await open(shell('touch a'), shell('ln -s x y'), shell('mkdir b'), shell('rm -rf b'));
  const { stderr } = await run(['-p', 'x', '--approval-mode', 'yolo']);
  expect(stderr).toContain('deny rule Bash(touch *) (.claude/settings.json)');
  expect(stderr).toContain('deny rule Bash(ln *) (opencode.json)');
  expect(stderr).toContain('ask rule Bash(mkdir *) (.claude/settings.json)');
});

it('allow rules for other agents allow nothing', async () => {
  const { run } = await open(shell('rm -rf b'));
  expect((await run(['-p', 'x'])).code).toBe(4);
});

it('the first session of a project says so with counts, and no later one', async () => {
  const { run } = await open();
  expect((await run(['-p', 'x'])).stderr).toContain(SAID);
  expect((await run(['-p', 'x'])).stderr).not.toContain('other agents');
});

it('`tenon trust` and `tenon doctor` say so each time, with what cannot be read', async () => {
  const { run } = await open();
  for (const command of ['trust', 'doctor']) {
    const { stdout } = await run([command]);
    expect(stdout).toContain(SAID);
    expect(stdout).toContain(UNREAD);
  }
  const { code, stdout } = await run(['policy', 'lint']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('warning unreadable: deny rule "Bash(a | b)" of .claude/settings.json'),
  });
});
