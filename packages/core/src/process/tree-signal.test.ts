import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ProcessTree } from './process-tree.js';
import { treeLife, treeSignal, type TreeState } from './tree-signal.js';

const listed: TreeState = { pid: 50, hasExited: false, isListed: true, living: [50, 51] };
const unlisted: TreeState = { pid: 50, hasExited: false, isListed: false, living: [] };

describe('on Linux and macOS a signal goes', () => {
  it('to the group and to each process that lives', () => {
    expect(treeSignal(listed, 'SIGTERM', 'linux')).toEqual({ pids: [-50, 50, 51] });
    expect(treeSignal(unlisted, 'SIGTERM', 'darwin')).toEqual({ pids: [-50] });
  });

  it('to no group whose number may be somebody else’s, unless nothing else is known', () => {
    expect(treeSignal({ ...listed, hasExited: true, living: [51] }, 'SIGKILL', 'linux')).toEqual({ pids: [51] });
    expect(treeSignal({ ...unlisted, hasExited: true }, 'SIGKILL', 'darwin')).toEqual({ pids: [-50] });
  });
});

describe('on Windows', () => {
  it('a signal that ends takes the whole tree, by a program of the system with its full path', () => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)
      expect(treeSignal(unlisted, name, 'win32')).toEqual({
        pids: [50],
        program: [String.raw`C:\Windows\System32\taskkill.exe`, '/pid', '50', '/t', '/f'],
      });
  });

  it('nothing is sent for other signals, nor to a number that may be somebody else’s', () => {
    expect(treeSignal(unlisted, 'SIGCONT', 'win32')).toEqual({ pids: [] });
    expect(treeSignal({ ...unlisted, hasExited: true }, 'SIGKILL', 'win32')).toEqual({ pids: [] });
  });
});

it('a tree lives as long as its command or a listed process does; else its group is asked where there are groups', () => {
  expect(treeLife(listed, 'linux')).toBe('alive');
  expect(treeLife({ ...listed, living: [] }, 'linux')).toBe('alive');
  expect(treeLife({ ...listed, hasExited: true }, 'linux')).toBe('alive');
  expect(treeLife({ ...listed, hasExited: true, living: [] }, 'linux')).toBe('gone');
  expect(treeLife(unlisted, 'darwin')).toBe('group');
  expect(treeLife({ ...unlisted, hasExited: true }, 'darwin')).toBe('group');
  expect(treeLife(unlisted, 'win32')).toBe('alive');
  expect(treeLife({ ...unlisted, hasExited: true }, 'win32')).toBe('gone');
});

it('the command itself gets the signal where the program of the system cannot be run', async () => {
  const child = spawn('sleep', ['100'], { detached: true, stdio: 'ignore' });
  const tree = new ProcessTree(child.pid ?? 0, 'none', 'win32');
  const exited = once(child, 'exit').then((how: unknown[]) => {
    tree.rootExited();
    return how;
  });
  await tree.end(5_000);
  expect(await exited).toEqual([null, 'SIGTERM']);
  expect(tree.leftRunning()).toBe(0);
});
