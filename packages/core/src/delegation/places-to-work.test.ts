import { expect, it } from 'vitest';
import { PlacesToWork, type Place } from './places-to-work.js';

const never = new AbortController().signal;
const settled = async (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5))]);

it('gives places in the order in which they were asked for', async () => {
  const places = new PlacesToWork(1);
  const first = await places.take(undefined, never);
  const order: number[] = [];
  const rest = [1, 2, 3].map(async (number) => {
    const place = await places.take(undefined, never);
    order.push(number);
    place.release();
  });
  expect(places.mustWait(undefined)).toBe(true);
  first.release();
  first.release();
  await Promise.all(rest);
  expect(order).toEqual([1, 2, 3]);
});

it('lends the place of an agent to one below it at a time, however deep', async () => {
  const places = new PlacesToWork(1);
  const top = await places.take(undefined, never);
  const below = await places.take(top, never);
  const second = places.take(top, never);
  expect(await settled(second)).toBe(false);
  const deeper = await places.take(below, never);
  deeper.release();
  below.release();
  expect(await settled(second)).toBe(true);
  (await second).release();
  top.release();
  expect(places.mustWait(undefined)).toBe(false);
});

it('lets those go who are stopped while they wait', async () => {
  const places = new PlacesToWork(1);
  const held: Place = await places.take(undefined, never);
  const stop = new AbortController();
  const waiting = places.take(undefined, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(places.take(undefined, stop.signal)).rejects.toThrow('stopped');
  held.release();
  expect(await settled(places.take(undefined, never))).toBe(true);
});
