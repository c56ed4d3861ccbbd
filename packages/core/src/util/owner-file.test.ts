import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeOwnerFile, readOwnerFile, withFileLock } from './owner-file.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'owner-file-'));
  file = join(folder, 'a.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const isSound = (): boolean => true;

it('believes no file that is larger than its reader says, and sets it aside when it writes', async () => {
  await writeFile(file, '12345', { mode: 0o600 });
  expect(readOwnerFile(file, 5)).toEqual({ text: '12345' });
  expect(readOwnerFile(file, 4)).toEqual({ problem: 'the file is too large' });
  await changeOwnerFile(file, { isSound, largest: 4, change: (text) => `was ${text}` });
  expect(await readFile(file, 'utf8')).toBe('was undefined');
  const aside = (await readdir(folder)).find((name) => name.includes('.damaged-')) ?? 'none';
  expect(await readFile(join(folder, aside), 'utf8')).toBe('12345');
});

it('gives every writer what the one before wrote', async () => {
  await Promise.all(
    Array.from({ length: 8 }, async () => changeOwnerFile(file, { isSound, change: (text = '') => `${text}x` })),
  );
  expect(await readFile(file, 'utf8')).toBe('xxxxxxxx');
  expect(await readdir(folder)).toEqual(['a.json']);
});

it('takes over the lock of a process that is gone, and removes what it was writing', async () => {
  await writeFile(`${file}.lock`, '4194301 x');
  await writeFile(join(folder, '.a.json.half.tmp'), '{');
  await changeOwnerFile(file, { isSound, change: () => 'whole' });
  expect(await readdir(folder)).toEqual(['a.json']);
});

it.skipIf(process.getuid?.() !== 0)('believes no file of another user', async () => {
  await writeFile(file, 'x', { mode: 0o600 });
  await chown(file, 12_345, 12_345);
  expect(readOwnerFile(file)).toEqual({ problem: 'the file is of another user' });
});

it('lets one work at a time under a lock, however it ends, and gives up waiting in time', async () => {
  const lock = join(folder, 'sub', 'work.lock');
  const limits = { waitMs: 5000, staleMs: 60_000 };
  let inside = 0;
  let most = 0;
  const work = async (fails: boolean): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 20));
    inside -= 1;
    if (fails) throw new Error('failed');
  };
  const all = [true, false, true].map((fails) => withFileLock(lock, limits, async () => work(fails)));
  const ends = (await Promise.allSettled(all)).map(({ status }) => status);
  expect(ends).toEqual(['rejected', 'fulfilled', 'rejected']);
  expect(most).toBe(1);
  expect(await readdir(join(folder, 'sub'))).toEqual([]);
  await withFileLock(lock, limits, async () => {
    const waiting = withFileLock(lock, { ...limits, waitMs: 30 }, async () => work(false));
    await expect(waiting).rejects.toMatchObject({ code: 'file_locked' });
  });
});
