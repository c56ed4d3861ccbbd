import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { SessionLog } from './session-log.js';
import { verifySession } from './verify-session.js';

const ID = '0f0e0d0c-0b0a-4908-8706-050403020100';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-verify-'));
  file = join(folder, `2026-01-02T03-04-05-678Z-${ID}.jsonl`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const now = new Date('2026-01-02T03:04:05Z');
const sessionStart = (sessionId: string) =>
  ({
    type: 'session-start',
    sessionId,
    version: 'test',
    model: 'scripted',
    roots: ['/w'],
    approvalMode: ApprovalMode.DEFAULT,
    tools: [],
  }) as const;

function write(texts: readonly string[]): string[] {
  const log = new SessionLog(file);
  log.append(sessionStart(ID), now);
  for (const text of texts) log.append({ type: 'user-message', text }, now);
  log.close();
  return linesOf();
}

const linesOf = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
const put = (lines: readonly string[], into = file): void =>
  writeFileSync(into, lines.map((line) => `${line}\n`).join(''));

it('finds a log that was written in several goes intact, and what a crash cut off', () => {
  write(['one', 'zwei €']);
  appendFileSync(file, '{"sequence":4,"ti');
  expect(verifySession(file)).toMatchObject({ status: 'intact', lines: 3, chained: 3, torn: 17 });
  write(['three']);
  expect(verifySession(file)).toMatchObject({ status: 'intact', lines: 5, chained: 5, torn: 0, sessionId: ID });
});

it('sees every line that was changed, taken out, put in or moved, but for lines off the end (property)', () => {
  const lines = write(['one', 'two', 'three', 'four', 'five']);
  const at = fc.nat({ max: lines.length - 1 });
  fc.assert(
    fc.property(fc.constantFrom('change', 'remove', 'copy', 'swap', 'insert'), at, at, (how, first, second) => {
      const changed = [...lines];
      const line = changed[first] ?? '';
      if (how === 'change') changed[first] = line.replace('2026', '2027');
      else if (how === 'remove') changed.splice(first, 1);
      else if (how === 'copy') changed.splice(second, 0, line);
      else if (how === 'insert')
        changed.splice(
          first,
          0,
          JSON.stringify({ sequence: 1, time: now, event: { type: 'user-message', text: 'x' } }),
        );
      else [changed[first], changed[second]] = [changed[second] ?? '', line];
      put(changed);
      const isSame = changed.join() === lines.join();
      // An old log may have gone on: lines without hashes before the first that has one are not judged by themselves.
      const isCutOff = how === 'remove' && first === lines.length - 1;
      expect(verifySession(file).status).toBe(isSame || isCutOff ? 'intact' : 'broken');
    }),
    { numRuns: 200 },
  );
});

it('tells lines off the end apart by the last hash, which was noted down', () => {
  const lines = write(['one', 'two']);
  const { head } = verifySession(file);
  put(lines.slice(0, -1));
  expect(verifySession(file)).toMatchObject({ status: 'intact' });
  expect(verifySession(file).head).not.toBe(head);
});

it('says of the log of another session under this name that it is one', () => {
  const lines = write(['one']);
  const other = join(folder, `2026-01-02T03-04-05-678Z-${ID.replace('0f', 'ff')}.jsonl`);
  put(lines, other);
  expect(verifySession(other).faults[0]?.text).toContain('the log of another');
  const named = join(folder, 'kept.jsonl');
  put(lines, named);
  expect(verifySession(named)).toMatchObject({ status: 'intact' });
});

it('judges nothing of a log without hashes, holds on to all of it when that goes on, and sees when it is changed then', () => {
  const old = ['one', 'two'].map((text, index) =>
    JSON.stringify({ sequence: index + 1, time: now.toISOString(), event: { type: 'user-message', text } }),
  );
  put(old);
  expect(verifySession(file)).toMatchObject({ status: 'not-chained', lines: 2, chained: 0 });
  const lines = write(['three']);
  expect(verifySession(file)).toMatchObject({ status: 'intact', lines: 4, chained: 2 });
  put([(lines[0] ?? '').replace('one', 'eins'), ...lines.slice(1)]);
  expect(verifySession(file)).toMatchObject({ status: 'broken', faults: [{ line: 3 }] });
});

it('tells of a damaged line, and holds on to it when the session goes on behind it', () => {
  write(['one']);
  appendFileSync(file, '{"broken\n');
  write(['two']);
  const { status, faults, chained } = verifySession(file);
  expect([status, chained, faults]).toEqual([
    'broken',
    4,
    [{ line: 3, text: 'Line 3 is damaged: it cannot be read.' }],
  ]);
  truncateSync(file, 0);
  expect(verifySession(file)).toMatchObject({ status: 'intact', lines: 0 });
});
