import { describe, expect, it } from 'vitest';
import { abortable, sleep } from './abort.js';
import { EventQueue } from './event-queue.js';
import { errorMessage } from './failure.js';

describe('EventQueue', () => {
  it('gives a slow reader everything, in order, and then the end', async () => {
    const queue = new EventQueue<{ n: number }>();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { n } of queue) {
        seen.push(n);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    for (let n = 0; n < 20; n++) {
      queue.push({ n });
      if (n % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    queue.end();
    await reading;
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('answers those who ask before there is anything in their order, and all of them at the end', async () => {
    const queue = new EventQueue<number>();
    const asked = [queue.next(), queue.next(), queue.next()];
    queue.push(1);
    queue.push(2);
    queue.end();
    expect(await Promise.all(asked)).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      { done: true, value: undefined },
    ]);
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });

  it('gives nothing any more once it is closed', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.close();
    queue.push(2);
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });
});

describe('abortable', () => {
  it('rejects with the reason as soon as the signal aborts, and takes its listener off', async () => {
    const controller = new AbortController();
    const never = abortable(new Promise(() => undefined), controller.signal);
    controller.abort(new Error('stop'));
    await expect(never).rejects.toThrow('stop');
    await expect(abortable(Promise.resolve(1), controller.signal)).rejects.toThrow('stop');
    await expect(sleep(10_000, controller.signal)).rejects.toThrow('stop');
    await expect(abortable(Promise.resolve(1), new AbortController().signal)).resolves.toBe(1);
  });
});

describe('errorMessage', () => {
  it('is never empty', () => {
    expect(errorMessage(new TypeError())).toBe('TypeError');
    expect(errorMessage('')).toBe('unknown error');
    expect(errorMessage(undefined)).toBe('undefined');
  });
});
