import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { parseAllowedHosts } from './allowed-hosts.js';
import { HostProxy, type ProxyOptions } from './host-proxy.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Origin {
  readonly port: number;
  /** What arrived: method, address, `Host` headers, other headers by name, body. */
  readonly requests: { line: string; host: string; headers: IncomingMessage['headers']; body: string }[];
  connections: number;
}

/** A server that somebody may or may not reach. */
async function makeOrigin(): Promise<Origin> {
  const origin: Origin = { port: 0, requests: [], connections: 0 };
  const server = createHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const hosts = request.rawHeaders.filter((_value, index, all) => all[index - 1]?.toLowerCase() === 'host');
      const body = Buffer.concat(chunks).toString();
      origin.requests.push({
        line: `${request.method} ${request.url}`,
        host: hosts.join(),
        headers: request.headers,
        body,
      });
      if (request.url === '/redirect') response.setHeader('Location', 'http://evil.example/');
      response.statusCode = request.url === '/redirect' ? 302 : 200;
      response.end(`origin ${request.url} ${body}`);
    });
  });
  server.on('connection', () => (origin.connections += 1));
  return Object.assign(origin, { port: await listen(server) });
}

interface Proxied {
  readonly refused: string[];
  readonly resolved: string[];
  readonly port: number;
  /** Writes the parts one after the other, and answers all that came until the connection ended, or `quietMs` long nothing. */
  say(parts: string | readonly (string | Buffer)[], quietMs?: number): Promise<string>;
}

async function makeProxy(hosts: readonly string[], more: Partial<ProxyOptions> = {}): Promise<Proxied> {
  const refused: string[] = [];
  const resolved: string[] = [];
  const proxy = new HostProxy({
    hosts: parseAllowedHosts(hosts),
    refused: (host) => refused.push(host),
    ...more,
    resolve: async (host) => {
      resolved.push(host);
      return (await more.resolve?.(host)) ?? ['127.0.0.1'];
    },
  });
  const port = await listen(createServer({ allowHalfOpen: true }, (socket) => proxy.accept(socket)));
  const say: Proxied['say'] = async (parts, quietMs = 400) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let last = Date.now();
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      last = Date.now();
    });
    for (const part of typeof parts === 'string' ? [parts] : parts) {
      socket.write(part);
      await sleep(20);
    }
    last = Date.now();
    while (!socket.closed && Date.now() - last < quietMs) await sleep(10);
    socket.destroy();
    return Buffer.concat(chunks).toString();
  };
  return { refused, resolved, port, say };
}

const statusesOf = (answer: string): string[] =>
  Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = '']) => status);

describe('a plain request', () => {
  it('goes to the host of its address, with that host in its header, and body and answer come through', async () => {
    const origin = await makeOrigin();
    const proxy = await makeProxy([`site.example:${origin.port}`, '127.0.0.1:' + origin.port]);
    const url = `http://site.example:${origin.port}`;
    const answer = await proxy.say(
      `POST ${url}/a?b=c HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 4\r\nProxy-Connection: keep-alive\r\nX-Own: 1\r\nProxy-Authorization: Basic x\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n\r\nbody`,
    );
    expect(answer).toContain('origin /a?b=c body');
    expect(origin.requests).toMatchObject([{ line: 'POST /a?b=c', host: `site.example:${origin.port}`, body: 'body' }]);
    expect(Object.keys(origin.requests[0]?.headers ?? {})).toEqual(['host', 'content-length', 'x-own', 'connection']);
    expect([proxy.resolved, proxy.refused]).toEqual([['site.example'], []]);
  });

  it('chunked bodies are framed anew', async () => {
    const origin = await makeOrigin();
    const proxy = await makeProxy([`127.0.0.1:${origin.port}`]);
    await proxy.say(
      `POST http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
    );
    expect(origin.requests).toMatchObject([{ body: 'abcde', headers: { 'transfer-encoding': 'chunked' } }]);
  });

  it('is not followed where an answer leads elsewhere', async () => {
    const origin = await makeOrigin();
    const proxy = await makeProxy([`127.0.0.1:${origin.port}`]);
    const answer = await proxy.say(
      `GET http://127.0.0.1:${origin.port}/redirect HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 302[^]*Location: http:\/\/evil.example\//);
    expect(proxy.resolved).toEqual([]);
  });

  it('each of a connection is judged by itself, sent one by one or all at once', async () => {
    const [origin, other] = [await makeOrigin(), await makeOrigin()];
    const proxy = await makeProxy([`127.0.0.1:${origin.port}`]);
    const get = (where: string): string => `GET http://${where}/ HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\n\r\n`;
    const [good, bad] = [get(`127.0.0.1:${origin.port}`), get(`127.0.0.1:${other.port}`)];
    expect(statusesOf(await proxy.say([good, good, bad, good]))).toEqual(['200', '200', '403']);
    expect(statusesOf(await proxy.say(good + bad + good))).toEqual(['200', '403']);
    expect(other.connections).toBe(0);
    expect(proxy.refused).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('that is refused is told why, with the host and the setting', async () => {
    const proxy = await makeProxy(['registry.npmjs.org', '*.github.com']);
    const answer = await proxy.say('GET http://Evil.example./x HTTP/1.1\r\nHost: registry.npmjs.org\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer).toContain(
      'evil.example:80 is not among the hosts that commands in the sandbox may reach. The setting "sandboxHosts" allows registry.npmjs.org, *.github.com.',
    );
    expect([proxy.refused, proxy.resolved]).toEqual([['evil.example'], []]);
  });
});

describe('smuggling: nobody but the allowed host hears of', () => {
  const attacks: readonly (readonly [string, (good: string, bad: string) => string])[] = [
    ['another host in the header', (good, bad) => `GET http://${good}/ HTTP/1.1\r\nHost: ${bad}\r\n\r\n`],
    ['two hosts in the header', (good, bad) => `GET http://${good}/ HTTP/1.1\r\nHost: ${good}\r\nHost: ${bad}\r\n\r\n`],
    [
      'a user name that looks like the host',
      (good, bad) => `GET http://${good}@${bad}/ HTTP/1.1\r\nHost: ${good}\r\n\r\n`,
    ],
    ['the same with a backslash', (good, bad) => `GET http://${bad}\\@${good}/ HTTP/1.1\r\nHost: ${good}\r\n\r\n`],
    ['a path in origin form', (good, bad) => `GET / HTTP/1.1\r\nHost: ${bad}\r\nX: ${good}\r\n\r\n`],
    ['two slashes', (good, bad) => `GET //${bad}/ HTTP/1.1\r\nHost: ${good}\r\n\r\n`],
    ['another scheme', (good) => `GET https://${good}/ HTTP/1.1\r\nHost: ${good}\r\n\r\n`],
    ['a file', (good) => `GET file://${good}/etc/passwd HTTP/1.1\r\nHost: ${good}\r\n\r\n`],
    [
      'both lengths',
      (good, bad) =>
        `POST http://${good}/ HTTP/1.1\r\nHost: ${good}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://${bad}/ HTTP/1.1\r\nHost: ${bad}\r\n\r\n`,
    ],
    [
      'two lengths',
      (good, bad) =>
        `POST http://${good}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 60\r\n\r\nGET http://${bad}/ HTTP/1.1\r\nHost: ${bad}\r\n\r\n`,
    ],
    [
      'a length that is called a matter of the connection',
      (good, bad) =>
        `POST http://${good}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 70\r\nConnection: content-length\r\n\r\n${`GET http://${bad}/ HTTP/1.1\r\nHost: ${bad}\r\n\r\n`.padEnd(70)}`,
    ],
    [
      'an encoding that only some know',
      (good, bad) =>
        `POST http://${good}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\nGET http://${bad}/ HTTP/1.1\r\nHost: ${bad}\r\n\r\n`,
    ],
    [
      'a header that is folded',
      (good, bad) => `GET http://${good}/ HTTP/1.1\r\nX: a\r\n Host: ${bad}\r\nHost: x\r\n\r\n`,
    ],
    ['a bare line feed', (good, bad) => `GET http://${good}/ HTTP/1.1\nHost: ${bad}\n\n`],
    [
      'an upgrade',
      (good, bad) => `GET http://${good}/ HTTP/1.1\r\nHost: ${bad}\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n`,
    ],
    [
      'control characters in a header',
      (good) => `GET http://${good}/ HTTP/1.1\r\nHost: x\r\nX: a\x01\x7f\xffb\r\n\r\n`,
    ],
    ['control characters in a path', (good) => `GET http://${good}/\x01\x7f\xff\u20ac HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      'a method of its own',
      (good) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET http://${good}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
    ],
    ['a tunnel to another', (_good, bad) => `CONNECT ${bad} HTTP/1.1\r\nHost: ${bad}\r\n\r\n`],
    ['a tunnel by its header', (good, bad) => `CONNECT /${bad} HTTP/1.1\r\nHost: ${good}\r\n\r\n`],
    ['an address in a tunnel', (good, bad) => `CONNECT http://${bad}/ HTTP/1.1\r\nHost: ${good}\r\n\r\n`],
  ];

  it.each(attacks)('%s', async (_what, attack) => {
    const [good, bad] = [await makeOrigin(), await makeOrigin()];
    const proxy = await makeProxy([`127.0.0.1:${good.port}`]);
    await proxy.say(attack(`127.0.0.1:${good.port}`, `127.0.0.1:${bad.port}`));
    expect(bad.connections).toBe(0);
    // What arrived is one message to the one host, whatever its body says.
    for (const { host } of good.requests) expect(host).toBe(`127.0.0.1:${good.port}`);
    expect(good.requests.length).toBeLessThanOrEqual(1);
  });
});

describe('an allowed host that answers what is no answer', () => {
  it.each([
    ['a status that there is not', 'HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 x\r\n\r\n'],
    ['a reason of control characters', 'HTTP/1.1 200 \x01\x02\x7f\r\nContent-Length: 0\r\n\r\n'],
    ['a header of control characters', 'HTTP/1.1 200 OK\r\nX: a\x01\x7fb\r\nContent-Length: 0\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabc'],
    ['both lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`],
    ['something else', 'SSH-2.0-x\r\n'],
    ['nothing', ''],
    ['half', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
  ])('%s: the connection ends, and the next one works', async (_what, text) => {
    const hostile = await listen(createServer((socket) => void socket.on('data', () => socket.end(text, 'latin1'))));
    const origin = await makeOrigin();
    const proxy = await makeProxy([`127.0.0.1:${hostile}`, `127.0.0.1:${origin.port}`]);
    const get = (port: number): string => `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect((await proxy.say(get(hostile), 200)).slice(0, 12)).toMatch(/^(?:HTTP\/1.1 (?:200|502))?$/);
    expect(await proxy.say(get(origin.port), 200)).toContain('origin /');
  });
});

describe('a name that leads to an address that is not public', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '0.0.0.0',
    '100.100.100.200',
  ])('%s is refused', async (address) => {
    const proxy = await makeProxy(['rebound.example'], { resolve: async () => Promise.resolve([address]) });
    const answer = await proxy.say('GET http://rebound.example/ HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 403/);
    expect(answer).toContain(`rebound.example leads to ${address}`);
    expect(statusesOf(await proxy.say('CONNECT rebound.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'))).toEqual(['403']);
  });

  it('is asked for once: a name server that answers differently the second time changes nothing', async () => {
    const origin = await makeOrigin();
    let asked = 0;
    const resolve = async (): Promise<string[]> => Promise.resolve([(asked += 1) === 1 ? '10.0.0.1' : '127.0.0.1']);
    const proxy = await makeProxy([`rebound.example:${origin.port}`], { resolve });
    expect(
      statusesOf(await proxy.say(`GET http://rebound.example:${origin.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)),
    ).toEqual(['403']);
    expect([asked, origin.connections]).toEqual([1, 0]);
  });

  it('is reached where the list names the address as well, at that port', async () => {
    const [origin, other] = [await makeOrigin(), await makeOrigin()];
    const proxy = await makeProxy([
      `in.example:${origin.port}`,
      `in.example:${other.port}`,
      `127.0.0.1:${origin.port}`,
    ]);
    const to = async (port: number): Promise<string[]> =>
      statusesOf(await proxy.say(`GET http://in.example:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`));
    expect([await to(origin.port), await to(other.port)]).toEqual([['200'], ['403']]);
    expect(other.connections).toBe(0);
  });

  it('odd spellings of an address are none', async () => {
    const origin = await makeOrigin();
    const proxy = await makeProxy([`127.0.0.1:${origin.port}`, '*.example.com']);
    for (const host of [
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '[::ffff:127.0.0.1]',
      '[::1%25lo]',
      '%31%32%37.0.0.1',
    ]) {
      const answer = await proxy.say(`GET http://${host}:${origin.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`, 200);
      expect(statusesOf(answer)[0], host).toMatch(/^40[03]$/);
    }
    expect(origin.connections).toBe(0);
  });
});

describe('a tunnel', () => {
  /** Answers the host that a TLS client asked for; with `tls` false it says what it heard. */
  async function makeEcho(): Promise<{ port: number; heard: Buffer[] }> {
    const heard: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('data', (chunk) => {
        heard.push(chunk);
        socket.write(`heard ${chunk.length}`);
      });
    });
    return { heard, port: await listen(server) };
  }

  it('carries what is spoken at a port that the list names', async () => {
    const echo = await makeEcho();
    const proxy = await makeProxy([`localhost:${echo.port}`]);
    const answer = await proxy.say([`CONNECT localhost:${echo.port} HTTP/1.1\r\nHost: x\r\n\r\n`, 'SSH-2.0-x\r\n']);
    expect(answer).toMatch(/^HTTP\/1.1 200[^]*heard 11$/);
    expect(proxy.resolved).toEqual([]);
  });

  it('goes to port 443 alone where none is named', async () => {
    const echo = await makeEcho();
    const proxy = await makeProxy(['127.0.0.1', 'public.example']);
    for (const where of [`127.0.0.1:${echo.port}`, 'public.example:22', 'other.example:80', 'public.example:8443'])
      expect(statusesOf(await proxy.say(`CONNECT ${where} HTTP/1.1\r\nHost: x\r\n\r\n`)), where).toEqual(['403']);
    expect([echo.heard, proxy.resolved]).toEqual([[], []]);
  });

  it('to the port of HTTP carries requests, each judged and sent to whom the tunnel was made for', async () => {
    const proxy = await makeProxy(['site.example', '*.far.example'], {
      resolve: async () => Promise.resolve(['10.0.0.1']),
    });
    const open = 'CONNECT site.example:80 HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await proxy.say([open, 'GET /a HTTP/1.1\r\nHost: evil.example\r\n\r\n']);
    expect(answer).toMatch(/^HTTP\/1.1 200[^]*HTTP\/1.1 403[^]*site.example leads to 10.0.0.1/);
    for (const other of [
      'GET http://x.far.example/ HTTP/1.1\r\nHost: x\r\n\r\n',
      'SSH-2.0-x\r\n',
      'CONNECT x.far.example:25 HTTP/1.1\r\nHost: x\r\n\r\n',
    ])
      expect(statusesOf(await proxy.say(open + other))[1], other).toMatch(/^40[03]$/);
    expect(proxy.resolved).toEqual(['site.example']);
  });

  it('ends when TLS in it asks for another host than it was made for', async () => {
    const echo = await makeEcho();
    const proxy = await makeProxy([`cdn.example:${echo.port}`, `127.0.0.1:${echo.port}`]);
    const ask = async (servername: string): Promise<void> => {
      const socket = connect(proxy.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`CONNECT cdn.example:${echo.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(socket, 'data');
      const secure = connectTls({ socket, servername });
      secure.on('error', () => undefined);
      await Promise.race([once(socket, 'close'), sleep(200)]);
      secure.destroy();
    };
    await ask('evil.example');
    await ask('');
    expect(echo.heard).toEqual([]);
    expect(proxy.refused).toEqual(['cdn.example', 'cdn.example']);
    await ask('CDN.example');
    expect(echo.heard.length).toBeGreaterThan(0);
  });
});

describe('patience', () => {
  it('ends for a head that never comes, byte by byte or not at all', async () => {
    const proxy = await makeProxy(['a.example'], { limits: { headMs: 150 } });
    const begin = Date.now();
    const slow = Array.from({ length: 40 }, (_, index) => (index === 0 ? 'GET http://a.example/ HTTP/1.1\r\n' : 'X'));
    await Promise.all([proxy.say('', 5000), proxy.say(slow, 5000), proxy.say('CONNECT a.ex', 5000)]);
    expect(Date.now() - begin).toBeLessThan(4000);
  });

  it('ends for a second request that never comes', async () => {
    const origin = await makeOrigin();
    const proxy = await makeProxy([`127.0.0.1:${origin.port}`], { limits: { headMs: 150 } });
    const begin = Date.now();
    const answer = await proxy.say(`GET http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`, 5000);
    expect(statusesOf(answer)).toEqual(['200']);
    expect(Date.now() - begin).toBeLessThan(4000);
  });

  it('ends for a name server, and for a host, that does not answer', async () => {
    const proxy = await makeProxy(['a.example'], {
      limits: { connectMs: 100 },
      resolve: async () => new Promise(() => undefined),
    });
    expect(await proxy.say('GET http://a.example/ HTTP/1.1\r\nHost: x\r\n\r\n', 3000)).toMatch(
      /^HTTP\/1.1 502[^]*name server/,
    );
  });

  it('ends for a tunnel in which nothing is said', async () => {
    const silent = await listen(createServer(() => undefined));
    const proxy = await makeProxy([`127.0.0.1:${silent}`], { limits: { idleMs: 150 } });
    const begin = Date.now();
    await proxy.say(`CONNECT 127.0.0.1:${silent} HTTP/1.1\r\nHost: x\r\n\r\n`, 5000);
    expect(Date.now() - begin).toBeLessThan(4000);
  });

  it('ends for who sends many requests and waits for no answer; at no time does it connect for more than one', async () => {
    const origin = await makeOrigin();
    const proxy = await makeProxy([`127.0.0.1:${origin.port}`], { limits: { headMs: 2000 } });
    const get = `GET http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect(statusesOf(await proxy.say(get.repeat(10), 2000))).toHaveLength(10);
    await proxy.say(get.repeat(500), 2000);
    expect(origin.connections).toBeLessThan(30);
  });

  it('looks few names up at a time', async () => {
    let [now, most] = [0, 0];
    const resolve = async (): Promise<string[]> => {
      most = Math.max(most, (now += 1));
      await sleep(20);
      now -= 1;
      return [];
    };
    const proxy = await makeProxy(['*.a.example'], { resolve });
    const names = Array.from(
      { length: 10 },
      (_, index) => `GET http://n${index}.a.example/ HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    await Promise.all(names.map(async (request) => proxy.say(request)));
    expect(most).toBe(2);
  });

  it('a request whose client has gone is not made', async () => {
    const origin = await makeOrigin();
    const resolve = async (): Promise<string[]> => sleep(100, ['127.0.0.1']);
    const proxy = await makeProxy([`a.example:${origin.port}`, `127.0.0.1:${origin.port}`], { resolve });
    await proxy.say(`GET http://a.example:${origin.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`, 10);
    await proxy.say(`CONNECT a.example:${origin.port} HTTP/1.1\r\nHost: x\r\n\r\n`, 10);
    await sleep(200);
    expect([origin.requests, await sleep(50, sockets.size)]).toEqual([[], 0]);
  });

  it('has an end for headers too', async () => {
    const proxy = await makeProxy(['a.example']);
    const answer = await proxy.say(`GET http://a.example/ HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`);
    expect(statusesOf(answer)).toEqual(['400']);
    expect(proxy.resolved).toEqual([]);
  });
});
