import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Conversation } from '../agent/conversation.js';
import { findSessionFile } from './find-session.js';
import { listSessions } from './list-sessions.js';
import { projectFolders } from './project-folders.js';
import { SessionLog } from './session-log.js';

let folder: string;
let sessions: string;
let place: { root: string; tenonHome: string };

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-list-')));
  place = { root: folder, tenonHome: join(folder, 'home') };
  ({ sessions } = projectFolders(place.tenonHome, folder));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, said: readonly string[], minute: number): string {
  const file = join(sessions, `${name}.jsonl`);
  const log = new SessionLog(file);
  const conversation = new Conversation();
  const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, minute, second));
  log.append({ type: 'notice', level: 'info', text: 'begins' }, at(0));
  for (const text of said) log.append({ type: 'user-message', text, id: conversation.addWords(text) }, at(1));
  log.append({ type: 'notice', level: 'info', text: 'x'.repeat(300_000) }, at(1));
  log.append({ type: 'notice', level: 'info', text: 'ends' }, at(2));
  log.close();
  return file;
}

it('tells of each session what a person knows it by, the one last used first', async () => {
  const early = write('2026-01-01T00-00-00-000Z-aaaa', ['Why is\nthe build red? "quoted" €'], 5);
  write('2026-01-02T00-00-00-000Z-bbbb', ['one', 'two', 'three'], 4);
  write('2026-01-03T00-00-00-000Z-cccc', [], 3);
  writeFileSync(join(sessions, 'notes.txt'), 'none');
  const listed = await listSessions(place);
  expect(listed).toMatchObject([
    { id: 'aaaa', title: 'Why is the build red? "quoted" €', messages: 1, startedAt: '2026-01-02T03:05:00.000Z' },
    { id: 'bbbb', title: 'one', messages: 3, lastAt: '2026-01-02T03:04:02.000Z' },
  ]);
  expect(listed[0]).toMatchObject({ file: early });
  expect(listed[0]?.openBy).toBeUndefined();
});

it('cuts a long title, counts the messages of an older version, and reads around a damaged beginning', async () => {
  const line = (sequence: number, event: object): string =>
    JSON.stringify({ sequence, time: '2026-01-02T03:04:05.000Z', event });
  const said = { type: 'user-message', text: 'long '.repeat(100_000) };
  const lines = ['{"broken', line(2, said), line(3, { type: 'user-message', text: 'again' }), '{"torn'];
  writeFileSync(join(sessions, '2026-01-01T00-00-00-000Z-aaaa.jsonl'), lines.join('\n'));
  const [only] = await listSessions(place);
  expect(only?.messages).toBe(2);
  expect(only?.title).toMatch(/^long long .*…$/);
  expect(only?.title.length).toBeLessThanOrEqual(80);
});

it('finds the newest by when it was last used', async () => {
  const find = (): string => findSessionFile('newest', { ...place, cwd: folder });
  expect(find).toThrow('There is no session to continue.');
  writeFileSync(join(sessions, '2026-01-09T00-00-00-000Z-eeee.jsonl'), '');
  const file = write('2026-01-01T00-00-00-000Z-aaaa', ['one'], 1);
  expect(find()).toBe(file);
});
