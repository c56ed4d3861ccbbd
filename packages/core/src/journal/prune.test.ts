import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { contentHash } from '../files/write-handle.js';
import { FileJournal } from './file-journal.js';
import type { JournalEntry } from './journal-entry.js';
import { pruneJournal, type PruneOptions, type PruneReport } from './prune.js';
import { createUndo, type Undo } from './undo.js';

const DAY = 24 * 3_600_000;

let base = '';
let folder = '';
let journal: FileJournal;
let undo: Undo;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-prune-')));
  folder = join(base, 'journal');
  for (const name of ['work', 'temp']) mkdirSync(join(base, name));
  const roots = [join(base, 'work')];
  const gate = new WorkspaceGate({ roots, tempDir: join(base, 'temp'), ignore: new IgnoreRules(QWEN_IGNORE, roots) });
  journal = new FileJournal({ gate, folder });
  undo = createUndo({ journal, gate });
});

afterEach(async () => rm(base, { recursive: true, force: true }));

/** A call of a session that writes a file anew. */
async function write(name: string, text: string, sessionId = 's'): Promise<JournalEntry> {
  const path = join(base, 'work', name);
  const old = await readFile(path).catch(() => null);
  const call = { callId: `call ${text.slice(0, 9)}`, toolName: 't', title: 't', sessionId };
  const changes = [{ path, expected: contentHash(old), content: Buffer.from(text) }];
  return (await journal.commit({ kind: 'change', call, changes })).entry;
}

/** As if everything had been kept so long ago. */
async function age(days: number): Promise<void> {
  const time = new Date(Date.now() - days * DAY);
  for (const name of await contents()) await utimes(name, time, time);
}

async function contents(): Promise<string[]> {
  const all = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  return all.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
}

const prune = (more: Partial<PruneOptions> = {}): Promise<PruneReport> =>
  pruneJournal({ folder, keep: () => false, ...more });

async function ids(): Promise<string[]> {
  return (await journal.entries()).entries.map(({ id }) => id);
}

describe('pruneJournal', () => {
  it('removes what is too old, with the contents that nothing else needs', async () => {
    await write('a.txt', 'one');
    await write('a.txt', 'two');
    await age(40);
    const inForty = Date.now() + 40 * DAY;
    await write('b.txt', 'new');
    expect(await prune()).toMatchObject({ entriesRemoved: 0, contentsRemoved: 0, complete: true });
    expect(await prune({ now: inForty })).toMatchObject({ entriesRemoved: 3, complete: true });
    expect(await ids()).toEqual([]);
    expect(await contents()).toEqual([]);
  });

  it('removes the oldest entries when there is too much, and keeps contents that newer ones need', async () => {
    await write('a.txt', 'a'.repeat(1000));
    await write('a.txt', 'b'.repeat(1000));
    const last = await write('a.txt', 'c'.repeat(1000));
    await age(2);
    const report = await prune({ maxBytes: 2500 });
    expect(report).toMatchObject({ entriesRemoved: 2, contentsRemoved: 1, bytesFreed: 1000 });
    expect(await ids()).toEqual([last.id]);
    await undo.undo({ last: 1 });
    expect(await readFile(join(base, 'work/a.txt'), 'utf8')).toBe('b'.repeat(1000));
  });

  it('never removes an entry of a session that runs, nor the undo of one', async () => {
    await write('a.txt', 'old', 'ended');
    const live = await write('b.txt', 'live', 'running');
    await undo.undo({ last: 1 });
    await age(60);
    const keep = ({ call }: JournalEntry): boolean => call?.sessionId === 'running';
    const report = await prune({ keep, now: Date.now() + 60 * DAY, maxBytes: 0 });
    expect(report.entriesRemoved).toBe(1);
    expect(await ids()).toEqual([live.id, expect.any(String)]);
    await undo.redo();
    expect(await readFile(join(base, 'work/b.txt'), 'utf8')).toBe('live');
  });

  it('spares contents that were kept lately, and those of a transaction that is not done', async () => {
    const fresh = await journal.keep(Buffer.from('fresh'), false);
    const pending = await journal.keep(Buffer.from('pending'), false);
    const orphan = await journal.keep(Buffer.from('orphan'), false);
    await age(3);
    await journal.keep(Buffer.from('fresh'), false);
    mkdirSync(join(folder, 'pending'), { recursive: true });
    await writeFile(join(folder, 'pending', 'x.json'), JSON.stringify({ hash: pending }));
    expect(await prune()).toMatchObject({ contentsRemoved: 1, bytesFreed: 6 });
    expect(await journal.content(fresh)).toEqual(Buffer.from('fresh'));
    expect(await journal.content(pending)).toEqual(Buffer.from('pending'));
    expect(await journal.content(orphan)).toBeUndefined();
  });

  it('leaves an entry that it cannot read, with its contents, until it is old', async () => {
    const entry = await write('a.txt', 'one');
    await age(3);
    const path = join(folder, 'entries', `${entry.id}.json`);
    await writeFile(path, (await readFile(path, 'utf8')).slice(0, -1));
    expect(await prune()).toMatchObject({ entriesRemoved: 0, contentsRemoved: 0 });
    expect(await prune({ now: Date.now() + 40 * DAY })).toMatchObject({ entriesRemoved: 1, contentsRemoved: 1 });
  });

  it('keeps all contents while an entry, an intent or the log itself cannot be read', async () => {
    const entry = await write('a.txt', 'one');
    await age(3);
    const stays = { entriesRemoved: 0, contentsRemoved: 0, complete: false };
    const path = join(folder, 'entries', `${entry.id}.json`);
    await rename(path, join(base, 'entry'));
    await symlink(path, path);
    expect(await prune()).toMatchObject(stays);
    await rename(join(base, 'entry'), path);
    const loop = join(folder, 'pending', 'loop.json');
    await symlink(loop, loop);
    expect(await prune()).toMatchObject(stays);
    await unlink(loop);
    await rename(join(folder, 'entries'), join(base, 'entries'));
    await writeFile(join(folder, 'entries'), 'no folder');
    expect(await prune()).toMatchObject(stays);
    expect(await contents()).toHaveLength(1);
  });

  it('does not wait for a FIFO in place of an entry', async () => {
    await write('a.txt', 'one');
    execFileSync('mkfifo', [join(folder, 'entries', 'zz.json')]);
    expect(await prune()).toMatchObject({ entriesRemoved: 0, complete: true });
  });

  it('stops when time is up, and does nothing where there is no journal', async () => {
    await write('a.txt', 'one');
    expect(await prune({ timeLimitMs: -1, maxBytes: 0 })).toMatchObject({ entriesRemoved: 0, complete: false });
    expect(await ids()).toHaveLength(1);
    expect(await pruneJournal({ folder: join(base, 'none'), keep: () => false })).toMatchObject({ complete: true });
  });

  it('may run in several processes at once, beside transactions', async () => {
    for (let index = 0; index < 6; index += 1) await write('a.txt', `version ${index}`);
    await age(3);
    const work = (async () => {
      for (let index = 0; index < 6; index += 1) await write('b.txt', `version ${index}`);
    })();
    await Promise.all([prune({ maxBytes: 40 }), prune({ maxBytes: 40 }), work]);
    const before = await readFile(join(base, 'work/b.txt'), 'utf8');
    await undo.undo({ last: 1 });
    expect([before, await readFile(join(base, 'work/b.txt'), 'utf8')]).toEqual(['version 5', 'version 4']);
    await expect(stat(join(folder, 'entries'))).resolves.toBeDefined();
  });
});
