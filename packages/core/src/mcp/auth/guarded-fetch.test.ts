import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { guardedFetch, requireSafe } from './guarded-fetch.js';

const LOCAL = 'http://127.0.0.1:9/mcp';
const REMOTE = 'https://tools.example/mcp';

it.each([
  ['https://login.example/token', REMOTE, true],
  ['https://login.example/token', LOCAL, true],
  ['http://127.0.0.1:1/token', LOCAL, true],
  ['http://localhost:1/token', LOCAL, true],
  ['http://[::1]:1/token', LOCAL, true],
  // A server elsewhere cannot send requests to this machine.
  ['http://127.0.0.1:1/token', REMOTE, false],
  ['http://login.example/token', REMOTE, false],
  ['http://127.evil.example/token', LOCAL, false],
  ['http://localhost.evil.example/token', LOCAL, false],
  ['https://user:word@login.example/token', REMOTE, false],
  ['file:///etc/passwd', LOCAL, false],
  ['javascript:alert(1)', LOCAL, false],
])('%s for a server at %s: %s', (target, server, isSafe) => {
  const check = (): void => requireSafe(new URL(target), server);
  if (isSafe) expect(check).not.toThrow();
  else expect(check).toThrow('not protected by TLS');
});

it.each([
  ['https://localhost:1/token', REMOTE, false],
  ['https://app.localhost/', REMOTE, false],
  ['https://127.0.0.2/', REMOTE, false],
  ['https://0.0.0.0/', REMOTE, false],
  ['https://[::1]/', REMOTE, false],
  ['https://[::ffff:127.0.0.1]/', REMOTE, false],
  ['https://[fe80::1]/', REMOTE, false],
  ['https://169.254.169.254/latest', REMOTE, false],
  ['https://0x7f.1/', REMOTE, false],
  ['https://10.0.0.1/', REMOTE, false],
  ['https://10.0.0.1/', 'https://192.168.1.1/mcp', true],
  ['https://10.0.0.1/', LOCAL, true],
  ['https://127.0.0.1/', 'https://192.168.1.1/mcp', false],
  ['https://127.0.0.1/', LOCAL, true],
  ['https://1.1.1.1/', REMOTE, true],
  ['https://[2606:4700::1111]/', REMOTE, true],
])('over TLS %s for a server at %s: %s', (target, at, isSafe) => {
  const check = (): void => requireSafe(new URL(target), at);
  if (isSafe) expect(check).not.toThrow();
  else expect(check).toThrow('although the server is elsewhere');
});

let server: Server | undefined;
afterEach(async () => {
  const running = server;
  server = undefined;
  running?.closeAllConnections();
  await new Promise((resolve) => (running === undefined ? resolve(undefined) : running.close(resolve)));
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

it('follows redirects of what is read to safe places only, and none of what is posted', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/here') response.end('here');
    else response.writeHead(302, { location: request.url === '/away' ? 'http://login.example/' : '/here' }).end();
  });
  const get = guardedFetch(origin, undefined, fetch);
  expect(await (await get(`${origin}/there`)).text()).toBe('here');
  expect((await get(`${origin}/there`, { method: 'POST', body: 'code=secret' })).status).toBe(302);
  await expect(get(`${origin}/away`)).rejects.toThrow('http://login.example');
});

it('gives up on redirects without end and on endless answers', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/big') {
      response.write('x'.repeat(700_000));
      response.write('x'.repeat(700_000));
    } else response.writeHead(302, { location: '/again' }).end();
  });
  const get = guardedFetch(origin, undefined, fetch);
  await expect(get(`${origin}/loop`)).rejects.toThrow('redirected too often');
  await expect(get(`${origin}/big`)).rejects.toThrow('too large');
});
