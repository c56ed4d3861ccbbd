import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCommand, openUrl } from './open-url.js';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'open-url-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PAGE = 'https://login.example/a?b=$(touch x)&c=;ls';

async function opener(name: string, script: string): Promise<string> {
  const bin = path.join(folder, name);
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(bin, 'xdg-open'), `#!/bin/sh\n${script}\n`);
  await chmod(path.join(bin, 'xdg-open'), 0o755);
  return bin;
}

it.runIf(process.platform === 'linux')('gives the address to the program as one argument', async () => {
  const seen = path.join(folder, 'seen');
  const bin = await opener('bin', `printf '%s\\n' "$#" "$1" > ${seen}`);
  const env = { PATH: bin, DISPLAY: ':0' };
  expect(await openUrl(PAGE, { env, platform: 'linux', cwd: undefined })).toBe(true);
  expect(await readFile(seen, 'utf8')).toBe(`1\n${new URL(PAGE).href}\n`);
});

it.runIf(process.platform === 'linux')('tells when there is no browser', async () => {
  const bin = await opener('bin', 'exit 3');
  const options = { platform: 'linux', cwd: undefined } as const;
  expect(await openUrl(PAGE, { ...options, env: { PATH: bin, DISPLAY: ':0' } })).toBe(false);
  expect(await openUrl(PAGE, { ...options, env: { PATH: bin } })).toBe(false);
  expect(await openUrl(PAGE, { ...options, env: { PATH: folder, DISPLAY: ':0' } })).toBe(false);
});

it('starts nothing of the workspace, and nothing for what is no page', async () => {
  const bin = await opener('work/bin', '');
  const env = { PATH: `relative:${bin}`, WAYLAND_DISPLAY: 'w' };
  expect(openCommand(PAGE, { env, platform: 'linux', cwd: path.join(folder, 'work') })).toBeUndefined();
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', '--help', ''])
    expect(openCommand(url, { env, platform: 'darwin', cwd: undefined })).toBeUndefined();
});

it('knows the programs of other systems, without a shell', () => {
  const none = { env: { SystemRoot: 'D:\\W' }, cwd: undefined };
  expect(openCommand(PAGE, { ...none, platform: 'darwin' })?.[0]).toBe('/usr/bin/open');
  expect(openCommand(PAGE, { ...none, platform: 'win32' })).toEqual([
    'D:\\W\\System32\\rundll32.exe',
    'url.dll,FileProtocolHandler',
    new URL(PAGE).href,
  ]);
});
