import { once } from 'node:events';
import { createServer, connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { afterReading } from '../../../ui/once-read.js';
import { TimeByHand } from './testing/time-by-hand.js';
import { UnseenKeys } from './unseen-keys.js';

const key = (name: string) => ({ name, text: name, raw: name });

it('counts a key when the question was there for a while without one, and those after it', () => {
  const time = new TimeByHand();
  const unseen = new UnseenKeys(time.after);
  expect(unseen.counts(key('y'))).toBe(false);
  unseen.drawn();
  time.pass(200);
  unseen.drawn();
  expect(unseen.counts(key('y'))).toBe(false);
  time.pass(299);
  expect(['y', 'up', 'ctrl+c', 'y'].map((name) => unseen.counts(key(name)))).toEqual([false, true, true, false]);
  time.pass(300);
  expect(['y', 'y'].map((name) => unseen.counts(key(name)))).toEqual([true, true]);
  unseen.begin();
  time.pass(1000);
  expect(unseen.counts(key('y'))).toBe(false);
});

it('counts no key that was pressed while the program was too busy to read it', async () => {
  const unseen = new UnseenKeys(afterReading);
  const counted: boolean[] = [];
  const server = createServer((socket) => socket.on('data', () => counted.push(unseen.counts(key('y')))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const person = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(person, 'connect');
  person.write('y');
  while (counted.length === 0) await new Promise((resolve) => setImmediate(resolve));
  unseen.drawn();
  person.write('y');
  const busyUntil = performance.now() + 500;
  while (performance.now() < busyUntil);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(counted).toEqual([false, false]);
  await new Promise((resolve) => setTimeout(resolve, 400));
  person.write('y');
  while (counted.length < 3) await new Promise((resolve) => setImmediate(resolve));
  expect(counted).toEqual([false, false, true]);
  person.destroy();
  server.close();
});
