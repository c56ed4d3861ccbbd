import { afterEach, beforeEach, expect, it } from 'vitest';
import { SHELL_OPTIONS } from '../process/shell-options.js';
import { openSandbox } from '../sandbox/open-sandbox.js';
import type { Sandbox, SandboxStatus } from '../sandbox/sandbox-types.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { commandNotices } from './open-commands.js';

let workspace: TempWorkspace;
beforeEach(async () => {
  workspace = await createTempWorkspace({ 'w/': '', 'home/': '', 'temp/': '' });
});
afterEach(async () => workspace.remove());

async function withoutMechanism(): Promise<Sandbox> {
  return openSandbox({
    mode: 'auto',
    stateFolder: workspace.path('state'),
    node: process.execPath,
    programs: [],
    platform: 'linux',
    places: () => ({ roots: [workspace.path('w')], tempDir: workspace.path('temp'), home: '/', agentFolders: [] }),
  });
}

it('tells what is missing of a sandbox, and nothing of one that holds', async () => {
  const sandbox = await withoutMechanism();
  expect(await commandNotices(SHELL_OPTIONS, async () => Promise.resolve(sandbox))).toEqual([
    expect.stringMatching(/^no sandbox: bubblewrap is not installed/) as string,
  ]);
  const of = async (status: Partial<SandboxStatus>): Promise<string[]> => {
    const { problem: _none, ...rest } = sandbox.status;
    return commandNotices(SHELL_OPTIONS, async () => Promise.resolve({ ...sandbox, status: { ...rest, ...status } }));
  };
  expect(await of({ text: 'sandbox: all proofs hold' })).toEqual([]);
  const text = 'sandbox: network off (no way to the hosts), all proofs hold';
  expect(await of({ text, note: 'no way to the hosts' })).toEqual([text]);
});
