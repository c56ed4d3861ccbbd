import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Conversation } from '../agent/conversation.js';
import { findSessionFile } from './find-session.js';
import { lastSession, listSessions } from './list-sessions.js';
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

/** A log whose last events are these, changed so many minutes after another. */
function leave(name: string, minute: number, ...events: readonly object[]): string {
  const file = join(sessions, `2026-01-0${minute}T00-00-00-000Z-${name}.jsonl`);
  const time = `2026-01-02T03:0${minute}:05.000Z`;
  const lines = events.map((event, sequence) => `${JSON.stringify({ sequence, time, event })}\n`);
  writeFileSync(file, lines.join(''));
  utimesSync(file, minute, minute);
  return file;
}
const said = (text: string): object => ({ type: 'user-message', text, id: '1-a' });
const ended = (stopReason: string): object => ({
  type: 'prompt-end',
  stopReason,
  text: '',
  turns: 1,
  toolCalls: 0,
  denials: [],
  usage: { inputTokens: 0, outputTokens: 0 },
});

it('knows the session that was used last, past empty ones and the own one, and whether its prompt came to an end (S139)', async () => {
  expect(await lastSession(place)).toBeUndefined();
  expect(await lastSession({ ...place, root: join(folder, 'nowhere') })).toBeUndefined();
  const first = leave('aaaa', 1, said('one'), ended('completed'), said('two'), ended('max-turns'));
  leave('bbbb', 2, { type: 'notice', level: 'info', text: 'begins' });
  expect(await lastSession(place)).toEqual({
    file: first,
    title: 'one',
    lastAt: '2026-01-02T03:01:05.000Z',
    wasInterrupted: false,
  });
  const stopped = leave('cccc', 3, said('stopped'), ended('cancelled'));
  expect(await lastSession(place)).toMatchObject({ title: 'stopped', wasInterrupted: true });
  expect(await lastSession(place, stopped)).toMatchObject({ title: 'one' });
  const long = { type: 'notice', level: 'info', text: 'x'.repeat(300_000) };
  leave('dddd', 4, said('killed'), long, { type: 'notice', level: 'info', text: 'the end of what was done' });
  expect(await lastSession(place)).toMatchObject({ title: 'killed', wasInterrupted: true });
});
