import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurn } from './in-turn.js';

it('runs no more than so many at a time, in their order, whatever becomes of them', async () => {
  const take = inTurn(2);
  const begun: number[] = [];
  let [now, most] = [0, 0];
  const act = (index: number) => async (): Promise<number> => {
    begun.push(index);
    most = Math.max(most, (now += 1));
    await sleep(5);
    now -= 1;
    if (index === 1) throw new Error('failed');
    return index;
  };
  const ends = await Promise.allSettled([0, 1, 2, 3, 4].map(async (index) => take(act(index))));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect([begun, most, now]).toEqual([[0, 1, 2, 3, 4], 2, 0]);
  expect(await take(act(7))).toBe(7);
});
