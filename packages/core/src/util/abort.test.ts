import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { timeLimit } from './abort.js';

it('ends at its time also where nothing but a joined signal knows of it and garbage was collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('The garbage collector cannot be called.');
  const outer = new AbortController();
  const joined = ((): AbortSignal => AbortSignal.any([outer.signal, timeLimit(200)]))();
  const over = new Promise((resolve) => joined.addEventListener('abort', resolve, { once: true }));
  for (let round = 0; round < 3; round += 1) {
    collect();
    await sleep(20);
  }
  await Promise.race([over, sleep(5000)]);
  expect(joined.aborted).toBe(true);
});
