import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import type { SandboxPlaces } from './make-plan.js';
import { openSandbox, type SandboxOptions } from './open-sandbox.js';
import type { Sandbox } from './sandbox-types.js';

/** Skipped where there is none; where `TENON_SANDBOX=required` is set, as CI does, that is a failure. */
const hasBubblewrap = existsSync('/usr/bin/bwrap') || process.env['TENON_SANDBOX'] === 'required';
/** Outside the temp folder, of which commands in the sandbox have one of their own. */
const NODE = ['/usr/bin/node', '/usr/local/bin/node'].find(existsSync) ?? process.execPath;

let workspace: TempWorkspace;
beforeEach(async () => {
  workspace = await createTempWorkspace({ 'w/': '', 'home/': '', 'temp/': '' });
});
afterEach(async () => workspace.remove());

const open = async (options: Partial<SandboxOptions>): Promise<Sandbox> =>
  openSandbox({
    mode: 'auto',
    stateFolder: workspace.path('state'),
    node: NODE,
    platform: 'linux',
    places: () => ({
      roots: [workspace.path('w')],
      tempDir: workspace.path('temp'),
      home: workspace.path('home'),
      agentFolders: [],
    }),
    ...options,
  });
const REQUEST = { argv: ['/bin/echo', 'x'], cwd: '/', env: { A: 'b' } } as const;

async function fakeProgram(script: string): Promise<string> {
  const path = workspace.path('home/bwrap');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('without a sandbox', () => {
  it('off says so, looks for nothing and leaves commands as they are', async () => {
    const sandbox = await open({ mode: 'off' });
    expect(sandbox.status).toEqual({ mode: 'off', mechanism: 'none', text: 'no sandbox (off)', probes: [] });
    expect(await sandbox.enter(REQUEST)).toMatchObject({ ...REQUEST, descriptors: [] });
    expect(sandbox.explainDenial({ exitCode: 1, output: '/x: Read-only file system', cwd: '/' })).toBeUndefined();
  });

  it.each<readonly [string, Partial<SandboxOptions>, RegExp]>([
    ['there is no bubblewrap', { programs: ['/nowhere/bwrap'] }, /bubblewrap is not installed/],
    ['there is no mechanism for the system', { platform: 'win32' }, /no mechanism for win32/],
    ['its folder cannot be made', { stateFolder: '/etc/passwd/none' }, /ENOTDIR/],
  ])('auto tells when %s; required runs nothing', async (_why, options, problem) => {
    const auto = await open(options);
    expect(auto.status).toMatchObject({ mechanism: 'none', problem: expect.stringMatching(problem) });
    expect(auto.status.text).toMatch(/^no sandbox: /);
    expect(await auto.enter(REQUEST)).toMatchObject(REQUEST);
    const required = await open({ ...options, mode: 'required' });
    await expect(required.enter(REQUEST)).rejects.toMatchObject({
      code: 'sandbox_required',
      message: expect.stringMatching(problem),
    });
  });

  it('a program in the workspace is never taken for it', async () => {
    await workspace.write({ 'w/bwrap': '#!/bin/sh\necho bubblewrap 9.9\n' });
    await chmod(workspace.path('w/bwrap'), 0o755);
    expect((await open({ programs: [workspace.path('w/bwrap')] })).status.problem).toContain('not installed');
  });
});

describe('a mechanism that does not hold is not used:', () => {
  it('it cannot start', async () => {
    const program = await fakeProgram(
      '[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; echo "no namespaces here" >&2; exit 1',
    );
    const sandbox = await open({ programs: [program], mode: 'required' });
    expect(sandbox.status.text).toBe('no sandbox: bubblewrap 0.8.0 does not hold here: no namespaces here');
    await expect(sandbox.enter(REQUEST)).rejects.toMatchObject({ code: 'sandbox_required' });
  });

  it.runIf(hasBubblewrap)('it starts commands and holds nothing', async () => {
    const bare = 'while [ "$1" != -- ]; do shift; done; shift; exec /usr/bin/bwrap --unshare-user --dev-bind / / "$@"';
    const program = await fakeProgram(`[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; ${bare}`);
    const { status } = await open({ programs: [program] });
    expect(status.mechanism).toBe('none');
    expect(status.problem).toMatch(/does not hold here: not kept: .*files outside the workspace.*secrets.*no network/);
    expect(status.probes.filter(({ holds }) => holds).map(({ name }) => name)).not.toContain('write');
  });
});

it.runIf(hasBubblewrap)('a filter that is missing is noticed', async () => {
  const { status } = await open({ architecture: 'riscv64' });
  expect(status.problem).toContain('not kept: Unix sockets are closed');
});

it.runIf(hasBubblewrap)(
  'where the way to the allowed hosts does not hold there is none, and the rest holds',
  async () => {
    const version = '[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit';
    const program = await fakeProgram(
      `${version}; case "$*" in *proxyPort*) echo "no way" >&2; exit 1;; esac; exec /usr/bin/bwrap "$@"`,
    );
    const places = (): SandboxPlaces => ({
      roots: [workspace.path('w')],
      tempDir: workspace.path('temp'),
      home: workspace.path('home'),
      agentFolders: [],
      hosts: ['a.example'],
    });
    const sandbox = await open({ programs: [program], places });
    const note = 'the way to the allowed hosts does not hold: no way';
    expect(sandbox.status).toMatchObject({ mechanism: 'bubblewrap', network: 'off', hosts: [], note });
    expect(sandbox.status.text).toBe(
      'sandbox: bubblewrap 0.8.0, network off (the way to the allowed hosts does not hold: no way), 8 of 8 proofs hold',
    );
    const command = await sandbox.enter({ ...REQUEST, cwd: workspace.path('w') });
    expect(command.argv.join(' ')).not.toContain('proxyPort');
    await command.finish();
  },
);

it('nothing of a proof stays', async () => {
  const { status } = await open({});
  expect(status.mode).toBe('auto');
  expect(readdirSync(workspace.path('state'))).toEqual(['tmp']);
  expect(readdirSync(workspace.path('w'))).toEqual([]);
  expect(leftOfProofs()).toEqual([]);
});

it.runIf(hasBubblewrap)('a proof that fails or is ended leaves nothing, and takes away what others left', async () => {
  await open({ architecture: 'riscv64' });
  expect(leftOfProofs()).toEqual([]);
  await open({ programs: [await fakeProgram('[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; kill -9 $$')] });
  expect(leftOfProofs()).toEqual([]);
  // As a process leaves them that was killed in the middle.
  const [running, left] = ['state/proof-new/workspace', 'state/proof-old/secret'].map((name) => workspace.path(name));
  const inside = join(workspace.path('state/tmp'), relative('/tmp', workspace.path('state')), 'proof-old', 'secret');
  for (const path of [running, left, inside]) await mkdir(path ?? '', { recursive: true });
  const before = new Date(Date.now() - 3_600_000);
  for (const path of [left, inside]) await utimes(dirname(path ?? ''), before, before);
  await open({});
  expect(leftOfProofs()).toEqual(['proof-new']);
});

it.runIf(hasBubblewrap)('no link that a command left in its temp folder leads the removal elsewhere', async () => {
  await mkdir(workspace.path('state/tmp'), { recursive: true });
  const precious = workspace.path('home/proof-of-work');
  await mkdir(precious, { recursive: true });
  await utimes(precious, new Date(0), new Date(0));
  const inside = join(workspace.path('state/tmp'), relative('/tmp', workspace.path('state')));
  await mkdir(dirname(inside), { recursive: true });
  await symlink(workspace.path('home'), inside);
  await open({});
  expect(existsSync(precious)).toBe(true);
});

function leftOfProofs(): string[] {
  const names = readdirSync(workspace.path('state'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => basename(name).startsWith('proof-'));
}
