import { describe, expect, it } from 'vitest';
import { CallStop } from './call-stop.js';

describe('CallStop', () => {
  it('waits for one promise after the other, until it is stopped', async () => {
    const stop = new CallStop();
    expect(await stop.wait(Promise.resolve(1))).toBe(1);
    await expect(stop.wait(Promise.reject(new Error('own')))).rejects.toThrow('own');
    const never = stop.wait(new Promise(() => undefined));
    stop.stop(new Error('first'));
    stop.stop(new Error('second'));
    await expect(never).rejects.toThrow('first');
    await expect(stop.wait(Promise.resolve(1))).rejects.toThrow('first');
    expect(() => stop.throwIfStopped()).toThrow('first');
    // Neither leaves a rejection that nobody handles.
    await expect(stop.wait(Promise.reject(new Error('late')))).rejects.toThrow('first');
  });

  it('leaves what ended before as it was', async () => {
    const stop = new CallStop();
    const done = stop.wait(Promise.resolve('done'));
    await done;
    stop.stop(new Error('too late'));
    expect(await done).toBe('done');
  });

  it('aborts its signal with the reason, whenever that is asked for', () => {
    const [early, late] = [new CallStop(), new CallStop()];
    const { signal } = early;
    let heard = 0;
    signal.addEventListener('abort', () => heard++);
    const reason = new Error('stop');
    for (const stop of [early, late]) stop.stop(reason);
    expect(early.signal).toBe(signal);
    expect([signal.reason, late.signal.reason, heard]).toEqual([reason, reason, 1]);
  });

  it('has a reason where none was given', async () => {
    const stop = new CallStop();
    stop.stop(undefined);
    await expect(stop.wait(Promise.resolve(1))).rejects.toBe(stop.signal.reason);
    expect(stop.signal.reason).toBeInstanceOf(Error);
  });
});
