import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorktreeBench, type WorktreeBench } from '../../testing/worktree-bench.js';
import type { Worktree } from './open-worktree.js';
import { trustInWorktree } from './trust-in-worktree.js';

let bench: WorktreeBench;
let worktree: Worktree;
beforeEach(async () => {
  bench = await createWorktreeBench({ entries: { 'sub/a.txt': 'a\n' } });
  worktree = await bench.open();
});
afterEach(async () => bench.remove());

/** The agent above trusts exactly these folders. */
const above = (...folders: readonly string[]) => ({
  isTrustedRepository: (folder: string) => folders.includes(folder),
});

it('a worktree is trusted as what it was made from, and so is every folder in it', () => {
  const { folder, from } = worktree;
  expect(from).toBe(bench.at.workspace.root);
  for (const each of [folder, join(folder, 'sub')]) {
    expect(trustInWorktree(worktree, above(from))(each)).toBe(true);
    expect(trustInWorktree(worktree, above())(each)).toBe(false);
    // What is trusted elsewhere says nothing of it, nor does the worktree's own folder.
    expect(trustInWorktree(worktree, above(folder))(each)).toBe(false);
  }
});

it('of other folders the agent above knows: repositories in it, what links lead to, and what is not there', () => {
  const { folder, from } = worktree;
  const isTrusted = trustInWorktree(worktree, above(from, '/trusted'));
  mkdirSync(join(folder, 'own'));
  bench.git(['init', '-q'], join(folder, 'own'));
  symlinkSync(dirname(folder), join(folder, 'out'));
  expect([isTrusted(join(folder, 'own')), isTrusted(join(folder, 'out')), isTrusted(join(folder, 'gone'))]).toEqual([
    false,
    false,
    false,
  ]);
  expect(isTrusted(from)).toBe(true);
});

it('it ends with a setting that starts a program, of the repository or of the worktree alone, and with another .git', () => {
  const { folder, from } = worktree;
  const isTrusted = trustInWorktree(worktree, above(from));
  expect(isTrusted(folder)).toBe(true);
  bench.git(['config', 'core.fsmonitor', 'prog']);
  expect(isTrusted(folder)).toBe(false);
  bench.git(['config', '--unset', 'core.fsmonitor']);
  expect(isTrusted(folder)).toBe(true);
  const [id = ''] = bench.left().known;
  const own = join(from, '.git', 'worktrees', id, 'config.worktree');
  expect(existsSync(dirname(own))).toBe(true);
  writeFileSync(own, '[core]\n\tpager = prog\n');
  expect(isTrusted(folder)).toBe(false);
  writeFileSync(own, '');
  expect(isTrusted(folder)).toBe(true);
  writeFileSync(join(folder, '.git'), `gitdir: ${join(folder, 'made')}\n`);
  mkdirSync(join(folder, 'made'));
  expect(isTrusted(folder)).toBe(false);
});
