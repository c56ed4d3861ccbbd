import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paceProgress } from './pace-progress.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function told(from = 0) {
  const messages: [number, string][] = [];
  const progress = paceProgress((number, message) => messages.push([number, message]), from);
  return { messages, progress };
}

it('thins a burst out, and tells the last of it', () => {
  const { messages, progress } = told();
  for (let index = 0; index < 1_000; index += 1) progress.tell(`line ${index}`);
  expect(messages).toEqual([[1, 'line 0']]);
  vi.advanceTimersByTime(1_000);
  expect(messages).toEqual([
    [1, 'line 0'],
    [2, 'line 999'],
  ]);
  progress.end();
});

it('goes on counting where the round before stopped', () => {
  const { messages, progress } = told(7);
  progress.tell('a');
  expect(messages).toEqual([[8, 'a']]);
  expect(progress.last()).toBe(8);
  progress.end();
});

it('says of a silent call that it runs, and nothing after its end', () => {
  const { messages, progress } = told();
  vi.advanceTimersByTime(10_000);
  expect(messages).toEqual([[1, 'running for 10 s']]);
  progress.tell('x');
  progress.tell('y');
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(messages).toHaveLength(1);
});

it('does nothing for a client that did not ask', () => {
  const progress = paceProgress(undefined, 3);
  progress.tell('x');
  progress.end();
  expect(progress.last()).toBe(3);
});
