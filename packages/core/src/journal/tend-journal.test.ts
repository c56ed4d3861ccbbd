import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { FileJournal } from './file-journal.js';
import type { JournalEntry } from './journal-entry.js';
import { liveSessions, markLive } from './live-sessions.js';
import { ownMark } from './process-mark.js';
import { mendJournal, tidyJournal } from './tend-journal.js';

let base: string;
let folder: string;
let gate: WorkspaceGate;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-tend-')));
  folder = join(base, 'journal');
  gate = new WorkspaceGate({ roots: [base], tempDir: base, ignore: new IgnoreRules(QWEN_IGNORE, [base]) });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const DAY_MS = 24 * 3_600_000;
const entryOf = (journal: FileJournal, sessionId: string): JournalEntry => ({
  version: 1,
  id: journal.newId(),
  time: new Date(Date.now() - 40 * DAY_MS).toISOString(),
  kind: 'change',
  call: { callId: 'c', toolName: 't', title: '', sessionId },
  reverts: [],
  changes: [],
  madeFolders: [],
});

describe('tidyJournal', () => {
  it('removes what is old, but nothing of a session that runs, and once a day only', async () => {
    const journal = new FileJournal({ gate, folder });
    await journal.record(entryOf(journal, 'ended'));
    await journal.record(entryOf(journal, 'running'));
    await markLive(folder, 'running');
    expect([...(await liveSessions(folder))]).toEqual(['running']);
    await tidyJournal(folder);
    const left = async (): Promise<(string | undefined)[]> =>
      (await journal.entries()).entries.map(({ call }) => call?.sessionId);
    expect(await left()).toEqual(['running']);
    await journal.record(entryOf(journal, 'ended'));
    await tidyJournal(folder);
    expect(await left()).toHaveLength(2);
    await tidyJournal(folder, Date.now() + 2 * DAY_MS);
    expect(await left()).toEqual(['running']);
  });

  it('clears what killed processes left among the locks, and nothing of a process that lives', async () => {
    const journal = new FileJournal({ gate, folder });
    await journal.record(entryOf(journal, 'x'));
    const locks = join(folder, 'locks');
    mkdirSync(locks, { recursive: true });
    const dead = JSON.stringify({ ...ownMark(), start: 'other' });
    const files = {
      'holder-1-a': dead,
      'holder-2-b': JSON.stringify(ownMark()),
      'holder-3-c': 'torn',
      'x.lock.ab': dead,
    };
    for (const [name, text] of Object.entries({ ...files, 'x.lock': dead, 'holder-4-young': dead })) {
      writeFileSync(join(locks, name), text);
      if (!name.endsWith('young')) utimesSync(join(locks, name), 1, 1);
    }
    await tidyJournal(folder);
    expect(readdirSync(locks).sort()).toEqual(['holder-2-b', 'holder-4-young', 'x.lock']);
  });

  it('makes nothing where nothing was ever written down', async () => {
    await tidyJournal(folder);
    expect(await mendJournal(gate, folder)).toEqual([]);
    expect(readdirSync(base)).toEqual([]);
  });
});
