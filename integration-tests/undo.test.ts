import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChangeDiff, ChangeLog, RevertReport } from '@tenon/core';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { createBench, type Bench, type Finished } from './cli-process.js';

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

function here(): Bench {
  if (bench === undefined) throw new Error('no bench is open');
  return bench;
}

const at = (name: string): string => path.join(here().workspace, name);
const read = (name: string): Promise<string> => readFile(at(name), 'utf8');
const tenon = (...args: string[]): Promise<Finished> => here().run(args);

const edit = (name: string, from: string, to: string): TurnFunction => {
  return () => ({
    toolCalls: [{ name: 'edit', arguments: { file_path: at(name), old_string: from, new_string: to } }],
  });
};
const write = (name: string, content: string): TurnFunction => {
  return () => ({ toolCalls: [{ name: 'write_file', arguments: { file_path: at(name), content } }] });
};
const done: ScriptedTurn = { text: 'Done.' };

/** A session that makes these calls in answer to one prompt for each list. */
async function session(
  files: Readonly<Record<string, string>>,
  ...prompts: readonly (readonly TurnFunction[])[]
): Promise<void> {
  bench = await createBench(
    prompts.flatMap((turns) => [...turns, done]),
    { files },
  );
  for (const [index] of prompts.entries()) {
    const { code, stderr } = await tenon('-p', `prompt ${index}`, '--approval-mode', 'auto_edit');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  }
}

async function json<T>(...args: string[]): Promise<T> {
  const { stdout } = await tenon(...args, '--json');
  return JSON.parse(stdout) as T;
}

describe('tenon undo', () => {
  it('takes back the last call, and redo makes it again', async () => {
    await session({ 'a.txt': 'one\ntwo\nthree\n' }, [edit('a.txt', 'two', 'TWO'), write('new/b.txt', 'b\n')]);
    await chmod(at('a.txt'), 0o755);
    const first = await tenon('undo');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Took back 1 call:\n {2}[0-9a-f]{8} {2}write_file /);
    expect(first.stdout).toContain(`${at('new/b.txt')}: deleted`);
    await expect(stat(at('new'))).rejects.toThrow('ENOENT');
    expect((await tenon('undo')).stdout).toContain(`${at('a.txt')}: restored`);
    expect(await read('a.txt')).toBe('one\ntwo\nthree\n');
    expect((await stat(at('a.txt'))).mode & 0o777).toBe(0o755);
    expect(await tenon('undo')).toMatchObject({
      code: 10,
      stdout: '',
      stderr: expect.stringMatching(/^tenon: There is nothing to undo/),
    });
    expect((await tenon('redo')).code).toBe(0);
    expect((await tenon('redo')).code).toBe(0);
    expect([await read('a.txt'), await read('new/b.txt')]).toEqual(['one\nTWO\nthree\n', 'b\n']);
    expect(await tenon('redo')).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('There is nothing to redo'),
    });
  });

  it('keeps what a person changed meanwhile, or leaves the file alone and says so', async () => {
    await session({ 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n', 'mine.txt': 'mine\n' }, [
      edit('a.txt', '2', 'TWO'),
      edit('b.txt', 'b', 'B'),
    ]);
    await writeFile(at('a.txt'), '1\nTWO\n3\n4\n5\nadded\n');
    await writeFile(at('b.txt'), 'B!\n');
    await writeFile(at('mine.txt'), 'changed\n');
    const dry = await json<RevertReport>('undo', '2', '--dry-run');
    expect(dry.files.map(({ result }) => result)).toEqual(['merged', 'left']);
    expect(await read('a.txt')).toBe('1\nTWO\n3\n4\n5\nadded\n');
    const { code, stdout } = await tenon('undo', '2');
    expect(code).toBe(10);
    expect(stdout).toContain(`${at('b.txt')}: left alone: the same lines were changed since (line 1)`);
    expect(await read('a.txt')).toBe('1\n2\n3\n4\n5\nadded\n');
    expect([await read('b.txt'), await read('mine.txt')]).toEqual(['B!\n', 'changed\n']);
  });

  it('takes back a call by its id, a whole turn, and everything after a call', async () => {
    await session(
      { 'a.txt': 'a\n' },
      [edit('a.txt', 'a', 'b')],
      [edit('a.txt', 'b', 'c'), write('x.txt', 'x\n'), write('y.txt', 'y\n')],
    );
    const { calls } = await json<ChangeLog>('log');
    expect(calls.map(({ number, toolName }) => [number, toolName])).toEqual([
      [1, 'write_file'],
      [2, 'write_file'],
      [3, 'edit'],
      [4, 'edit'],
    ]);
    const [, x, , oldest] = calls.map(({ id }) => id);
    expect((await tenon('undo', x ?? '')).code).toBe(0);
    await expect(stat(at('x.txt'))).rejects.toThrow('ENOENT');
    expect(await read('y.txt')).toBe('y\n');
    expect((await tenon('undo', '--turn')).stdout).toContain('Took back 2 calls:');
    expect(await read('a.txt')).toBe('b\n');
    await tenon('redo');
    expect((await tenon('undo', '--to', oldest ?? '')).code).toBe(0);
    expect(await read('a.txt')).toBe('b\n');
    expect(await tenon('undo', 'nonsense')).toMatchObject({ code: 2, stderr: expect.stringContaining('"nonsense"') });
    expect(await tenon('undo', '2', '--turn')).toMatchObject({ code: 2 });
  });

  it('takes back what a command changed', async () => {
    const command = 'printf new > made.txt && rm a.txt';
    bench = await createBench(
      [{ toolCalls: [{ name: 'run_shell_command', arguments: { command, description: 'for the test' } }] }, done],
      { files: { 'a.txt': 'a\n', '.git/HEAD': 'ref: refs/heads/main\n' } },
    );
    await tenon('-p', 'x', '--approval-mode', 'yolo');
    expect(await read('made.txt')).toBe('new');
    expect((await tenon('undo')).code).toBe(0);
    expect(await read('a.txt')).toBe('a\n');
    await expect(stat(at('made.txt'))).rejects.toThrow('ENOENT');
  });

  it('works with broken settings, in a folder named by --cwd, and follows no link put in its way', async () => {
    await session({ 'a.txt': 'one\n' }, [edit('a.txt', 'one', 'two')]);
    await writeFile(path.join(here().tenonHome, 'settings.json'), '{ broken');
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere/a.txt'), 'two\n');
    await unlink(at('a.txt'));
    await symlink('elsewhere/a.txt', at('a.txt'));
    const refused = await tenon('undo');
    expect(refused).toMatchObject({ code: 10, stdout: expect.stringContaining('a link leads elsewhere') });
    expect(refused.stdout).toMatch(/^Could not take back 1 call:/);
    expect(await read('elsewhere/a.txt')).toBe('two\n');
    await rm(at('a.txt'));
    await writeFile(at('a.txt'), 'two\n');
    const other = await here().run(['undo', '--cwd', here().workspace], { cwd: at('elsewhere') });
    expect(other.code).toBe(0);
    expect(await read('a.txt')).toBe('one\n');
  });
});

describe('tenon log and tenon diff', () => {
  it('show what was changed', async () => {
    await session({ 'a.txt': 'one\ntwo\n' }, [edit('a.txt', 'two', 'TWO\u001b[31m'), write('b.txt', 'b\n')]);
    await tenon('undo');
    const log = await tenon('log');
    expect(log).toMatchObject({ code: 0, stderr: '' });
    const lines = log.stdout.split('\n');
    expect(lines[0]).toMatch(/^· {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}[0-9a-f]{8} {2}undo of [0-9a-f]{8}$/);
    expect(lines.slice(1, 6)).toEqual([
      '     D b.txt +0 -1',
      expect.stringMatching(/^· {2}.* {2}write_file .*turn 1 \(undone\)$/),
      '     A b.txt +1 -0',
      expect.stringMatching(/^1 {2}.* {2}edit .*turn 1$/),
      '     M a.txt +1 -1',
    ]);
    const diff = await tenon('diff');
    expect(diff.stdout).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\u001b[31m\n');
    await writeFile(at('a.txt'), 'other\n');
    expect((await tenon('diff')).stderr).toBe('tenon: a.txt has changed since\n');
    const { files } = await json<ChangeDiff>('diff', '1');
    expect(files).toMatchObject([{ name: 'a.txt', change: 'modified', changedSince: true, added: 1, removed: 1 }]);
  });

  it('give a pipe a diff that git can apply, backwards too', async () => {
    const files = { 'é "b".txt': 'old\n' };
    bench = await createBench([edit('é "b".txt', 'old', 'new'), write('a b/new.txt', 'new'), done], { files });
    await tenon('-p', 'x', '--approval-mode', 'auto_edit');
    const patch = path.join(here().tenonHome, 'changes.diff');
    const { stdout } = await tenon('diff', '2');
    await writeFile(patch, stdout);
    execFileSync('git', ['apply', '-R', patch], { cwd: here().workspace });
    expect(await read('é "b".txt')).toBe('old\n');
    await expect(stat(at('a b/new.txt'))).rejects.toThrow('ENOENT');
    execFileSync('git', ['apply', patch], { cwd: here().workspace });
    expect([await read('é "b".txt'), await read('a b/new.txt')]).toEqual(['new\n', 'new']);
  });

  it('say when there is nothing, and take no prompt for an order', async () => {
    await session({}, []);
    expect(await tenon('log')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was changed here') });
    expect(await tenon('diff')).toMatchObject({ code: 10, stdout: '' });
    expect(await tenon('log', 'x')).toMatchObject({ code: 2 });
    const prompt = await tenon('undo', 'the', 'last', 'change');
    expect(prompt).toMatchObject({ code: 2, stderr: expect.stringContaining('A prompt goes behind -p') });
  });
});
