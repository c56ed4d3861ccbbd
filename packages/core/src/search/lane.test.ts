import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Lane } from './lane.js';

describe('Lane', () => {
  it('gathers while a round runs, and never runs two', async () => {
    const rounds: number[][] = [];
    let running = 0;
    const lane = new Lane<number>(
      async (gathered) => {
        expect(++running).toBe(1);
        rounds.push(gathered);
        await after(5);
        running--;
      },
      () => undefined,
    );
    lane.add(1);
    lane.start();
    lane.add(2);
    lane.start();
    lane.add(3);
    await lane.finish();
    expect(rounds).toEqual([[1], [2, 3]]);
    await lane.finish();
    expect(rounds).toHaveLength(2);
  });

  it('tells the end of a round, when the next may begin, and waits for that one too', async () => {
    const rounds: number[][] = [];
    const lane: Lane<number> = new Lane(
      async (gathered) => {
        await after(2);
        rounds.push(gathered);
      },
      () => undefined,
      () => lane.start(),
    );
    lane.add(1);
    lane.start();
    lane.add(2);
    await lane.finish();
    expect(rounds).toEqual([[1], [2]]);
    expect(lane.isFree).toBe(true);
  });

  it('tells a failure at once and again at the end, and begins nothing after it', async () => {
    const failure = new Error('broken');
    const told: unknown[] = [];
    let rounds = 0;
    const lane = new Lane<number>(
      async () => {
        rounds++;
        throw failure;
      },
      (thrown) => void told.push(thrown),
    );
    lane.add(1);
    lane.start();
    await after(1);
    expect(told).toEqual([failure]);
    lane.add(2);
    lane.start();
    await expect(lane.finish()).rejects.toBe(failure);
    await lane.stop();
    expect(rounds).toBe(1);
  });
});
