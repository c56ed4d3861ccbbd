import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import { startWorker, type TaskSink } from './search-worker.js';
import type { JavaScriptPattern, WorkerRecord, WorkerTask } from './worker-messages.js';
import { createWorkerPool } from './worker-pool.js';

const MANY = 'x\n'.repeat(1_500_000);
/** In which `ENDLESS` finds no end. */
const EVIL = Object.fromEntries(['evil1', 'evil2', 'evil3', 'evil4'].map((name) => [name, 'x'.repeat(60)]));
const workspace = await createTempWorkspace({
  a: 'x\nx',
  many: MANY,
  more: MANY,
  most: MANY,
  last: MANY,
  z: 'x',
  ...EVIL,
});
const folder = { path: workspace.root, workingDirectory: workspace.root };
const EVERY_LINE: JavaScriptPattern = { flags: 'gm', general: 'x', plain: 'x', unit: 'text' };
const ENDLESS: JavaScriptPattern = { ...EVERY_LINE, general: '(?:x+x+)+y|x$', plain: '(?:x+x+)+y|x$' };
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
  const pool = createWorkerPool(() => EVERY_LINE, folder, { megabytes: 24 });
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

describe('a pattern that does not come to an end', () => {
  const openEndless = (slowFileMs: number): ReturnType<typeof createWorkerPool> => {
    const pool = createWorkerPool(() => ENDLESS, folder, { slowFileMs });
    pools.push(pool);
    return pool;
  };

  it('is told of the file in which it does not, and the others are searched all the same', async () => {
    const told = recorder();
    const tasks: WorkerTask[] = [
      { type: 'count', files: ['a', 'evil1', 'z'] },
      { type: 'count', files: ['evil2'] },
      { type: 'count', files: ['a'] },
    ];
    await openEndless(800).run(tasks, told, { signal: never, isMuch: false });
    const failed = (path: string): WorkerRecord => ({
      kind: 'f',
      path,
      detail: 'the pattern takes more than 0.8 s in it',
    });
    expect(told.records).toEqual([
      { kind: 'c', path: 'a', detail: '2' },
      failed('evil1'),
      { kind: 'c', path: 'z', detail: '1' },
      failed('evil2'),
      { kind: 'c', path: 'a', detail: '2' },
    ]);
  });

  it('is given all the time there is when it does so again and again', async () => {
    const told = recorder();
    const signal = AbortSignal.timeout(6_000);
    const files = ['evil1', 'evil2', 'evil3', 'evil4', 'a'];
    const searching = openEndless(500).run([{ type: 'count', files }], told, { signal, isMuch: false });
    await expect(searching).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(told.records.map(({ path }) => path)).toEqual(['evil1', 'evil2', 'evil3']);
  });
});

it('a worker that is ended again while it ends has ended for both', async () => {
  const worker = startWorker({ pattern: EVERY_LINE, folder });
  await worker.run({ type: 'count', files: ['a'] }, recorder());
  const first = worker.end();
  await expect(Promise.all([first, worker.end()])).resolves.toEqual([undefined, undefined]);
}, 10_000);
