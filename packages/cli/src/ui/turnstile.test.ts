import { expect, it } from 'vitest';
import { createTurnstile } from './turnstile.js';

it('lets one through after the other, past those that fail', async () => {
  const turnstile = createTurnstile();
  const log: string[] = [];
  const work = (name: string, fails = false) =>
    turnstile.run(async () => {
      log.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`${name} out`);
      if (fails) throw new Error(name);
    });
  const results = await Promise.allSettled([work('a'), work('b', true), work('c')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});
