import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FileKind } from '../../content/learn-worker.js';
import { StatUnit } from '../../content/stat-unit.js';
import { createTempWorkspace } from '../../../testing/temp-workspace.js';
import { SearchThreads, type SearchThreadsOptions } from './search-threads.js';

const workspace = await createTempWorkspace({ a: 'some text', b: 'other text' });
const opened: SearchThreads[] = [];
const base = `${workspace.root}/`;
const RUNS_AWAY = {
  pattern: { flags: 'gm', general: '(?:a+)+b', plain: '(?:a+)+b', unit: 'text' },
  greedy: undefined,
  otherBytes: 0,
  needles: undefined,
} as const;

afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close();
});
afterAll(async () => workspace.remove());

function open(options?: SearchThreadsOptions): SearchThreads {
  const threads = new SearchThreads(options);
  opened.push(threads);
  return threads;
}

const paths = (names: readonly string[]): string[] => names.map((name) => base + name);
const unitOf = (names: readonly string[]): StatUnit => new StatUnit([{ folder: '', names }], 4);
const requestOf = (unit: StatUnit): Parameters<SearchThreads['look']>[0] => ({
  base,
  units: [{ text: unit.text() ?? '', shared: unit.shared, fields: unit.fields }],
});

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !isSo(); turn += 1) await sleep(10);
}

/** Both threads search a file for a pattern that never ends. */
async function runAway(threads: SearchThreads): Promise<{ end(): Promise<void> }> {
  writeFileSync(workspace.path('away'), 'a'.repeat(60));
  threads.warm();
  await until(() => threads.state === 'warm');
  const lease = await threads.lease();
  for (const thread of lease?.threads ?? []) {
    thread.begin({ job: lease?.job ?? 0, wanted: RUNS_AWAY, base });
    void thread.search({ folders: [''], names: ['away'], files: 1, hasEscapes: false });
  }
  await sleep(50);
  return {
    end: async () => {
      await Promise.all((lease?.threads ?? []).map(async (thread) => thread.end()));
      lease?.release();
    },
  };
}

describe('SearchThreads', () => {
  it('look at files, learn and count, one after the other', async () => {
    await sleep(130);
    const threads = open();
    const unit = unitOf(['a', 'none', 'b']);
    const looked = threads.look(requestOf(unit));
    const learned = await threads.learn(paths(['a', 'none', 'b']));
    await looked;
    const { size, ino } = statSync(workspace.path('b'));
    expect([unit.isDone, unit.values[2], unit.values[4], unit.values[10], unit.values[11]]).toEqual([
      true,
      9,
      Number.NaN,
      size,
      ino,
    ]);
    expect(Array.from(learned?.kinds ?? [])).toEqual([FileKind.text, FileKind.none, FileKind.text]);
  });

  it('start one thread to look or learn, and all to count', async () => {
    const threads = open();
    expect([threads.canLook, threads.state]).toEqual([false, 'cold']);
    await threads.learn(paths(['a']));
    expect(threads.canLook).toBe(true);
    const lease = await threads.lease();
    expect(threads.state).toBe('busy');
    lease?.release();
    await until(() => threads.state === 'warm');
    expect(threads.state).toBe('warm');
  });

  it('end those that nobody asks, each by itself, and start them again', async () => {
    const threads = open({ idleMs: 200 });
    threads.warm();
    await until(() => threads.state === 'warm');
    for (let turn = 0; turn < 50; turn += 1) {
      await threads.learn(paths(['a']));
      await sleep(10);
    }
    expect([threads.state === 'warm', threads.canLook]).toEqual([false, true]);
    await until(() => !threads.canLook);
    expect(threads.canLook).toBe(false);
    expect((await threads.learn(paths(['a'])))?.kinds).toHaveLength(1);
  });

  it('break learning off when a search begins, and go on after it', async () => {
    await sleep(130);
    mkdirSync(workspace.path('many'), { recursive: true });
    const names = Array.from({ length: 60 }, (_, index) => `many/f${index}`);
    for (const name of names) writeFileSync(workspace.path(name), 'much text in here\n'.repeat(50_000));
    await sleep(130);
    const threads = open();
    threads.warm();
    await until(() => threads.state === 'warm');
    const learning = threads.learn(paths(names));
    await sleep(20);
    const lease = await threads.lease();
    for (const thread of lease?.threads ?? []) thread.begin({ job: lease?.job ?? 0, wanted: RUNS_AWAY, base });
    const kinds = Array.from((await learning)?.kinds ?? []);
    lease?.release();
    expect(kinds).toHaveLength(60);
    expect(kinds.at(-1)).toBe(FileKind.none);
    const again = await threads.learn(paths(names));
    expect(again?.kinds.every((kind) => kind === FileKind.text)).toBe(true);
  });

  it('lose what waits behind a pattern that runs away: learning goes to another thread, looking is left', async () => {
    const threads = open();
    const away = await runAway(threads);
    const unit = unitOf(['a']);
    const looked = threads.look(requestOf(unit));
    const learned = threads.learn(paths(['b']));
    await away.end();
    await looked;
    expect(unit.take()).toBe(true);
    expect((await learned)?.kinds).toHaveLength(1);
    expect(threads.canLook).toBe(true);
  });

  it.each([
    ['throws', `throw new Error('broken');`],
    ['ends', 'process.exit(1);'],
    [
      'throws when it is asked',
      `require('node:worker_threads').workerData.port.on('message', () => { throw new Error('x'); });`,
    ],
    ['needs too much memory', 'const all = []; for (;;) all.push(new Array(1e5).fill({}));'],
  ])('give up quietly when a thread %s', async (_, source) => {
    const threads = open({ source });
    expect(await threads.learn(paths(['a']))).toBeUndefined();
    await threads.look(requestOf(unitOf(['a'])));
    for (let turn = 0; turn < 6; turn += 1) await threads.learn(paths(['a']));
    expect(threads.state).not.toBe('warm');
  });

  it('are closed while a thread never answers', async () => {
    const threads = open({ source: 'for (;;) ;' });
    const learned = threads.learn(paths(['a']));
    await threads.close();
    expect(await learned).toBeUndefined();
    expect(await threads.lease()).toBeUndefined();
    expect(threads.look(requestOf(unitOf(['a'])))).toBeUndefined();
  });
});
