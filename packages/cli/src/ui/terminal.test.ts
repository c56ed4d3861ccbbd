import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createTerminal } from './terminal.js';

const opened: { destroy(): unknown }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.destroy();
});

/** What is typed, and the end of it that the program reads: nothing of it is read before it is asked for. */
async function keyboard(): Promise<{ readonly person: Socket; readonly input: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const input = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [person] = (await once(server, 'connection')) as [Socket];
  server.close();
  opened.push(person, input);
  return { person, input };
}

const busy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('a question', () => {
  it.each([0, 150])('is not answered by what was typed before it, where the machine is busy for %i ms', async (ms) => {
    const { person, input } = await keyboard();
    person.write('y\n');
    await sleep(50);
    const answer = createTerminal(input, new PassThrough().resume()).ask('May it? ');
    busy(ms);
    await sleep(100);
    person.write('n\n');
    expect(await answer).toBe('n');
  });

  it('has no answer where somebody pressed Ctrl-C before it', async () => {
    const { person, input } = await keyboard();
    person.write('y\n\u0003');
    await sleep(50);
    const answer = createTerminal(input, new PassThrough().resume()).ask('May it? ');
    busy(150);
    expect(await answer).toBeUndefined();
  });
});
