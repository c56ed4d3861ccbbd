import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { News } from './news.js';
import { ServerLogs } from './server-log.js';

let folder: TempWorkspace;
beforeEach(async () => (folder = await createTempWorkspace()));
afterEach(async () => folder.remove());

it('keeps a file for each server, for its owner only', async () => {
  const logs = new ServerLogs(join(folder.root, 'logs'));
  logs.add('one', 'info', 'first\n');
  logs.add('../two', 'stderr', 'x'.repeat(10_000));
  logs.add('one', 'error', 'second');
  await logs.close();
  expect(await readFile(logs.file('one'), 'utf8')).toMatch(/^\S+Z info first\n\S+Z error second\n$/);
  const { size, mode } = await stat(logs.file('../two'));
  expect(size).toBeLessThan(4100);
  expect(mode & 0o777).toBe(0o600);
  expect(logs.file('../two')).toMatch(/logs\/mcp-two_[0-9a-f]{12}\.log$/);
});

it('keeps a flood in bounds, and says that lines are missing', async () => {
  const logs = new ServerLogs(folder.root);
  for (let line = 0; line < 5000; line++) logs.add('s', 'stderr', 'y'.repeat(1000));
  await logs.close();
  const text = await readFile(logs.file('s'), 'utf8');
  expect(text.length).toBeLessThan(600_000);
  expect(text).toMatch(/\d+ lines were left out: too many at once\.\n$/);
});

it('puts a file aside that has grown, and keeps the one before', async () => {
  const logs = new ServerLogs(folder.root);
  await writeFile(logs.file('s'), 'z'.repeat(1024 * 1024 + 1));
  logs.add('s', 'info', 'new');
  await logs.close();
  expect(await readFile(logs.file('s'), 'utf8')).toMatch(/ info new\n$/);
  expect((await stat(`${logs.file('s')}.1`)).size).toBe(1024 * 1024 + 1);
});

it('loses nothing but its log where that cannot be written', async () => {
  const logs = new ServerLogs(join(folder.root, 'file', 'logs'));
  await writeFile(join(folder.root, 'file'), '');
  logs.add('s', 'info', 'new');
  await logs.close();
});

it('tells the same once, and no more than can be read', () => {
  const news = new News();
  for (let count = 0; count < 200; count++) news.warn(count % 2 === 0 ? 'the same' : `other ${count}`);
  expect(news.takeNotices()).toHaveLength(50);
  news.warn('the same');
  expect(news.takeNotices()).toEqual([]);
  news.noteForModel('a');
  news.noteForModel('a');
  news.noteForModel('b');
  expect(news.takeNote()).toBe('a\nb');
  expect(news.takeNote()).toBeUndefined();
});
