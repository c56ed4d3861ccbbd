import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandSupervisor } from '../process/command-supervisor.js';
import type { PipedRequest } from '../process/piped-process.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { startBound, type BoundCommand } from './bound-commands.js';
import { projectScripts } from './project-scripts.js';

let workspace: TempWorkspace;
const supervisor = new CommandSupervisor();

beforeEach(async () => {
  workspace = await createTempWorkspace({ 'server.mjs': 'setInterval(() => {}, 1e6);\n', 'data.txt': 'a\n' });
});
afterEach(async () => {
  supervisor.endAll();
  await workspace.remove();
});

async function bound(...argv: string[]): Promise<BoundCommand> {
  const place = { cwd: workspace.root, root: workspace.root, env: {} };
  return { argv, ...place, scripts: await projectScripts(argv, place) };
}

async function starts(commands: readonly BoundCommand[], ...argv: [string, ...string[]]): Promise<string> {
  const request: PipedRequest = { argv, cwd: workspace.root, env: { PATH: process.env['PATH'] ?? '' } };
  try {
    const piped = await startBound(supervisor.connect, commands)(request);
    await piped.end(0);
    return 'started';
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
}

describe('a command of a trusted folder', () => {
  it('is started while its files are what they were, and not when one changed, went or came', async () => {
    const command = await bound('node', './server.mjs');
    expect(await starts([command], 'node', './server.mjs')).toBe('started');
    writeFileSync(workspace.path('data.txt'), 'b\n');
    expect(await starts([command], process.execPath, './server.mjs', 'tool')).toBe('started');
    writeFileSync(workspace.path('server.mjs'), 'console.log("else");\n');
    expect(await starts([command], 'node', './server.mjs')).toBe('program_changed');
    // The same program by its path, with a word behind.
    expect(await starts([command], process.execPath, './server.mjs', 'tool')).toBe('program_changed');
    const later = await bound('node', './later.mjs');
    writeFileSync(workspace.path('later.mjs'), '');
    expect(await starts([later], 'node', './later.mjs')).toBe('program_changed');
    rmSync(workspace.path('server.mjs'));
    expect(await starts([command], 'node', './server.mjs')).toBe('program_changed');
  });

  it('is told from those that nobody bound', async () => {
    const command = await bound('node', './server.mjs');
    writeFileSync(workspace.path('server.mjs'), 'process.exit();\n');
    expect(await starts([command], 'node', 'data.txt')).toBe('started');
    expect(await starts([], 'node', './server.mjs')).toBe('started');
  });
});
