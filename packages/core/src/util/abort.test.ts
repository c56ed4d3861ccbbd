import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { throwIfAborted, timeLimit } from './abort.js';

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

it('throws the reason of a signal that was aborted, and of no other', () => {
  const reason = new Error('enough');
  const ending = new AbortController();
  const joined = AbortSignal.any([ending.signal, new AbortController().signal]);
  expect(() => throwIfAborted(joined)).not.toThrow();
  ending.abort(reason);
  expect(() => throwIfAborted(joined)).toThrow(reason);
  expect(() => throwIfAborted(AbortSignal.abort(reason))).toThrow(reason);
});
