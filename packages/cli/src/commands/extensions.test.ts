import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExitCode } from '../exit-codes.js';
import { runInProcess } from '../testing/run-in-process.js';

let folder: string;

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-extensions-')));
  for (const name of ['home/.tenon', 'work']) await mkdir(path.join(folder, name), { recursive: true });
  const manifest = { name: 'kit', version: '1.0', description: 'Tools.', mcpServers: { db: { command: 'x' } } };
  await put('kit/tenon-extension.json', JSON.stringify(manifest));
  await put('kit/skills/hammer/SKILL.md', '---\nname: hammer\ndescription: Hits nails.\n---\nHit.\n');
  await put('kit/agents/smith.md', '---\nname: smith\ndescription: Forges.\n---\nForge.\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('checks, installs, lists and removes one; every list says which extension a thing is of', async () => {
  const none = await runInProcess(folder, ['extensions']);
  expect([none.code, none.stdout]).toEqual([ExitCode.OK, expect.stringContaining('No extensions.')]);
  const checked = await runInProcess(folder, ['extensions', 'check', '../kit']);
  expect(checked).toMatchObject({ code: ExitCode.OK, stdout: 'kit 1.0 brings skills, agents, 1 server.\n' });
  const installed = await runInProcess(folder, ['extensions', 'install', '../kit']);
  expect([installed.code, installed.stdout]).toEqual([ExitCode.OK, expect.stringContaining('Installed kit in')]);
  const { stdout } = await runInProcess(folder, ['extensions']);
  expect(stdout).toBe('kit 1.0: Tools. (yours, used)\n  brings skills, agents, 1 server\n');
  expect((await runInProcess(folder, ['extensions', 'show', 'KIT'])).stdout).toContain('servers: db');
  const json = JSON.parse((await runInProcess(folder, ['extensions', 'list', '--json'])).stdout);
  expect(json).toMatchObject([{ name: 'kit', state: 'used', origin: 'user', brings: { servers: ['db'] } }]);
  expect((await runInProcess(folder, ['skills'])).stdout).toContain('(yours, extension kit)');
  expect((await runInProcess(folder, ['agents'])).stdout).toMatch(/smith: .*\(yours, extension kit, /);
  expect((await runInProcess(folder, ['mcp', 'list'])).stdout).toContain('(extension kit)');
  const removing = await runInProcess(folder, ['mcp', 'remove', 'db']);
  expect([removing.code, removing.stderr]).toEqual([ExitCode.USAGE, expect.stringContaining('extension kit')]);
  expect((await runInProcess(folder, ['extensions', 'uninstall', 'kit'])).code).toBe(ExitCode.OK);
  expect((await runInProcess(folder, ['extensions'])).stdout).toContain('No extensions.');
});

it('says what is wrong, and what was meant', async () => {
  await runInProcess(folder, ['extensions', 'install', '../kit']);
  const unknown = await runInProcess(folder, ['extensions', 'show', 'kti']);
  expect([unknown.code, unknown.stderr]).toEqual([ExitCode.USAGE, expect.stringContaining('Did you mean kit?')]);
  expect((await runInProcess(folder, ['extensions', 'burn'])).code).toBe(ExitCode.USAGE);
  expect((await runInProcess(folder, ['extensions', 'check'])).code).toBe(ExitCode.USAGE);
  const broken = await runInProcess(folder, ['extensions', 'check', '.']);
  expect([broken.code, broken.stderr]).toEqual([ExitCode.UNEXPECTED, expect.stringContaining('tenon-extension.json')]);
  const byAgent = await runInProcess(folder, ['extensions', 'uninstall', 'kit'], { env: { TENON: '1' } });
  expect(byAgent.stderr).toContain('Only a person');
});
