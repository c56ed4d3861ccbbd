import { existsSync, linkSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { PathLocks } from './path-locks.js';

let home: TempWorkspace;
beforeEach(async () => {
  home = await createTempWorkspace({ 'locks/': '' });
});
afterEach(() => home.remove());

function withoutLinks(): never {
  throw Object.assign(new Error('no links'), { code: 'EPERM' });
}

const ways = [
  { way: 'by a link', locksOf: (waitMs: number) => new PathLocks(home.path('locks'), waitMs) },
  {
    way: 'by a file of its own, where there are no links',
    locksOf: (waitMs: number) => new PathLocks(home.path('locks'), waitMs, withoutLinks),
  },
];

describe.each(ways)('PathLocks $way', ({ locksOf }) => {
  it('let one in after the other', async () => {
    let inside = 0;
    let most = 0;
    const enter = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
    };
    const all = Array.from({ length: 8 }, () => locksOf(10_000).holding(['a', 'b'], enter));
    await Promise.all(all);
    expect(most).toBe(1);
    expect(readdirSync(home.path('locks'))).toEqual([]);
  });

  it('refuse after a while, and say who has them', async () => {
    await locksOf(100).holding(['/w/a'], async () => {
      const waited = locksOf(50).holding(['/w/a'], async () => undefined);
      await expect(waited).rejects.toMatchObject({ code: 'file_busy', message: expect.stringContaining('/w/a') });
    });
  });

  it('tell a holder whose lock was taken away', async () => {
    await locksOf(100).holding(['a'], async (locks) => {
      locks.verify();
      const path = lockOf('a');
      writeFileSync(`${path}.other`, '');
      renameSync(`${path}.other`, path);
      expect(() => locks.verify()).toThrow(/another Tenon process/);
    });
    // That of the other is not removed.
    expect(existsSync(lockOf('a'))).toBe(true);
  });
});

describe('PathLocks', () => {
  it('take names in one order, each once, so that no two holders wait for each other', async () => {
    const orders = [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['b', 'c', 'b', 'a'],
    ].map(async (names) => {
      const taken: string[] = [];
      const locks = new PathLocks(home.path('locks'), 10_000, (existing, path) => {
        linkSync(existing, path);
        taken.push(path);
      });
      await locks.holding(names, async () => undefined);
      return taken;
    });
    const inOrder = ['a', 'b', 'c'].map(lockOf);
    expect(await Promise.all(orders)).toEqual([inOrder, inOrder, inOrder]);
  });

  it('take the lock of one who died before the mark was in it, and wait for one who is about to write it', async () => {
    const fresh = lockOf('a');
    writeFileSync(fresh, '');
    await expect(new PathLocks(home.path('locks'), 50).holding(['a'], async () => 1)).rejects.toMatchObject({
      code: 'file_busy',
    });
    const past = new Date(Date.now() - 5_000);
    utimesSync(fresh, past, past);
    expect(await new PathLocks(home.path('locks'), 50).holding(['a'], async () => 1)).toBe(1);
  });
});

function lockOf(name: string): string {
  return join(home.path('locks'), `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`);
}
