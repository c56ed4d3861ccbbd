import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findDescendants, lowestNewPid, readProcesses, startOfProcess, type ProcessRow } from './process-table.js';

const root = { pid: 1000, started: 50, marker: 'm' };
const row = (pid: number, parent: number, started: number, rest: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  parent,
  group: pid,
  session: pid,
  started,
  ...rest,
});
const noMarker = (): boolean => false;
const pids = (rows: readonly ProcessRow[]): number[] => rows.map(({ pid }) => pid).sort((a, b) => a - b);

describe('findDescendants', () => {
  it('finds the group, the session, the children of children, and what carries the marker', () => {
    const rows = [
      row(1000, 1, 50),
      row(1001, 1000, 51, { group: 1000 }),
      row(1002, 1, 52, { session: 1000 }),
      row(1003, 1001, 53),
      row(1004, 1003, 54),
      row(1005, 1, 55),
      row(1006, 1, 56),
    ];
    expect(pids(findDescendants(root, new Map(), rows, (pid) => pid === 1005))).toEqual([
      1000, 1001, 1002, 1003, 1004, 1005,
    ]);
  });

  it('never takes a process that started earlier, whatever it looks like', () => {
    const rows = [row(1000, 1, 50), row(7, 1000, 49, { group: 1000, session: 1000 })];
    expect(pids(findDescendants(root, new Map([[7, 49]]), rows, () => true))).toEqual([1000]);
  });

  it("leaves a stranger alone that got the command's number, with the stranger's group", () => {
    const rows = [row(1000, 1, 90), row(1001, 1000, 91, { group: 1000 }), row(1002, 1, 60)];
    expect(pids(findDescendants(root, new Map(), rows, (pid) => pid === 1002))).toEqual([1002]);
  });

  it('knows a process again that lost its parent, but not another of the same number', () => {
    const known = new Map([
      [1001, 51],
      [1002, 52],
    ]);
    const rows = [row(1001, 1, 51), row(1002, 1, 99)];
    expect(pids(findDescendants(root, known, rows, noMarker))).toEqual([1001]);
  });

  it('takes nothing where processes cannot be told apart', () => {
    expect(findDescendants({ ...root, started: undefined }, new Map(), [row(1000, 1, 50)], () => true)).toEqual([]);
  });
});

describe('lowestNewPid', () => {
  it('is the number of the first one, unless numbers may have begun again', () => {
    expect(lowestNewPid(1000, 50, 1010, 32_768)).toBe(1000);
    expect(lowestNewPid(1000, 400, 1010, 32_768)).toBe(1);
    expect(lowestNewPid(1000, 400, 1010, 4_194_304)).toBe(1000);
    expect(lowestNewPid(1000, 1, 900, 32_768)).toBe(1);
    expect(lowestNewPid(32_760, 1, 32_762, 32_768)).toBe(1);
    for (const unknown of [0, Number.NaN]) {
      expect(lowestNewPid(1000, 1, unknown, 32_768)).toBe(1);
      expect(lowestNewPid(1000, 1, 1010, unknown)).toBe(1);
    }
  });

  it('leaves out no process that is new', () => {
    const child = spawn('sleep', ['20'], { stdio: 'ignore' });
    try {
      const pid = child.pid ?? 0;
      expect(readProcesses(lowestNewPid(pid, 1)).map((process_) => process_.pid)).toContain(pid);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('readProcesses', () => {
  it('lists this process and its child, with names that hold blanks and parentheses', async () => {
    const child = spawn('bash', ['-c', 'exec -a "a) R (b" sleep 20'], { stdio: 'ignore', detached: true });
    try {
      const pid = child.pid ?? 0;
      const mine = readProcesses().find((process_) => process_.pid === pid);
      expect(mine).toMatchObject({ pid, parent: process.pid, group: pid, session: pid });
      expect(mine?.started).toBe(startOfProcess(pid));
      expect(readProcesses().map((process_) => process_.pid)).toContain(process.pid);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
