import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorktreeBench, type WorktreeBench } from '../testing/worktree-bench.js';
import type { OwnPlace, SubagentTask } from './delegation-types.js';
import { openWorkPlace, unused } from './work-place.js';

let bench: WorktreeBench;
beforeEach(async () => void (bench = await createWorktreeBench({ entries: { 'a.txt': 'a\n' } })));
afterEach(async () => bench.remove());

/** What a place is opened by, and no more. */
function taskWith(openPlace: (place: OwnPlace) => unknown): SubagentTask {
  const { config, journalDir } = bench.at;
  const base = join(bench.tenonHome, 'projects', 'p-1');
  return {
    agentId: 'a1',
    definition: { name: 'general', description: 'g', instructions: '', origin: 'built-in' },
    order: { description: 'd', isolation: 'worktree' },
    above: { config, services: {}, journalDir },
    host: { options: { tenonHome: bench.tenonHome }, system: { folders: { base }, openPlace } },
  } as unknown as SubagentTask;
}

const signal = new AbortController().signal;
const nothing = { trees: [], records: [], known: [] };

it('a worktree in which no work could begin is removed at once', async () => {
  const failing = openWorkPlace(
    taskWith(() => {
      expect(bench.left().trees).toHaveLength(1);
      throw new Error('no place');
    }),
    signal,
  );
  await expect(failing).rejects.toThrow('no place');
  expect(bench.left()).toEqual(nothing);
});

it('where its context files or skills cannot be read, its Config is closed and the worktree removed', async () => {
  let isClosed = false;
  const config = {
    getMemory: () => ({ refresh: async () => [] }),
    getSkills: () => ({ load: async () => Promise.reject(new Error('no skills')) }),
    close: async () => void (isClosed = true),
  };
  await expect(
    openWorkPlace(
      taskWith(() => config),
      signal,
    ),
  ).rejects.toThrow('no skills');
  expect([isClosed, bench.left()]).toEqual([true, nothing]);
});

it('finished unused, one with changes is kept, and one without goes', async () => {
  const one = await bench.open();
  writeFileSync(join(one.folder, 'new.txt'), 'new\n');
  const other = await bench.open();
  const to = { ...unused('a1', 'general'), services: { spill: async () => '/tmp/none' } } as unknown as Parameters<
    typeof one.finish
  >[0];
  expect(await one.finish(to)).toMatchObject({ state: 'kept', changed: ['new.txt'], folder: one.folder });
  expect(await other.finish(to)).toEqual({ changed: [], state: 'unchanged' });
  expect(bench.left().trees).toHaveLength(1);
});
