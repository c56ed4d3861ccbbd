import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ToolSystemOptions } from '../agent-types.js';
import { createToolSystem } from '../create-agent.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { projectFolders } from '../session/project-folders.js';
import { createFakeApprover } from '../testing/fake-approver.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tenon-wiring-')));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What the model is told of one call. */
async function tell(toolName: string, args: object, options: Partial<ToolSystemOptions> = {}): Promise<string> {
  const system = await createToolSystem({
    roots: [folder],
    tenonHome: join(folder, '.home'),
    userHome: folder,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: { PATH: process.env['PATH'] },
    ...options,
  });
  try {
    const calls = [{ callId: '1', toolName, argumentsText: JSON.stringify(args) }];
    let told = '';
    for await (const event of system.runCalls(calls, new AbortController().signal))
      if (event.type === 'tool-call-end') told = JSON.stringify(event.content);
    return told;
  } finally {
    await system.close();
  }
}

it('tells the model what it may do instead of a call that is denied', async () => {
  const deny = (text: string) => [{ list: 'deny' as const, text, origin: 'test' }];
  const push = { command: 'git push' };
  expect(
    await tell('run_shell_command', push, { rules: deny('Bash(git push *)'), approvalMode: ApprovalMode.YOLO }),
  ).toContain('Denied: deny rule Bash(git push *) (test). `git status`, `git diff`, `git log` are allowed.');
  const write = { file_path: join(folder, 'a.txt'), content: 'x' };
  expect(await tell('write_file', write, { approvalMode: ApprovalMode.PLAN })).toContain(
    'In plan mode you may read and search',
  );
});

it('offers no tool that the settings take away', async () => {
  const offered = { only: ['read_file', 'edit'], without: ['edit'] };
  expect(await tell('edit', {}, { offered })).toContain('There is no tool named');
  expect(await tell('glob', {}, { offered })).toContain('The tools are read_file.');
});

it('saves what was granted for calls of a kind, and what for', async () => {
  const { approver, requests } = createFakeApprover([
    { outcome: ToolConfirmationOutcome.ProceedAlwaysProject, isGeneral: true },
  ]);
  await tell('run_shell_command', { command: 'npm test -- --version' }, { approver });
  expect(requests[0]?.generalRules).toEqual(['run_shell_command(npm test *)']);
  const file = projectFolders(join(folder, '.home'), folder).grantsFile;
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    allow: ['run_shell_command(npm test *)'],
    given: [
      { rule: 'run_shell_command(npm test *)', time: expect.any(String), call: expect.stringContaining('npm test') },
    ],
  });
});
