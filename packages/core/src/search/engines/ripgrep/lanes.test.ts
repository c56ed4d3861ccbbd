import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inLanes } from './lanes.js';

const targets = Array.from({ length: 4_096 }, (_, index) => `./f${index}`);
const place = { program: '/bin/sleep', workingDirectory: '/', env: {} };

it.skipIf(process.platform === 'win32')('many programs at once are no leak of listeners', async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', note);
  try {
    const listening = { most: 0, now: 0 };
    await inLanes(targets, { place, signal: new AbortController().signal, lanes: 8 }, async (batch, runs) => {
      listening.most = Math.max(listening.most, (listening.now += 2));
      const run = {
        flags: [],
        expression: '0',
        targets: batch.slice(0, 1),
        read: () => undefined,
        failed: () => undefined,
      };
      await Promise.allSettled([runs.run(run), runs.run(run)]);
      listening.now -= 2;
    });
    await nextTurn();
    expect(listening.most).toBe(16);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
  }
});

it.each([true, false])('each target has its turn once, in runs that are %s quick', async (isQuick) => {
  const seen: string[] = [];
  await inLanes(targets, { place, signal: new AbortController().signal, isQuick, lanes: 3 }, async (batch) => {
    seen.push(...batch);
  });
  expect(seen.toSorted()).toEqual(targets.toSorted());
});
