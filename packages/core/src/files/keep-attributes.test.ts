import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { AttributeCopier } from './keep-attributes.js';

let workspace: TempWorkspace;
beforeEach(async () => {
  workspace = await createTempWorkspace({ 'from.txt': 'old', 'to.txt': 'new' });
});
afterEach(() => workspace.remove());

/** Processes that this one started. */
function children(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent] = /^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'latin1')) ?? [];
      return Number(parent) === process.pid ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** False for one that has ended, be it waited for or not. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

describe.runIf(process.platform === 'linux')('AttributeCopier', () => {
  it('gives a file the mode of another and leaves its content', async () => {
    chmodSync(workspace.path('from.txt'), 0o754);
    const copier = new AttributeCopier();
    expect(await copier.copy(workspace.path('from.txt'), workspace.path('to.txt'))).toBe(true);
    expect(statSync(workspace.path('to.txt')).mode & 0o777).toBe(0o754);
    expect(readFileSync(workspace.path('to.txt'), 'utf8')).toBe('new');
  });

  it('takes paths of this process', async () => {
    const file = openSync(workspace.path('from.txt'), 'r');
    chmodSync(workspace.path('from.txt'), 0o705);
    try {
      expect(await new AttributeCopier().copy(`/proc/self/fd/${file}`, workspace.path('to.txt'))).toBe(true);
    } finally {
      closeSync(file);
    }
    expect(statSync(workspace.path('to.txt')).mode & 0o777).toBe(0o705);
  });

  it('answers each of many who ask at once, with one process for all', async () => {
    const copier = new AttributeCopier();
    const before = children();
    const [good, bad] = [workspace.path('from.txt'), workspace.path('missing.txt')];
    const asked = [good, bad, good, good, bad].map((from) => copier.copy(from, workspace.path('to.txt')));
    expect(await Promise.all(asked)).toEqual([true, false, true, true, false]);
    expect(children().filter((pid) => !before.includes(pid))).toHaveLength(1);
  });

  it('takes no path for two', async () => {
    const copier = new AttributeCopier();
    expect(await copier.copy(`${workspace.path('from.txt')}\nx`, workspace.path('to.txt'))).toBe(false);
    expect(await copier.copy(workspace.path('from.txt'), `${workspace.path('to.txt')}\n`)).toBe(false);
  });

  it('starts anew when its process was ended', async () => {
    const copier = new AttributeCopier();
    const before = children();
    const copy = (): Promise<boolean> => copier.copy(workspace.path('from.txt'), workspace.path('to.txt'));
    await copy();
    for (const pid of children().filter((one) => !before.includes(one))) process.kill(pid, 'SIGKILL');
    // It may be asked before the end is noticed.
    await copy();
    expect(await copy()).toBe(true);
  });

  it('keeps no process from ending, and leaves none behind', async () => {
    const source = fileURLToPath(new URL('./keep-attributes.ts', import.meta.url));
    const outfile = workspace.path('copier.mjs');
    buildSync({ entryPoints: [source], bundle: true, format: 'esm', platform: 'node', outfile });
    const [from, to] = [workspace.path('from.txt'), workspace.path('to.txt')].map((path) => JSON.stringify(path));
    const script = `
      import { readFileSync } from 'node:fs';
      import { AttributeCopier } from ${JSON.stringify(outfile)};
      const done = await new AttributeCopier().copy(${from}, ${to});
      console.log(done, readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'));
    `;
    const node = [process.execPath, ['--input-type=module', '-e', script]] as const;
    const { status, stdout } = spawnSync(...node, { encoding: 'utf8', timeout: 20_000 });
    const [done, pid] = stdout.trim().split(' ');
    expect([status, done]).toEqual([0, 'true']);
    await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false), { timeout: 10_000 });
  });
});
