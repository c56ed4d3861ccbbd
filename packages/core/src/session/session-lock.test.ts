import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { holderOf, lockSession } from './session-lock.js';

let folder: string;
let file: string;
let locks: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-session-lock-'));
  file = join(folder, 'session.jsonl');
  locks = join(folder, 'locks');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('lets one have a session, and tells the second who has it and what to do', async () => {
  const lock = await lockSession(file, locks);
  expect(holderOf(file)).toBe(process.pid);
  await expect(lockSession(file, locks)).rejects.toMatchObject({ code: 'session_open' });
  await expect(lockSession(file, locks)).rejects.toThrow('--fork');
  lock.release();
  expect(holderOf(file)).toBeUndefined();
  (await lockSession(file, locks)).release();
});

it('takes over what a killed process held, also when another has its number by now', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const mark = JSON.parse(readFileSync(await marked(), 'utf8')) as Record<string, unknown>;
  writeFileSync(`${file}.open`, JSON.stringify({ ...mark, pid: child.pid, start: '' }));
  await expect(lockSession(file, locks)).rejects.toThrow(`another process (${child.pid})`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  (await lockSession(file, locks)).release();
  writeFileSync(`${file}.open`, JSON.stringify({ ...mark, start: '1' }));
  const lock = await lockSession(file, locks);
  expect(lock.problem).toBeUndefined();
  lock.release();
});

it('goes on beside a process of another machine, and says so; a mark that says nothing is none', async () => {
  const mark = JSON.parse(readFileSync(await marked(), 'utf8')) as Record<string, unknown>;
  writeFileSync(`${file}.open`, JSON.stringify({ ...mark, realm: 'elsewhere' }));
  const lock = await lockSession(file, locks);
  expect(lock.problem).toContain('may have this session open');
  lock.release();
  expect(existsSync(`${file}.open`)).toBe(false);
  writeFileSync(`${file}.open`, '{"pid"');
  (await lockSession(file, locks)).release();
});

it('leaves the lock to a process that has taken the session over since', async () => {
  const lock = await lockSession(file, locks);
  const own = JSON.parse(readFileSync(`${file}.open`, 'utf8')) as Record<string, unknown>;
  const other = JSON.stringify({ ...own, realm: 'elsewhere', token: 'another' });
  writeFileSync(`${file}.open`, other);
  lock.release();
  expect(readFileSync(`${file}.open`, 'utf8')).toBe(other);
});

it('is given to one of many that want it at once', async () => {
  const wanted = await Promise.allSettled(Array.from({ length: 12 }, () => lockSession(file, locks)));
  expect(wanted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('says that it is the session which cannot go on where its lock cannot be written, and why', async () => {
  writeFileSync(join(folder, 'file'), '');
  const unwritable = lockSession(file, join(folder, 'file', 'locks'));
  await expect(unwritable).rejects.toThrow(
    /^This session cannot go on, because its lock beside .* cannot be written: a part of the path is not a folder/,
  );
  const gone = lockSession(join(folder, 'gone', 'session.jsonl'), locks);
  await expect(gone).rejects.toMatchObject({ code: 'file_not_found' });
  await expect(gone).rejects.toThrow(/^This session cannot go on/);
});

/** The file that a lock of this process makes, kept. */
async function marked(): Promise<string> {
  const lock = await lockSession(`${file}.mark`, locks);
  const copy = join(folder, 'mark.json');
  writeFileSync(copy, readFileSync(`${file}.mark.open`));
  lock.release();
  return copy;
}
