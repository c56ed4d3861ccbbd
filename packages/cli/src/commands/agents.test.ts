import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExitCode } from '../exit-codes.js';
import { runInProcess } from '../testing/run-in-process.js';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-agents-')));
  for (const name of ['home/.tenon/agents', 'work/.claude/agents'])
    await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(
    path.join(folder, 'home/.tenon/agents/reviewer.md'),
    '---\nname: reviewer\ndescription: Reads changes \u001b[31mclosely.\ntools: read_file, grep_search\nmodel: small\n---\nLook for bugs.\n',
  );
  await writeFile(path.join(folder, 'work/.claude/agents/held.md'), '---\nname: held\ndescription: x\n---\nx\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('lists the kinds of agents with where each is from, and what is withheld', async () => {
  const { code, stdout } = await runInProcess(folder, ['agents']);
  expect(code).toBe(ExitCode.OK);
  expect(stdout).toMatch(/^ {2}general: .*\(built in, all tools\)$/m);
  expect(stdout).toMatch(/^ {2}explore: .*plan mode at most/m);
  expect(stdout).toMatch(/^ {2}reviewer: Reads changes .*yours, .*reviewer\.md, 2 tools, model small\)$/m);
  expect(stdout).toContain('not trusted');
  expect(stdout).toContain('work/.claude/agents/held.md');
  expect(stdout).not.toContain('\u001b');
  const json = JSON.parse((await runInProcess(folder, ['agents', 'list', '--json'])).stdout);
  expect(json).toMatchObject({ withheld: [expect.stringContaining('held.md')], problems: [] });
});

it('shows one with what it is told, and says what was meant', async () => {
  const { stdout } = await runInProcess(folder, ['agents', 'show', 'Reviewer']);
  expect(stdout).toContain('Tools: read_file, grep_search');
  expect(stdout).toContain('Look for bugs.');
  const json = JSON.parse((await runInProcess(folder, ['agents', 'show', 'reviewer', '--json'])).stdout);
  expect(json).toMatchObject({ name: 'reviewer', origin: 'user', model: 'small' });
  const unknown = await runInProcess(folder, ['agents', 'show', 'reviwer']);
  expect([unknown.code, unknown.stderr]).toEqual([ExitCode.USAGE, expect.stringContaining('Did you mean reviewer?')]);
  expect((await runInProcess(folder, ['agents', 'show', 'held'])).stderr).toContain('not trusted');
  expect((await runInProcess(folder, ['agents', 'show'])).code).toBe(ExitCode.USAGE);
  expect((await runInProcess(folder, ['agents', 'burn'])).code).toBe(ExitCode.USAGE);
});

it('checks the files, and ends with 1 when one is wrong', async () => {
  expect(await runInProcess(folder, ['agents', 'check'])).toMatchObject({ code: ExitCode.OK });
  await writeFile(path.join(folder, 'home/.tenon/agents/bad.md'), '---\nname: [\n---\n');
  const { code, stdout } = await runInProcess(folder, ['agents', 'check']);
  expect([code, stdout]).toEqual([ExitCode.UNEXPECTED, expect.stringContaining('bad.md')]);
});
