import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { ExitCode } from '../exit-codes.js';
import { runInProcess } from '../testing/run-in-process.js';

it('reads the settings once, so that each warning is said once', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-start-')));
  const tenonHome = path.join(folder, 'home', '.tenon');
  try {
    await mkdir(path.join(folder, 'work'));
    await mkdir(tenonHome, { recursive: true });
    const model = { provider: 'openai', name: 'm', baseUrl: 'http://127.0.0.1:9/v1' };
    const settings = JSON.stringify({ model, shell: { onTimeout: 'never' } });
    await writeFile(path.join(tenonHome, 'settings.json'), settings);
    const stdin = new PassThrough();
    stdin.end();
    const { code, stdout, stderr } = await runInProcess(folder, ['start'], { stdin: () => stdin });
    // Nobody is there to give a prompt: it ends before anything is sent.
    expect([code, (stdout + stderr).match(/shell\.onTimeout/g)?.length]).toEqual([ExitCode.USAGE, 1]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
