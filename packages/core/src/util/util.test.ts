import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { abortable, AbortWatch, sleep } from './abort.js';
import { EventQueue } from './event-queue.js';
import { errorMessage } from './failure.js';

describe('EventQueue', () => {
  it('gives a slow reader everything, in order, and then the failure', async () => {
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
    queue.fail(new Error('broke'));
    await expect(reading).rejects.toThrow('broke');
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n));
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

describe('AbortWatch', () => {
  it('waits for one promise after the other with one listener, until the signal aborts', async () => {
    const controller = new AbortController();
    const watch = new AbortWatch(controller.signal);
    expect(await watch.wait(Promise.resolve(1))).toBe(1);
    await expect(watch.wait(Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    const never = watch.wait(new Promise(() => undefined));
    controller.abort(new Error('stop'));
    await expect(never).rejects.toThrow('stop');
    await expect(watch.wait(Promise.resolve(1))).rejects.toThrow('stop');
    // Neither leaves a rejection that nobody handles.
    await expect(watch.wait(Promise.reject(new Error('late')))).rejects.toThrow('stop');
  });

  it('knows of a signal that aborted before, and takes its listener off', async () => {
    await expect(new AbortWatch(AbortSignal.abort(new Error('early'))).wait(Promise.resolve(1))).rejects.toThrow(
      'early',
    );
    const { signal } = new AbortController();
    new AbortWatch(signal).close();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('errorMessage', () => {
  it('is never empty', () => {
    expect(errorMessage(new TypeError())).toBe('TypeError');
    expect(errorMessage('')).toBe('unknown error');
    expect(errorMessage(undefined)).toBe('undefined');
  });
});
