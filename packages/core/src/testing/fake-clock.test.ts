import { describe, expect, it } from 'vitest';
import { createFakeClock } from './fake-clock.js';

describe('createFakeClock', () => {
  it('stands still until it is advanced', async () => {
    const clock = createFakeClock(1_000);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    expect(clock.now()).toBe(1_000);
    await clock.advance(250);
    expect(clock.now()).toBe(1_250);
  });

  it('wakes sleepers in the order of their time, those that begin on the way too', async () => {
    const clock = createFakeClock(0);
    const log: string[] = [];
    const note = (name: string): void => {
      log.push(`${name} at ${clock.now()}`);
    };
    const late = clock.sleep(300).then(() => note('late'));
    const chain = (async () => {
      await clock.sleep(100);
      note('first');
      await clock.sleep(100);
      note('second');
    })();
    await clock.advance(250);
    expect(log).toEqual(['first at 100', 'second at 200']);
    expect(clock.sleeping()).toBe(1);
    await clock.advance(50);
    await Promise.all([late, chain]);
    expect(log.at(-1)).toBe('late at 300');
    expect(clock.sleeps).toEqual([300, 100, 100]);
  });

  it('wakes a sleeper with the reason of its signal', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const sleep = clock.sleep(100, controller.signal);
    controller.abort(new Error('enough'));
    await expect(sleep).rejects.toThrow('enough');
    expect(clock.sleeping()).toBe(0);
    await expect(clock.sleep(1, controller.signal)).rejects.toThrow('enough');
  });
});
