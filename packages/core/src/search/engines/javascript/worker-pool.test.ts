import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import type { TaskSink } from './search-worker.js';
import type { JavaScriptPattern, WorkerRecord, WorkerTask } from './worker-messages.js';
import { createWorkerPool } from './worker-pool.js';

const MANY = 'x\n'.repeat(1_500_000);
const workspace = await createTempWorkspace({ a: 'x\nx', many: MANY, more: MANY, most: MANY, last: MANY, z: 'x' });
const folder = { path: workspace.root, workingDirectory: workspace.root };
const EVERY_LINE: JavaScriptPattern = { flags: 'gm', general: 'x', plain: 'x', unit: 'text' };
const never = new AbortController().signal;
const pools: ReturnType<typeof createWorkerPool>[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});
afterAll(async () => workspace.remove());

interface Told extends TaskSink {
  readonly records: WorkerRecord[];
  readonly paths: string[];
}

function recorder(): Told {
  const records: WorkerRecord[] = [];
  const paths: string[] = [];
  return { records, paths, record: (record) => records.push(record), found: ({ path }) => paths.push(path) };
}

function open(): ReturnType<typeof createWorkerPool> {
  const pool = createWorkerPool(() => EVERY_LINE, folder, 24);
  pools.push(pool);
  return pool;
}

const linesOf = (paths: readonly string[]): WorkerTask => ({
  type: 'lines',
  files: paths.map((path) => ({ path, maxMatches: Infinity })),
  before: 0,
  after: 0,
});

describe('memory that runs out', () => {
  it('is told of the file that took it, and the others are searched all the same', async () => {
    const pool = open();
    const told = recorder();
    await pool.run([linesOf(['a', 'many', 'z']), linesOf(['z'])], told, { signal: never, isMuch: false });
    expect(told.paths).toEqual(['a', 'z', 'z']);
    expect(told.records).toEqual([{ kind: 'f', path: 'many', detail: 'searching it needs more than 24 MB of memory' }]);
    const again = recorder();
    await pool.run([{ type: 'count', files: ['a', 'many'] }], again, { signal: never, isMuch: true });
    expect(again.records).toEqual([
      { kind: 'c', path: 'a', detail: '2' },
      { kind: 'c', path: 'many', detail: '1500000' },
    ]);
  });

  it('ends the search when it does so again and again', async () => {
    const told = recorder();
    const searching = open().run([linesOf(['many', 'more', 'most', 'last', 'z'])], told, {
      signal: never,
      isMuch: false,
    });
    await expect(searching).rejects.toMatchObject({
      code: 'grep_execution_error',
      message: expect.stringContaining('needs more than 24 MB of memory') as string,
    });
    expect(told.records.map(({ path }) => path)).toEqual(['many', 'more', 'most']);
  });
});
