import { lstatSync, rmSync, utimesSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../../testing/temp-workspace.js';
import { newestFirst, NewestFiles, type FoundFile } from '../newest-files.js';
import type { ClaimedTimes } from './git-times.js';
import { StatThread } from './stat-thread.js';
import { TimesJob } from './times-job.js';

const NAMES = Array.from({ length: 12 }, (_, index) => `f${index}`);
const PATHS = ['', 'sub/'].flatMap((folder) => NAMES.map((name) => folder + name));
const workspace = await createTempWorkspace(Object.fromEntries(PATHS.map((path) => [path, ''])));
const thread = new StatThread();
const { signal } = new AbortController();
afterAll(async () => {
  await thread.close();
  await workspace.remove();
});

type State = 'as claimed' | 'changed' | 'unknown' | 'deleted';
interface Case {
  readonly seconds: readonly number[];
  readonly states: readonly State[];
  readonly keep: number;
  readonly canTell: boolean;
}

const OLD = 1_600_000_000;
const state = fc.oneof(
  { weight: 12, arbitrary: fc.constant<State>('as claimed') },
  { weight: 1, arbitrary: fc.constantFrom<State>('changed', 'unknown', 'deleted') },
);
const times = PATHS.length;
const cases: fc.Arbitrary<Case> = fc.record({
  seconds: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: times, maxLength: times }),
  states: fc.array(state, { minLength: times, maxLength: times }),
  keep: fc.integer({ min: 1, max: 8 }),
  canTell: fc.boolean(),
});

/** Makes the files so, and says of them what git would. */
async function prepare({ seconds, states, canTell }: Case): Promise<ClaimedTimes> {
  const changed = new Map<string, Set<string>>();
  const claimed = new Map<string, number>();
  for (const [at, path] of PATHS.entries()) {
    const second = OLD + (seconds[at] ?? 0);
    if (states[at] !== 'unknown') claimed.set(path, second);
    const slash = path.indexOf('/') + 1;
    const others = changed.get(path.slice(0, slash)) ?? new Set();
    if (states[at] === 'changed' || states[at] === 'deleted')
      changed.set(path.slice(0, slash), others.add(path.slice(slash)));
    const now = states[at] === 'changed' ? OLD + ((at * 7) % 50) : second;
    await workspace.write({ [path]: '' });
    utimesSync(workspace.path(path), now, now + (at % 10) / 10);
    if (states[at] === 'deleted') rmSync(workspace.path(path));
  }
  return {
    of: (folder, names) => {
      const all = Float64Array.from(names, (name) => claimed.get(folder + name) ?? Number.NaN);
      const known = all.filter((second) => !Number.isNaN(second));
      return { seconds: all, known: known.length, newest: Math.max(...known) };
    },
    changed: Promise.resolve(canTell ? changed : undefined),
    notePoor: () => undefined,
  };
}

describe('TimesJob', () => {
  it('finds the newest as if every file were looked at, whatever was claimed of them', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const claim = await prepare(one);
        const job = new TimesJob({ folder: workspace.root, thread, claim: Promise.resolve(claim) });
        for (const folder of ['', 'sub/']) job.add(folder, NAMES);
        const newest = new NewestFiles(one.keep);
        await job.collect(newest, signal);
        const there = PATHS.filter((_, at) => one.states[at] !== 'deleted');
        const all = there.map((path): FoundFile => {
          const at = workspace.path(path);
          return { path: at, mtimeMs: lstatSync(at).mtimeMs };
        });
        expect(newest.total).toBe(there.length);
        expect(newest.sorted()).toEqual(all.sort(newestFirst).slice(0, one.keep));
      }),
      { numRuns: 60 },
    );
  });

  it('does not wait for git once it is aborted', async () => {
    const stopper = new AbortController();
    const never: { end: () => void } = { end: () => undefined };
    const changed = new Promise<undefined>((resolve) => {
      never.end = () => resolve(undefined);
    });
    const claim = await prepare({ seconds: PATHS.map((_, at) => at), states: [], keep: 1, canTell: true });
    const job = new TimesJob({
      folder: workspace.root,
      thread,
      claim: Promise.resolve({ ...claim, changed }),
      stop: () => never.end(),
    });
    job.add('', NAMES);
    const running = job.collect(new NewestFiles(1), stopper.signal);
    setTimeout(() => stopper.abort(new Error('enough')), 20);
    await expect(running).rejects.toThrow('enough');
  });
});
