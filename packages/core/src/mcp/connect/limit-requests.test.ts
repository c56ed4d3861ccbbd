import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RequestLimit } from './limit-requests.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function limitOf(canHold = true) {
  const seen = { given: [] as unknown[], holds: [] as boolean[], told: 0 };
  const limit = new RequestLimit({
    give: (request) => seen.given.push(request['id']),
    hold: canHold ? (isHeld) => seen.holds.push(isHeld) : undefined,
    told: () => (seen.told += 1),
  });
  const take = (from: number, count: number): void => {
    for (let id = from; id < from + count; id++) limit.take(id, { id });
  };
  return { limit, seen, take };
}

it('gives what a server asks now and then at once', () => {
  const { seen, take } = limitOf();
  for (let second = 0; second < 20; second++) {
    take(second * 100, 100);
    expect(seen.given).toHaveLength((second + 1) * 100);
    vi.advanceTimersByTime(1000);
  }
  expect(seen.told).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('gives a storm a thousand a second, in its order, and tells of it once', () => {
  const { seen, take } = limitOf();
  take(0, 900);
  expect(seen.given).toHaveLength(200);
  vi.advanceTimersByTime(500);
  expect(seen.given.length).toBeGreaterThan(600);
  expect(seen.given.length).toBeLessThanOrEqual(700);
  vi.advanceTimersByTime(500);
  expect(seen.given).toEqual(Array.from({ length: 900 }, (_, id) => id));
  take(900, 500);
  vi.advanceTimersByTime(1000);
  expect(seen.given).toHaveLength(1400);
  expect(seen.told).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('does not listen while a thousand wait, and listens again when half of them were given', () => {
  const { seen, take } = limitOf();
  take(0, 1199);
  expect(seen.holds).toEqual([]);
  // What had been read by then is taken as well.
  take(1199, 300);
  expect(seen.holds).toEqual([true]);
  vi.advanceTimersByTime(700);
  expect(seen.holds).toEqual([true]);
  vi.advanceTimersByTime(200);
  expect(seen.holds).toEqual([true, false]);
  vi.advanceTimersByTime(1000);
  expect(seen.given).toHaveLength(1499);
});

it('holds no more than a thousand of a server that cannot be made to wait', () => {
  const { seen, take } = limitOf(false);
  take(0, 100_000);
  vi.advanceTimersByTime(100_000);
  expect(seen.given).toEqual(Array.from({ length: 1200 }, (_, id) => id));
});

it('never gives what was cancelled before, nor anything after the end', () => {
  const { limit, seen, take } = limitOf();
  take(0, 300);
  expect(limit.cancel(250)).toBe(true);
  expect(limit.cancel(100)).toBe(false);
  vi.advanceTimersByTime(50);
  limit.close();
  vi.advanceTimersByTime(10_000);
  expect(seen.given.length).toBeLessThan(300);
  expect(seen.given).not.toContain(250);
  expect(vi.getTimerCount()).toBe(0);
});
