import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runInProcess, type Finished } from '../../testing/run-in-process.js';

const hasBubblewrap = existsSync('/usr/bin/bwrap') || process.env['TENON_SANDBOX'] === 'required';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-call-')));
  await mkdir(path.join(folder, 'work'));
  await mkdir(path.join(folder, 'home', '.tenon'), { recursive: true });
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function call(settings: unknown): Promise<Finished> {
  await writeFile(path.join(folder, 'home', '.tenon', 'settings.json'), JSON.stringify(settings));
  return runInProcess(folder, ['call', 'list_directory', JSON.stringify({ path: path.join(folder, 'work') })]);
}

it.runIf(hasBubblewrap)('says nothing of a sandbox that holds', async () => {
  for (const sandbox of ['auto', 'required']) expect(await call({ sandbox })).toMatchObject({ code: 0, stderr: '' });
});

it.skipIf(hasBubblewrap)(
  'warns where there is none (skipped where bubblewrap is: it is looked for in the system, whatever PATH says)',
  async () => {
    expect((await call({ sandbox: 'auto' })).stderr).toContain('tenon: warning: no sandbox: ');
  },
);
