import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OpenSession } from './open-session.js';
import { SessionLog } from './session-log.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-open-session-'));
  file = join(folder, '2026-01-01T00-00-00-000Z-00000000-0000-4000-8000-000000000000.jsonl');
  const log = new SessionLog(file);
  log.append({ type: 'user-message', text: 'hello', id: '1-a' }, new Date());
  log.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = (sessions: string) => ({ sessions, locks: join(folder, 'locks'), roots: [folder] });

it('says that it is the copy which cannot be written, and leaves the session as it was', async () => {
  writeFileSync(join(folder, 'file'), '');
  const copying = OpenSession.open(place(join(folder, 'file', 'sessions')), { file, fork: true });
  await expect(copying).rejects.toThrow(/^The copy of the session cannot be written to .*: a part of the path/);
  const again = await OpenSession.open(place(folder), { file });
  expect(again.history).toHaveLength(1);
  again.close();
});

it('copies a session that is open, up to its last whole line', async () => {
  const sessions = join(folder, 'sessions');
  mkdirSync(sessions);
  const open = await OpenSession.open(place(folder), { file });
  const copy = await OpenSession.open(place(sessions), { file, fork: true });
  expect([copy.id === open.id, copy.history.length, copy.problems]).toEqual([false, 1, []]);
  copy.close();
  open.close();
  expect(readdirSync(sessions)).toEqual([]);
});
