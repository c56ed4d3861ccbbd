import { expect, it } from 'vitest';
import { longestCallMs, longestTaskMs } from './limits.js';

it.each([
  [{ timeoutMs: 1000 }, 10_000, 3_600_000],
  [{ timeoutMs: 60_000 }, 600_000, 3_600_000],
  [{ timeoutMs: 300_000 }, 600_000, 3_600_000],
  [{ timeoutMs: 900_000 }, 900_000, 9_000_000],
  [{ timeoutMs: 1000, longestMs: 5000 }, 5000, 5000],
  [{ timeoutMs: 1000, longestMs: 7_200_000 }, 7_200_000, 7_200_000],
])('a call with %j may take %i ms, a task %i ms', (definition, call, task) => {
  expect([longestCallMs(definition), longestTaskMs(definition)]).toEqual([call, task]);
});
