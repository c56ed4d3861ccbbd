import { execFileSync } from 'node:child_process';
import { readdirSync, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { RecordedRequest, ScriptedTurn } from '@tenon/core/testing';
import { createBench, type Bench } from './cli-process.js';

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});

/** The agent above hands work on and has no more to say until it is told of it; the one below changes a file. */
function answer({ body }: RecordedRequest): ScriptedTurn {
  const text = JSON.stringify(body.messages);
  const turn = body.messages.filter(({ role }) => role === 'assistant').length;
  if (!text.includes('You are the subagent')) {
    const order = { description: 'a task', prompt: 'do it', run_in_background: true, isolation: 'worktree' };
    if (turn === 0) return call('task', order);
    return { text: text.includes('> I changed it.') ? 'It is done.' : 'It works still.' };
  }
  const tree = /git worktree of your own: (\S+?)\. It is/.exec(text)?.[1] ?? '';
  return turn === 0
    ? call('write_file', { file_path: path.join(tree, 'new.txt'), content: 'new\n' })
    : { text: 'I changed it.' };
}

async function open(): Promise<Bench> {
  bench = await createBench(
    Array.from({ length: 20 }, () => answer),
    { files: { 'a.txt': 'one\n' } },
  );
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'first'],
  ])
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { cwd: bench.workspace });
  return bench;
}

const treesOf = ({ tenonHome }: Bench): string[] =>
  existsSync(`${tenonHome}-worktrees`)
    ? readdirSync(`${tenonHome}-worktrees`).flatMap((name) => readdirSync(path.join(`${tenonHome}-worktrees`, name)))
    : [];

it('a run without a terminal waits for its agents in the background, and takes over what they did', async () => {
  const { run, workspace } = await open();
  const { code, stdout, stderr } = await run(['-p', 'go', '--approval-mode', 'auto_edit', '--output-format', 'json']);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
  const result = JSON.parse(stdout) as { readonly result?: string; readonly text?: string };
  expect(JSON.stringify(result)).toContain('It is done.');
  expect(await readFile(path.join(workspace, 'new.txt'), 'utf8')).toBe('new\n');
  expect(treesOf(bench as Bench)).toEqual([]);
  const audit = (await run(['audit', 'show'])).stdout;
  expect(audit).toContain('general (a1) apply_patch What general (a1) changed in its worktree: new.txt');
  expect(audit).toContain(`would: write ${path.join(workspace, 'new.txt')}`);
  const replay = await run(['replay', 'newest']);
  expect([replay.code, replay.stdout]).toEqual([0, expect.stringContaining('it was made in a worktree of its own')]);
  const undone = await run(['undo']);
  expect([undone.code, existsSync(path.join(workspace, 'new.txt'))]).toEqual([0, false]);
});

it('tells how to take changes back when they were taken over, and not when they were declined', async () => {
  const { run, workspace } = await open();
  const declined = await run(['-p', 'go', '--allow', 'write_file']);
  expect(existsSync(path.join(workspace, 'new.txt'))).toBe(false);
  expect(treesOf(bench as Bench)).toHaveLength(1);
  expect(declined.stderr).not.toContain('files were changed');
  expect([declined.code, declined.stderr]).toEqual([4, expect.stringContaining('changed in its worktree: new.txt')]);
  await bench?.end();
  const again = await open();
  const taken = await again.run(['-p', 'go', '--approval-mode', 'auto_edit']);
  expect(taken.stderr).toContain('files were changed: "tenon diff --turn" shows how');
});

it('a run in plan mode changes nothing, and leaves no worktree behind', async () => {
  const { run, workspace } = await open();
  const { stdout } = await run(['-p', 'go', '--approval-mode', 'plan']);
  expect(stdout).toContain('It is done.');
  expect([existsSync(path.join(workspace, 'new.txt')), treesOf(bench as Bench)]).toEqual([false, []]);
});
