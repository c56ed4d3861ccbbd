import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openTunnel, type Tunnel } from './tunnel.js';

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** Both ends of a connection. */
async function pair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const one = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const [other] = await accepted;
  server.close();
  opened.push(one, other);
  for (const socket of [one, other]) socket.on('error', () => undefined);
  return [one, other];
}

async function makeTunnel(more: Partial<Tunnel>): Promise<{ client: Socket; server: Socket; refused: string[] }> {
  const [client, ours] = await pair();
  const [server, theirs] = await pair();
  const refused: string[] = [];
  openTunnel({ client: ours, server: theirs, idleMs: 5000, refused: (message) => refused.push(message), ...more });
  return { client, server, refused };
}

const only = { host: 'a.example', port: 443, mustBeTls: true, headMs: 100 };

/** All that comes until the other side ends; the socket stays half open. */
async function textOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  return Buffer.concat(chunks).toString();
}

it('lets nothing but TLS through where that is wanted', async () => {
  const { client, server, refused } = await makeTunnel({ only });
  client.write('GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n');
  expect(await textOf(server)).toBe('');
  expect(refused).toEqual([
    'The connection to a.example:443 was ended: only TLS goes to port 443, and that was something else.',
  ]);
});

it('waits for the first words no longer than it may', async () => {
  const { client, server } = await makeTunnel({ only });
  client.write(Buffer.from([22, 3, 1, 2]));
  expect(await textOf(server)).toBe('');
});

it('lets a server speak first where anything may be spoken', async () => {
  const { client, server } = await makeTunnel({ only: { ...only, port: 22, mustBeTls: false } });
  server.write('SSH-2.0-server');
  expect(String((await once(client, 'data'))[0])).toBe('SSH-2.0-server');
  client.end('SSH-2.0-client');
  expect(await textOf(server)).toBe('SSH-2.0-client');
});

it('carries all of it, also after one side has ended', async () => {
  const { client, server } = await makeTunnel({});
  const bytes = Buffer.alloc(3_000_000, 'z');
  client.end('question');
  expect(await textOf(server)).toBe('question');
  await sleep(20);
  server.end(bytes);
  expect((await textOf(client)).length).toBe(bytes.length);
});

it('ends when one side breaks off', async () => {
  const { client, server } = await makeTunnel({});
  client.write('x');
  await once(server, 'data');
  server.resetAndDestroy();
  await textOf(client);
  const other = await makeTunnel({});
  other.client.resetAndDestroy();
  await textOf(other.server);
});
