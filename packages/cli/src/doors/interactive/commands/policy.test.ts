import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGrants, ToolConfirmationOutcome } from '@tenon/core';
import { createFakeApprover } from '@tenon/core/testing';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

beforeEach(async () => {
  bench = await createCommandBench({
    args: ['--deny', 'Bash(rm *)', '--allow', 'Bash(npm test *)'],
    approver: createFakeApprover([ToolConfirmationOutcome.ProceedAlwaysProject, ToolConfirmationOutcome.ProceedAlways])
      .approver,
  });
});

afterEach(async () => bench.close());

/** Two commands that the person allows for good: the first in the project, the second in the session. */
async function grantTwo(): Promise<void> {
  for (const command of ['touch a.txt', 'touch b.txt']) {
    const call = { callId: command, toolName: 'run_shell_command', argumentsText: JSON.stringify({ command }) };
    for await (const event of bench.agent.runCalls([call], new AbortController().signal))
      if (event.type === 'tool-call-end') expect(event.status).toBe('success');
  }
}

const saved = async (): Promise<readonly string[]> => {
  const { preparation, surroundings } = bench.context;
  const { grants } = await openGrants({ root: preparation.roots[0], tenonHome: surroundings.tenonHome });
  return grants.list().map(({ rule }) => rule);
};

it('shows the mode and the rules in force, with where each is from', async () => {
  await grantTwo();
  const shown = await bench.say('/policy');
  expect(shown).toContain('Mode default.');
  expect(shown).toContain('  deny   Bash(rm *)  (command line)\n');
  expect(shown).toContain('  allow  Bash(npm test *)  (command line)\n');
  expect(shown).toMatch(/^ {2}allow {2}.*touch a\.txt.* {2}\(this project\)$/m);
  expect(shown).toMatch(/^ {2}allow {2}.*touch b\.txt.* {2}\(this session\)$/m);
});

it('explains a call under the rules and the mode of now, and runs nothing', async () => {
  await bench.run('/mode yolo');
  const shown = await bench.say('/policy explain rm -rf x');
  expect(shown).toContain('(mode: yolo)');
  expect(shown).toContain('decision: deny');
  expect(await bench.say('/policy explain npm test -w')).toContain('decision: allow');
  expect(await bench.say('/policy explain')).toContain('takes a command');
  expect(await bench.say('/policy explain {"tool": "nothing_like_it"}')).toContain('cannot be judged');
});

it('lists and takes back what was granted, of this session too, at once', async () => {
  expect(await bench.say('/policy grants')).toContain('Nothing was granted');
  await grantTwo();
  expect(await bench.say('/policy grants')).toMatch(
    /^ {2}1 .*touch a\.txt.*this project, \d{4}-\d\d-\d\d \d\d:\d\d, .*\n {2}2 .*touch b\.txt.*this session, \d{4}-/,
  );
  expect(await bench.say('/policy revoke 1')).toMatch(/^Revoked .*touch a\.txt.*\.\n$/);
  expect(await saved()).toEqual([]);
  expect(bench.agent.grants.list()).toHaveLength(1);
  expect(await bench.say('/policy explain touch a.txt')).toContain('decision: ask');
  expect(await bench.say('/policy revoke nothing')).toContain('There is no grant "nothing".');
  expect(await bench.say('/policy revoke --all')).toMatch(/touch b\.txt/);
  expect(bench.agent.grants.list()).toEqual([]);
  expect(await bench.say('/policy nonsense')).toContain('Write /policy');
});
