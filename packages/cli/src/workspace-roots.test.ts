import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExitCode } from './exit-codes.js';
import { workspaceRoots } from './workspace-roots.js';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-roots-')));
  await mkdir(path.join(folder, 'a'));
  await mkdir(path.join(folder, 'b'));
  await writeFile(path.join(folder, 'file'), '');
  await symlink('a', path.join(folder, 'link'));
  await symlink('/', path.join(folder, 'top'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('gives canonical folders, the target first and none twice', async () => {
  expect(await workspaceRoots(folder, undefined, [])).toEqual([folder]);
  expect(await workspaceRoots(folder, 'link', ['b', 'a', '.'])).toEqual([
    path.join(folder, 'a'),
    path.join(folder, 'b'),
    folder,
  ]);
});

it.each([
  ['nowhere', 'does not exist'],
  ['file', 'is a file'],
  ['file/below', 'lies below a file'],
  ['/', 'is the root of the file system'],
  ['top', 'is the root of the file system'],
  ['a\0b', 'holds a NUL'],
])('refuses %j with one line and its own exit code', async (chosen, message) => {
  const refused = { exitCode: ExitCode.WORKSPACE, message: expect.stringContaining(message) };
  await expect(workspaceRoots(folder, chosen, [])).rejects.toMatchObject(refused);
  await expect(workspaceRoots(folder, undefined, [chosen])).rejects.toMatchObject(refused);
});

it('says so when the current folder is gone', async () => {
  await expect(workspaceRoots(undefined, undefined, [])).rejects.toThrow('no longer exists');
  expect(await workspaceRoots(undefined, folder, [])).toEqual([folder]);
});
