import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSessionFile } from './find-session.js';
import { projectFolders } from './project-folders.js';

let folder: string;
let sessions: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tenon-find-session-')));
  ({ sessions } = projectFolders(join(folder, 'home'), folder));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const find = (session: string): string =>
  findSessionFile(session, { root: folder, tenonHome: join(folder, 'home'), cwd: folder });

it('finds a log by file, by id and by the beginning of an id, the newest first', async () => {
  const names = ['2026-01-01T00-00-00-000Z-abcd1111-2222', '2026-01-02T00-00-00-000Z-abcd3333-4444'];
  for (const name of names) await writeFile(join(sessions, `${name}.jsonl`), '');
  expect(find('abcd1111-2222')).toBe(join(sessions, `${names[0]}.jsonl`));
  expect(find('abcd')).toBe(join(sessions, `${names[1]}.jsonl`));
  await writeFile(join(folder, 'log.jsonl'), '');
  expect(find('log.jsonl')).toBe(join(folder, 'log.jsonl'));
});

it('names the newest ones when there is none of that name', async () => {
  expect(() => find('nothing')).toThrow('There is none of this project yet.');
  await writeFile(join(sessions, '2026-01-01T00-00-00-000Z-abcd1111.jsonl'), '');
  expect(() => find('abc')).toThrow('The newest are abcd1111.');
  expect(() => find('../../etc')).toThrow(expect.objectContaining({ code: 'no_session' }));
});
