import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createOutput } from './output.js';

it('waits for a slow reader', async () => {
  const stream = new PassThrough({ highWaterMark: 4 });
  const out = createOutput(stream as never, {}, () => undefined);
  let done = false;
  const writing = out
    .writeData('x'.repeat(100))
    .then(() => out.writeData('y'))
    .then(() => (done = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(done).toBe(false);
  stream.resume();
  await writing;
  expect(done).toBe(true);
});

it('takes a reader that went away as the end, without an error', async () => {
  const stream = new PassThrough();
  const failures: string[] = [];
  const out = createOutput(stream as never, {}, (message) => failures.push(message));
  stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(out.closed.aborted).toBe(true);
  await out.writeData('more');
  expect(failures).toEqual([]);
});

it('tells every other failure', () => {
  const stream = new PassThrough();
  const failures: string[] = [];
  const out = createOutput(stream as never, {}, (message) => failures.push(message));
  stream.emit('error', Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  expect(out.closed.aborted).toBe(true);
  expect(failures).toEqual(['no space left']);
});

it('knows the width of a terminal that knows its own, as it changes', () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const out = createOutput(stream as never, {}, () => undefined);
  expect(out.columns()).toBe(80);
  stream.columns = 60;
  expect(out.columns()).toBe(60);
  stream.columns = 0;
  expect(out.columns()).toBe(Infinity);
  expect(createOutput(new PassThrough() as never, {}, () => undefined).columns()).toBe(Infinity);
});

it.each([
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('terminal %s with %j has colours: %s', (isTTY, env, expected) => {
  expect(createOutput(Object.assign(new PassThrough(), { isTTY }) as never, env, () => undefined).colors).toBe(
    expected,
  );
});
