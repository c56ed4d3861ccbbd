import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SearchThreads } from '../engines/threads/search-threads.js';
import type { FolderFiles } from './folder-files.js';
import { FileKind, type LearnAnswer } from './learn-worker.js';
import { Learner, type LearnerOptions } from './learner.js';

let folder = '';
let told: { files: readonly string[]; answer: LearnAnswer }[] = [];
const opened: Learner[] = [];
const threads = new SearchThreads();
const NAMES = Array.from({ length: 300 }, (_, number) => `f${number}`);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'learner-'));
  told = [];
});

afterEach(async () => {
  for (const learner of opened.splice(0)) learner.close();
  await rm(folder, { recursive: true, force: true });
});

function open(options: Partial<LearnerOptions> = {}): Learner {
  const learner = new Learner({
    startAfterMs: 0,
    learn: async (paths) => threads.learn(paths),
    hasTrueTimes: () => true,
    hasRoom: () => true,
    isKnown: () => () => false,
    learned: (_, parts, answer) => {
      const names = parts.flatMap(({ piece, places }) => places.map((place) => piece.names[place] ?? ''));
      told.push({ files: names, answer });
    },
    ...options,
  });
  opened.push(learner);
  return learner;
}

const pieces = (names: readonly string[] = NAMES): FolderFiles[] => [{ folder: '', names }];
const files = (): readonly string[] => told.flatMap((batch) => batch.files);

afterAll(async () => threads.close());

describe('Learner', () => {
  it('tells of every wanted file once, in small batches', async () => {
    await Promise.all(NAMES.map(async (name) => writeFile(join(folder, name), name)));
    await sleep(130);
    const learner = open({ isKnown: (_, piece) => (place) => piece.names[place] === 'f7' });
    learner.later(folder, pieces());
    learner.later(folder, pieces());
    await learner.settled();
    expect(files()).toEqual(NAMES.filter((name) => name !== 'f7'));
    expect(Math.max(...told.map((batch) => batch.files.length))).toBeLessThan(100);
    expect(told.every(({ answer }) => answer.kinds.every((kind) => kind === FileKind.text))).toBe(true);
  });

  it('waits before it begins, and while it is held', async () => {
    const learner = open({ startAfterMs: 80 });
    learner.later(folder, pieces());
    await sleep(20);
    expect(told).toEqual([]);
    learner.hold();
    await sleep(300);
    expect(told).toEqual([]);
    learner.release();
    await learner.settled();
    expect(files()).toEqual(NAMES);
  });

  it('keeps what was learned until it is released', async () => {
    const learner = open();
    learner.later(folder, pieces());
    for (let turn = 0; turn < 200 && told.length === 0; turn += 1) await sleep(5);
    learner.hold();
    const before = told.length;
    await sleep(200);
    expect(told.length).toBe(before);
    learner.release();
    await learner.settled();
    expect(files()).toEqual(NAMES);
  });

  it('begins nothing where nothing is wanted', async () => {
    const learner = open({ hasRoom: () => false, learn: async () => Promise.reject(new Error('asked')) });
    learner.later(folder, pieces());
    await learner.settled();
    expect(told).toEqual([]);
  });

  it('gives up quietly when every thread is lost', async () => {
    let asked = 0;
    const learner = open({ learn: async () => Promise.resolve(void (asked += 1)) });
    learner.later(folder, pieces());
    await learner.settled();
    learner.later(folder, pieces());
    await learner.settled();
    expect(told).toEqual([]);
    expect(asked).toBe(3);
  });

  it('goes on after a thread was lost once', async () => {
    let asked = 0;
    const learner = open({ learn: async (paths) => (asked++ === 0 ? undefined : threads.learn(paths)) });
    learner.later(folder, pieces());
    await learner.settled();
    expect(files().length).toBeGreaterThan(150);
    expect(files()).toEqual(NAMES.slice(NAMES.length - files().length));
  });

  it('is closed also while the thread never answers', async () => {
    const learner = open({ learn: async () => new Promise(() => undefined) });
    learner.later(folder, pieces());
    const settled = learner.settled();
    await sleep(20);
    learner.close();
    await settled;
  });
});
