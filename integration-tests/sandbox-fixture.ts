import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SandboxPlaces } from '../packages/core/src/sandbox/make-plan.js';
import { openSandbox } from '../packages/core/src/sandbox/open-sandbox.js';
import type { Sandbox, SandboxedCommand, SandboxFindings } from '../packages/core/src/sandbox/sandbox-types.js';

export interface SandboxFixture {
  readonly base: string;
  readonly root: string;
  readonly home: string;
  readonly state: string;
  readonly places: SandboxPlaces;
  remove(): Promise<void>;
}

export interface InsideResult {
  readonly code: number | null;
  /** stdout and stderr. */
  readonly output: string;
  readonly findings: SandboxFindings;
}

/** A workspace, a home and a state folder; not below `/tmp` where that can be, since `/tmp` is another one inside. */
export async function makeFixture(
  entries: Readonly<Record<string, string>> = {},
  more: Partial<SandboxPlaces> = {},
): Promise<SandboxFixture> {
  const base = await realpath(await mkdtemp(join(isWritable('/var/lib') ? '/var/lib' : tmpdir(), 'tenon-sandbox-')));
  const [root, home, state, temp] = ['root', 'home', 'state', 'temp'].map((name) => join(base, name));
  if (root === undefined || home === undefined || state === undefined || temp === undefined)
    throw new Error('no places');
  await Promise.all([root, home, state, temp].map(async (folder) => mkdir(folder)));
  for (const [name, text] of Object.entries(entries)) {
    await mkdir(dirname(join(base, name)), { recursive: true });
    if (!name.endsWith('/')) await writeFile(join(base, name), text);
    else await mkdir(join(base, name), { recursive: true });
  }
  const places: SandboxPlaces = { roots: [root], tempDir: temp, home, agentFolders: [join(home, '.tenon')], ...more };
  const remove = async (): Promise<void> => rm(base, { recursive: true, force: true });
  return { base, root, home, state, places, remove };
}

export async function openFixture({ places, state }: SandboxFixture): Promise<Sandbox> {
  return openSandbox({ mode: 'auto', stateFolder: state, node: process.execPath, places: () => places });
}

/**
 * Why the real sandbox cannot be tried here; undefined when it can. Where `TENON_SANDBOX=required` is set, as CI does, a missing
 * bubblewrap is no such reason.
 */
export async function whyNotHere(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'bubblewrap is for Linux';
  const fixture = await makeFixture();
  const { status } = await openFixture(fixture);
  await fixture.remove();
  const isKernel = /namespace|Operation not permitted|setting up uid map|Can't mount/i.test(status.problem ?? '');
  const isMissing = status.problem?.includes('not installed') === true && process.env['TENON_SANDBOX'] !== 'required';
  return isKernel || isMissing ? status.problem : undefined;
}

/** Runs a bash script inside. */
export async function runInside(
  sandbox: Sandbox,
  { root, home }: SandboxFixture,
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<InsideResult> {
  const command = await sandbox.enter({
    argv: ['/bin/bash', '-c', script],
    cwd: root,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: home, ...env },
  });
  const { code, output } = await runPrepared(command);
  return { code, output, findings: await command.finish() };
}

/** `wrapper`: words before the command, such as those that make it another user's. */
export async function runPrepared(
  { argv, cwd, env, descriptors }: Omit<SandboxedCommand, 'finish'>,
  wrapper: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const [program = '', ...args] = [...wrapper, ...argv];
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', ...descriptors], detached: true });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return { code: child.exitCode, output: Buffer.concat(chunks).toString() };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
