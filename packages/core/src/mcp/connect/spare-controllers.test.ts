import { describe, expect, it } from 'vitest';
import { SpareControllers } from './spare-controllers.js';

describe('SpareControllers', () => {
  it('gives what was given back again, to one at a time', () => {
    const spares = new SpareControllers();
    const one = spares.take();
    expect(spares.take()).not.toBe(one);
    spares.giveBack(one);
    expect(spares.take()).toBe(one);
    expect(spares.take()).not.toBe(one);
  });

  it('never gives one that was aborted, or that somebody still listens to', () => {
    const spares = new SpareControllers();
    const [aborted, heard] = [spares.take(), spares.take()];
    aborted.abort();
    heard.signal.addEventListener('abort', () => undefined);
    for (const controller of [aborted, heard]) spares.giveBack(controller);
    expect([aborted, heard]).not.toContain(spares.take());
  });

  it('keeps a few only', () => {
    const spares = new SpareControllers();
    const many = new Set(Array.from({ length: 100 }, () => spares.take()));
    for (const controller of many) spares.giveBack(controller);
    const again = Array.from({ length: 100 }, () => spares.take());
    expect(again.filter((controller) => many.has(controller)).length).toBeLessThan(10);
  });
});
