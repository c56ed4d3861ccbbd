import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.js';

let folder = '';
afterEach(async () => rm(folder, { recursive: true, force: true }));

it('shows a command that ends in a full stop as it is, without another one', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tenon-add-'));
  for (const name of ['home/.tenon', 'work']) await mkdir(path.join(folder, name), { recursive: true });
  const { code, stdout } = await runInProcess(folder, ['mcp', 'add', 'files', '--', 'npx', 'server', '.']);
  expect(code).toBe(0);
  expect(stdout).toContain('It runs npx server .\n`tenon mcp test files` tries it.\n');
});

it('adds to the project where --project says so', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tenon-add-'));
  for (const name of ['home/.tenon', 'work']) await mkdir(path.join(folder, name), { recursive: true });
  const { stdout } = await runInProcess(folder, ['mcp', 'add', 'files', '--project', '--', 'npx']);
  expect(stdout).toContain(path.join('work', '.tenon', 'settings.json'));
});
