import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApprovalMode, createAgent, createModel } from '@tenon/core';
import { startScriptedModel, type ScriptedTurn } from '@tenon/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExitCode } from '../exit-codes.js';
import { runInProcess } from '../testing/run-in-process.js';

let folder: string;
let work: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-records-')));
  work = path.join(folder, 'work');
  for (const name of ['home/.tenon', 'work']) await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(work, 'a.txt'), 'one\ntwo\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(work, name);
const call = (name: string, args: Readonly<Record<string, unknown>>) => ({ name, arguments: args });

/** A session in which these calls are made; its log. */
async function session(calls: ScriptedTurn['toolCalls'] = [], text = 'Do it.'): Promise<{ id: string; file: string }> {
  const model = await startScriptedModel([...calls.map((one) => ({ toolCalls: [one] })), { text: 'done' }]);
  const agent = await createAgent({
    roots: [work],
    tenonHome: path.join(folder, 'home', '.tenon'),
    userHome: path.join(folder, 'home'),
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: process.env,
    model: await createModel({
      provider: { value: 'openai', origin: 'test' },
      model: { value: 'scripted', origin: 'test' },
      baseUrl: { value: model.baseUrl, origin: 'test' },
      auth: 'key',
    }),
    version: 'test',
  });
  for await (const _ of agent.prompt(text));
  await agent.close();
  await model.close();
  return { id: agent.sessionId, file: agent.sessionFile };
}

it('tenon sessions lists them, for people and as JSON', async () => {
  expect((await runInProcess(folder, ['sessions'])).stdout).toContain('no session here yet');
  const { id } = await session([], 'Why is it \u001b[31mred?');
  const { code, stdout } = await runInProcess(folder, ['sessions']);
  expect(code).toBe(ExitCode.OK);
  expect(stdout).toContain(id.slice(0, 8));
  expect(stdout).toContain('(1 message)');
  expect(stdout).not.toContain('\u001b');
  expect(JSON.parse((await runInProcess(folder, ['sessions', '--json'])).stdout)).toMatchObject([{ id, messages: 1 }]);
});

it('tenon audit verify says whether a log is what was written, and exits with 1 when it is not', async () => {
  const { id, file } = await session();
  const good = await runInProcess(folder, ['audit', 'verify']);
  expect([good.code, good.stdout]).toEqual([ExitCode.OK, expect.stringContaining('intact')]);
  await writeFile(file, (await readFile(file, 'utf8')).replace('Do it.', 'Do that.'));
  const bad = await runInProcess(folder, ['audit', 'verify', id.slice(0, 8)]);
  expect([bad.code, bad.stdout]).toEqual([ExitCode.UNEXPECTED, expect.stringContaining('Line 2 was changed')]);
  const json = await runInProcess(folder, ['audit', 'verify', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ status: 'broken', sessionId: id, faults: [{ line: 2 }] });
  expect((await runInProcess(folder, ['audit', 'verify', 'nothing-like-it'])).code).toBe(ExitCode.USAGE);
  expect((await runInProcess(folder, ['audit', 'burn'])).code).toBe(ExitCode.USAGE);
});

it('tenon audit show tells what was done, who let it and what it changed', async () => {
  await session([call('write_file', { file_path: at('new.txt'), content: 'new\n' })]);
  const { code, stdout } = await runInProcess(folder, ['audit', 'show']);
  expect(code).toBe(ExitCode.OK);
  for (const words of ['you: Do it.', 'write_file', `would: write ${at('new.txt')}`, 'policy: allow', 'ended: success'])
    expect(stdout).toContain(words);
  expect(stdout).toContain(`changed: ${at('new.txt')}`);
  const steps = JSON.parse((await runInProcess(folder, ['audit', 'show', '--json'])).stdout);
  expect(steps).toMatchObject([{ kind: 'session' }, { kind: 'prompt' }, { kind: 'call', changed: [at('new.txt')] }]);
});

it('tenon replay makes the calls again on a copy as it was before, and touches nothing else', async () => {
  const { id } = await session([
    call('read_file', { absolute_path: at('a.txt') }),
    call('edit', { file_path: at('a.txt'), old_string: 'two', new_string: '2' }),
    call('write_file', { file_path: at('new.txt'), content: 'new\n' }),
    call('read_file', { absolute_path: at('new.txt') }),
    call('write_file', { file_path: path.join(folder, 'outside.txt'), content: 'mine\n' }),
    call('run_shell_command', { command: 'pwd && cat a.txt' }),
    call('run_shell_command', { command: 'curl -s http://127.0.0.1:9/' }),
  ]);
  await writeFile(at('new.txt'), 'changed since\n');
  await writeFile(path.join(folder, 'outside.txt'), 'since\n');
  const before = await readdir(folder);
  const { code, stdout } = await runInProcess(folder, ['replay', id.slice(0, 8)]);
  expect(stdout).toContain('7 calls: 6 the same, 0 different, 1 left out');
  expect(code).toBe(ExitCode.OK);
  expect(await readFile(at('new.txt'), 'utf8')).toBe('changed since\n');
  expect(await readFile(at('a.txt'), 'utf8')).toBe('one\n2\n');
  expect(await readFile(path.join(folder, 'outside.txt'), 'utf8')).toBe('since\n');
  expect(await readdir(folder)).toEqual(before);
});

it('tenon replay tells what came to something else, and exits with 1', async () => {
  await writeFile(at('b.txt'), 'then\n');
  const { id } = await session([call('read_file', { absolute_path: at('b.txt') })]);
  await writeFile(at('b.txt'), 'now it is another\n');
  const { code, stdout } = await runInProcess(folder, ['replay', id]);
  expect(code).toBe(ExitCode.UNEXPECTED);
  expect(stdout).toContain('different: read_file');
  expect(stdout).toContain('now it is another');
  const json = JSON.parse((await runInProcess(folder, ['replay', id, '--json'])).stdout);
  expect(json).toMatchObject({ root: work, same: 0, different: 1, skipped: 0, calls: [{ result: 'different' }] });
});
