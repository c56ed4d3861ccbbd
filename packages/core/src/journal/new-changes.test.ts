import { mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import { MISSING } from '../files/write-handle.js';
import { FileJournal } from './file-journal.js';
import { NewChanges } from './new-changes.js';
import { createUndo, type Undo } from './undo.js';

let temp: TempConfig;
let news: NewChanges;
let undo: Undo;

beforeEach(async () => {
  temp = await createTempConfig();
  news = new NewChanges(temp.journalDir);
  const gate = temp.config.getWorkspaceGate();
  undo = createUndo({ gate, journal: new FileJournal({ gate, folder: temp.journalDir }) });
});
afterEach(async () => temp.remove());

async function write(name: string, callId: string): Promise<void> {
  const path = temp.workspace.path(name);
  const context = { callId, toolName: 'write_file', title: name, stillShown: () => true };
  await temp.config.getFileChanges().apply([{ path, expected: MISSING, content: 'x\n' }], context);
}

it('is told once, of whichever process', async () => {
  expect(await news.take()).toEqual([]);
  await write('a', '1');
  await write('b', '2');
  const [a, b] = [temp.workspace.path('a'), temp.workspace.path('b')];
  expect(await news.take()).toEqual([
    { path: a, change: 'created' },
    { path: b, change: 'created' },
  ]);
  expect(await news.take()).toEqual([]);
  await undo.undo();
  expect(await news.take()).toEqual([{ path: b, change: 'deleted' }]);
  await undo.redo();
  await undo.undo();
  expect(await news.take()).toEqual([]);
});

it('leaves out what was there before, and what cannot be read', async () => {
  await write('a', '1');
  await news.skip();
  await mkdir(`${temp.journalDir}/entries`, { recursive: true });
  await writeFile(`${temp.journalDir}/entries/zz.json`, '{');
  await write('b', '2');
  expect((await news.take()).map(({ path }) => path)).toEqual([temp.workspace.path('b')]);
});

it('tells of an entry that sorts before others which were told', async () => {
  await write('a', '1');
  await news.take();
  const entry = {
    version: 1,
    id: '000000000-0000-00000000',
    time: '2026-01-01T00:00:00.000Z',
    kind: 'command',
    reverts: [],
    changes: [
      {
        path: '/late',
        before: { kind: 'missing' },
        after: { kind: 'file', hash: '0'.repeat(64), bytes: 1, mode: 420 },
      },
    ],
    madeFolders: [],
  };
  await writeFile(`${temp.journalDir}/entries/${entry.id}.json`, JSON.stringify(entry), { mode: 0o600 });
  expect(await news.take()).toEqual([{ path: '/late', change: 'created' }]);
});
