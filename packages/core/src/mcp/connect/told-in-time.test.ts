import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announceChanges } from './announce-changes.js';
import { limitProgress } from './limit-progress.js';
import { RequestTimes } from './watch-time.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('changes', () => {
  it('are told once for many, and each kind for itself', () => {
    const told: string[] = [];
    const announcer = announceChanges((kind: string) => told.push(kind), 100);
    for (let count = 0; count < 1000; count++) announcer.note(count % 2 === 0 ? 'tools' : 'prompts');
    vi.advanceTimersByTime(150);
    expect(told).toEqual(['tools', 'prompts']);
  });

  it('that go on are told more and more seldom', () => {
    let told = 0;
    const announcer = announceChanges(() => told++, 100);
    for (let second = 0; second < 600; second++) {
      announcer.note('tools');
      vi.advanceTimersByTime(1000);
    }
    expect(told).toBeLessThan(30);
    expect(told).toBeGreaterThan(10);
    vi.advanceTimersByTime(120_000);
    told = 0;
    announcer.note('tools');
    vi.advanceTimersByTime(150);
    expect(told).toBe(1);
  });

  it('are not told after the end', () => {
    let told = 0;
    const announcer = announceChanges(() => told++, 100);
    announcer.note('tools');
    announcer.close();
    announcer.note('tools');
    vi.advanceTimersByTime(1000);
    expect(told).toBe(0);
  });
});

describe('progress', () => {
  it('is told at once, then ten times a second, and the last for certain', () => {
    const told: number[] = [];
    const limit = limitProgress(({ progress }) => told.push(progress), 100);
    for (let progress = 1; progress <= 1000; progress++) {
      limit.tell({ progress });
      vi.advanceTimersByTime(1);
    }
    expect(told[0]).toBe(1);
    expect(told.length).toBeLessThanOrEqual(11);
    limit.tell({ progress: 1001 });
    limit.flush();
    expect(told.at(-1)).toBe(1001);
    const { length } = told;
    vi.advanceTimersByTime(1000);
    expect(told).toHaveLength(length);
  });
});

describe('time', () => {
  function watch(
    isHeld = (): boolean => false,
    times = new RequestTimes(),
    idleMs = 1000,
  ): {
    readonly ends: string[];
    readonly alive: () => void;
    readonly stop: () => void;
  } {
    const ends: string[] = [];
    return { ends, ...times.watch({ idleMs, totalMs: 5000, isHeld, onEnd: (reason) => ends.push(reason) }) };
  }

  it('is over without a sign of life', () => {
    const { ends } = watch();
    vi.advanceTimersByTime(10_000);
    expect(ends).toEqual(['no sign of life for 1 s']);
  });

  it('is over in the end, whatever life there is', () => {
    const { ends, alive } = watch();
    for (let passed = 0; passed < 20; passed++) {
      alive();
      vi.advanceTimersByTime(500);
    }
    expect(ends).toEqual(['it was not done after 5 s']);
  });

  it('does not count while the person is asked', () => {
    let isHeld = true;
    const { ends } = watch(() => isHeld);
    vi.advanceTimersByTime(3500);
    expect(ends).toEqual([]);
    isHeld = false;
    vi.advanceTimersByTime(1000);
    expect(ends).toEqual(['no sign of life for 1 s']);
  });

  it('altogether does not run out while the person is asked either', () => {
    let isHeld = true;
    const { ends, alive } = watch(() => isHeld);
    vi.advanceTimersByTime(20_000);
    expect(ends).toEqual([]);
    isHeld = false;
    alive();
    vi.advanceTimersByTime(1500);
    expect(ends).toHaveLength(1);
  });

  it('does not count once it was stopped', () => {
    const { ends, stop } = watch();
    stop();
    vi.advanceTimersByTime(10_000);
    expect(ends).toEqual([]);
  });

  it('is each request\u2019s own, whatever the others do', () => {
    const times = new RequestTimes();
    const long = watch(undefined, times, 3000);
    vi.advanceTimersByTime(500);
    const short = watch(undefined, times, 1000);
    const done = watch(undefined, times, 1000);
    vi.advanceTimersByTime(900);
    done.stop();
    long.alive();
    expect(short.ends).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(short.ends).toEqual(['no sign of life for 1 s']);
    vi.advanceTimersByTime(2700);
    expect(long.ends).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(long.ends).toEqual(['no sign of life for 3 s']);
    expect(done.ends).toEqual([]);
  });

  it('ends one request from within the end of another', () => {
    const times = new RequestTimes();
    const second = watch(undefined, times);
    const told: string[] = [];
    times.watch({
      idleMs: 500,
      totalMs: 5000,
      isHeld: () => false,
      onEnd: (reason) => (second.stop(), told.push(reason)),
    });
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual(['no sign of life for 0.5 s']);
    expect(second.ends).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes one timer for many requests, which is not set again for each', () => {
    const times = new RequestTimes();
    const set = vi.spyOn(globalThis, 'setTimeout');
    for (let count = 0; count < 1000; count++) {
      watch(undefined, times).stop();
      vi.advanceTimersByTime(1);
    }
    // One, and one more a second for what was asked last.
    expect(set.mock.calls.length).toBeLessThanOrEqual(3);
    set.mockRestore();
  });

  it('is waited for in parts where it is longer than a timer can be', () => {
    const { ends } = watch(undefined, new RequestTimes(), 2 ** 40);
    vi.advanceTimersByTime(4999);
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(ends).toEqual(['it was not done after 5 s']);
    const far: string[] = [];
    const forEver = { idleMs: 2 ** 40, totalMs: 2 ** 40, isHeld: () => false };
    new RequestTimes().watch({ ...forEver, onEnd: (reason) => far.push(reason) });
    vi.advanceTimersByTime(10_000);
    expect(far).toEqual([]);
  });
});
