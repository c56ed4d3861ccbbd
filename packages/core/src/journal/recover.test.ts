import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { FileJournal } from './file-journal.js';
import type { JournalEntry } from './journal-entry.js';
import { PendingIntents, temporaryNames, type ChangeManner, type Intent } from './intent.js';
import { isMixture } from './target-state.js';

let workspace: TempWorkspace;
let data: TempWorkspace;
let journal: FileJournal;

beforeEach(async () => {
  workspace = await createTempWorkspace({});
  data = await createTempWorkspace({ 'tmp/': '' });
  const ignore = new IgnoreRules(QWEN_IGNORE, [workspace.root]);
  const gate = new WorkspaceGate({ roots: [workspace.root], tempDir: data.path('tmp'), ignore });
  journal = new FileJournal({ gate, folder: data.path('journal') });
});

afterEach(async () => {
  await workspace.remove();
  await data.remove();
});

const ID = '000000001-0000-00000000';

/** An intent as a process left it that is no more: files `0`, `1`, …, each from `old` to `new`. */
async function leaveIntent(manners: readonly ChangeManner[], more: Partial<Intent> = {}): Promise<void> {
  const [before, after] = await Promise.all(
    ['old', 'new'].map(async (text) => {
      const hash = await journal.keep(Buffer.from(text), true);
      return { kind: 'file', hash, bytes: text.length, mode: 0o644 } as const;
    }),
  );
  if (before === undefined || after === undefined) throw new Error('not kept');
  const entry: JournalEntry = {
    version: 1,
    id: ID,
    time: '2026-01-01T00:00:00.000Z',
    kind: 'change',
    reverts: [],
    changes: manners.map((_, index) => ({ path: workspace.path(`${index}`), before, after })),
    madeFolders: [],
  };
  const plan = manners.map((manner, index) => ({ manner, adopt: false, ...temporaryNames(ID, index) }));
  const owner = { pid: process.pid, start: '1', realm: 'none' };
  const intent = { entry, plan, emptyFolders: [], ready: true, failed: false, owner, ...more };
  await new PendingIntents(data.path('journal/pending')).write(intent, true);
}

const staged = (index: number): string => temporaryNames(ID, index).staged;

function texts(): Record<string, string> {
  const names = readdirSync(workspace.root).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(workspace.path(name), 'utf8')]));
}

describe('recovery', () => {
  it('finishes what had begun, and leaves alone and reports what somebody else changed', async () => {
    await workspace.write({ 0: 'new', 1: 'old', [staged(1)]: 'new', 2: 'theirs', [staged(2)]: 'new' });
    await leaveIntent(['replace', 'replace', 'replace']);
    expect(await journal.recover()).toEqual([expect.stringContaining(`except in ${workspace.path('2')}`)]);
    expect(texts()).toEqual({ 0: 'new', 1: 'new', 2: 'theirs' });
    const { entries } = await journal.entries();
    expect(entries.map(({ changes }) => changes.length)).toEqual([2]);
  });

  it('counts a file as changed that was put in place and changed again since', async () => {
    await workspace.write({ 0: 'new and more' });
    await leaveIntent(['replace']);
    expect(await journal.recover()).toEqual([]);
    expect(texts()).toEqual({ 0: 'new and more' });
    expect((await journal.entries()).entries).toHaveLength(1);
  });

  it('clears away what had not begun, and nothing that is named like it', async () => {
    await workspace.write({ 0: 'old', [staged(0)]: 'ne', '.tenon-other.tmp': 'mine' });
    await leaveIntent(['replace'], { ready: false });
    expect(await journal.recover()).toEqual([]);
    expect(texts()).toEqual({ 0: 'old', '.tenon-other.tmp': 'mine' });
    expect((await journal.entries()).entries).toEqual([]);
  });

  it('takes back what had failed', async () => {
    await workspace.write({ 0: 'new', [temporaryNames(ID, 0).aside]: 'old', 1: 'new', 2: 'nld' });
    await leaveIntent(['replace', 'replace', 'overwrite'], { failed: true });
    expect(await journal.recover()).toEqual([]);
    expect(texts()).toEqual({ 0: 'old', 1: 'old', 2: 'old' });
  });

  it('mends a file that was being overwritten, and not one that somebody else wrote', async () => {
    await workspace.write({ 0: 'nel', 1: 'nld' });
    writeFileSync(workspace.path('0'), 'other');
    await leaveIntent(['overwrite', 'overwrite']);
    expect(await journal.recover()).toHaveLength(1);
    expect(texts()).toEqual({ 0: 'other', 1: 'new' });
  });

  it('takes all back when what it needs to finish is gone', async () => {
    await workspace.write({ 0: 'new', 1: 'old' });
    await leaveIntent(['replace', 'replace']);
    expect(await journal.recover()).toEqual([]);
    expect(texts()).toEqual({ 0: 'old', 1: 'old' });
  });

  it('leaves the transactions of living processes alone', async () => {
    await workspace.write({ 0: 'new', 1: 'old' });
    const { ownMark } = await import('./process-mark.js');
    await leaveIntent(['replace', 'replace'], { owner: ownMark() });
    expect(await journal.recover()).toEqual([]);
    expect(texts()).toEqual({ 0: 'new', 1: 'old' });
  });

  it('reports an intent that cannot be read', async () => {
    await data.write({ 'journal/pending/x.json': '{"version":1' });
    expect(await journal.recover()).toEqual([expect.stringContaining('x.json')]);
  });
});

describe('isMixture', () => {
  it('takes no intent under a name that is not its own, and waits for no FIFO', async () => {
    await workspace.write({ 0: 'old', [staged(0)]: 'new' });
    await leaveIntent(['replace']);
    const pending = data.path('journal/pending');
    renameSync(`${pending}/${ID}.json`, `${pending}/other.json`);
    execFileSync('mkfifo', [`${pending}/pipe.json`]);
    expect(await journal.recover()).toEqual([
      expect.stringContaining('other.json'),
      expect.stringContaining('pipe.json'),
    ]);
    expect(texts()).toEqual({ 0: 'old', [staged(0)]: 'new' });
  });

  it('knows every state of a write that was cut short', () => {
    const [before, after] = [Buffer.from('abcdef'), Buffer.from('xyz')];
    for (const text of ['abcdef', 'xbcdef', 'xyzdef', 'xyz'])
      expect(isMixture(Buffer.from(text), before, after)).toBe(true);
    for (const text of ['xy', 'xyzdefg', 'qbcdef']) expect(isMixture(Buffer.from(text), before, after)).toBe(false);
  });
});
