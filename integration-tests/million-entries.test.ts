import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdtempSync, realpathSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TreeIndex } from '../packages/core/src/search/tree/tree-index.js';
import { newWalkCounts, type WalkedFolder } from '../packages/core/src/search/tree/walked-folder.js';
import { createTempConfig } from '../packages/core/src/testing/temp-config.js';
import { GrepTool, type GrepData } from '../packages/core/src/tools/grep.js';
import { GlobTool, type GlobData } from '../packages/core/src/tools/glob.js';
import { LSTool, type ListDirectoryData } from '../packages/core/src/tools/ls.js';

const SHARED_MEMORY = '/dev/shm';
const ENTRIES = 1_000_000;
/** Milliseconds for which nothing else may run: generous, as machines that test are busy. */
const LONGEST_HOLD = 2_000;

const hasRoom = existsSync(SHARED_MEMORY) && statfsSync(SHARED_MEMORY).ffree > 1.1 * ENTRIES;

describe.skipIf(!hasRoom)('a folder with a million entries (needs /dev/shm)', () => {
  let folder = '';
  const { signal } = new AbortController();

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(SHARED_MEMORY, 'tenon-million-')));
    // Links cost a tenth of files.
    writeFileSync(`${folder}/1`, 'other\n');
    for (let name = 2; name < ENTRIES; name++) linkSync(`${folder}/1`, `${folder}/${name}`);
    writeFileSync(`${folder}/${ENTRIES}`, 'wanted\n');
  }, 60_000);

  afterAll(() => {
    if (folder !== '') execFileSync('find', [folder, '-delete']);
  }, 60_000);

  /** How long the event loop was held up. */
  async function holdOf(act: () => Promise<void>): Promise<number> {
    let longest = 0;
    let last = performance.now();
    const look = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    };
    const timer = setInterval(look, 1);
    await act();
    look();
    clearInterval(timer);
    return longest;
  }

  it('is walked in order, and remembered in part at most', async () => {
    const index = new TreeIndex();
    const counts = newWalkCounts();
    const folders: WalkedFolder[] = [];
    const held = await holdOf(async () => {
      const place = { folder: { path: folder, workingDirectory: folder }, roots: [folder] };
      for await (const batch of index.walk({ ...place, signal, counts })) folders.push(...batch);
    });
    expect(counts.files).toBe(ENTRIES);
    expect(folders.map(({ isWhole, names }) => [isWhole, names.length])).toEqual([[true, ENTRIES]]);
    const { names } = folders[0] ?? { names: [] };
    expect(names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name)).toBe(true);
    expect(index.entries).toBeLessThanOrEqual(400_000);
    expect(held).toBeLessThan(LONGEST_HOLD);
  });

  it('is searched by name and listed, with exact totals (S101 S113)', async () => {
    const { config, remove } = await createTempConfig({ moreRoots: [folder] });
    try {
      const found: unknown[] = [];
      const held = await holdOf(async () => {
        const glob = new GlobTool(config);
        found.push((await glob.execute({ pattern: '*', path: folder, limit: 3 }, signal)).data);
        found.push((await glob.execute({ pattern: '*7', path: folder, limit: 3, offset: 1_000_000 }, signal)).data);
        found.push((await new LSTool(config).execute({ path: folder, ignore: ['*8'], limit: 3 }, signal)).data);
      });
      const [all, some, list] = found as [GlobData, GlobData, ListDirectoryData];
      expect([all.total, all.files.length]).toEqual([ENTRIES, 3]);
      expect([some.total, some.files.length]).toEqual([ENTRIES / 10, 0]);
      expect(list.totals).toEqual({ folders: 0, files: ENTRIES * 0.9, isExact: true });
      expect(held).toBeLessThan(LONGEST_HOLD);
    } finally {
      await remove();
    }
  });

  it.each([
    ['auto', 'other', ENTRIES - 1],
    ['javascript', 'wanted', 1],
  ] as const)(
    'is searched by content (engine: %s), with an exact total (S105)',
    { timeout: 180_000 },
    async (engine, pattern, total) => {
      const { config, remove } = await createTempConfig({ moreRoots: [folder] });
      try {
        const answers: unknown[] = [];
        const held = await holdOf(async () => {
          const grep = new GrepTool(config, { engine, timeLimitMs: 120_000 });
          answers.push((await grep.execute({ pattern, path: folder, limit: 3 }, signal)).data);
        });
        const [answer] = answers as [GrepData];
        expect([answer.total, answer.searchedFiles, answer.stopped]).toEqual([total, ENTRIES, undefined]);
        expect(answer.files.length).toBe(Math.min(total, 3));
        expect(held).toBeLessThan(LONGEST_HOLD);
      } finally {
        await remove();
      }
    },
  );
});
