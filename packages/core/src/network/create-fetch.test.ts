import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startForwardProxy, type ForwardProxy, type ForwardProxyOptions } from '../testing/forward-proxy.js';
import { Failure } from '../util/failure.js';
import { createFetch, type Fetcher } from './create-fetch.js';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  vi.unstubAllEnvs();
});

function fetcher(environment: Record<string, string> = {}): Fetcher {
  const made = createFetch({ environment });
  ends.push(() => made.close());
  return made;
}

async function proxy(options?: ForwardProxyOptions): Promise<ForwardProxy> {
  const made = await startForwardProxy(options);
  ends.push(made.close);
  return made;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener): Promise<number> => listen(createServer(listener));

/** Says what it was asked. */
const mirror: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
};

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof Failure) return thrown;
  throw new Error(`no failure: ${String(thrown)}`, { cause: thrown });
}

const hasOpenssl = existsSync('/usr/bin/openssl');
const ACCOUNT = 'me:p%40ss';
const PASSWORD = 'p@ss';

async function serveSealed(listener: RequestListener): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=mcp.example.test';
  execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const options = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return listen(createTlsServer(options, listener));
}

describe('a request without a proxy', () => {
  it('is as the global one: method, headers of both kinds, body, answer', async () => {
    const port = await serve(mirror);
    const response = await fetcher().fetch(new URL(`http://127.0.0.1:${port}/a?b`), {
      method: 'POST',
      headers: new Headers({ 'x-one': '1' }),
      body: new URLSearchParams({ c: 'd' }),
    });
    expect(response).toBeInstanceOf(Response);
    expect(response.url).toBe(`http://127.0.0.1:${port}/a?b`);
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/a?b',
      body: 'c=d',
      headers: { 'x-one': '1', 'content-type': expect.stringContaining('urlencoded') },
    });
  });

  it('may be a Request', async () => {
    const port = await serve(mirror);
    const request = new Request(`http://127.0.0.1:${port}/r`, { method: 'PUT', body: 'whole', headers: { a: 'b' } });
    const response = await fetcher().fetch(request);
    expect(await response.json()).toMatchObject({ method: 'PUT', url: '/r', body: 'whole', headers: { a: 'b' } });
  });

  it('follows redirects, or shows them', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/from') response.writeHead(307, { location: '/to' }).end();
      else response.end('there');
    });
    const { fetch: send } = fetcher();
    const followed = await send(`http://127.0.0.1:${port}/from`);
    expect([followed.redirected, followed.url, await followed.text()]).toEqual([
      true,
      `http://127.0.0.1:${port}/to`,
      'there',
    ]);
    const shown = await send(`http://127.0.0.1:${port}/from`, { redirect: 'manual' });
    expect([shown.status, shown.headers.get('location')]).toEqual([307, '/to']);
  });

  it('unpacks, and knows answers without a body', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/empty') response.writeHead(204).end();
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
    });
    const { fetch: send } = fetcher();
    expect(await (await send(`http://127.0.0.1:${port}/`)).text()).toBe('packed');
    expect((await send(`http://127.0.0.1:${port}/empty`)).body).toBeNull();
  });

  it('is ended by its signal, before and within the answer', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/stream') response.write('begun');
    });
    const { fetch: send } = fetcher();
    const stop = new AbortController();
    const waiting = send(`http://127.0.0.1:${port}/never`, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const later = new AbortController();
    const response = await send(`http://127.0.0.1:${port}/stream`, { signal: later.signal });
    const text = response.text();
    later.abort(new Error('enough of it'));
    await expect(text).rejects.toThrow('enough of it');
  });

  it('that cannot be sent fails with its cause', async () => {
    const port = await serve(mirror);
    await ends.pop()?.();
    await expect(fetcher().fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('ends with the fetcher, whose idle connections it closes', async () => {
    const server = createServer((request, response) => {
      if (request.url !== '/never') response.end('x');
    });
    const port = await listen(server);
    const own = fetcher();
    await (await own.fetch(`http://127.0.0.1:${port}/`)).text();
    const waiting = own.fetch(`http://127.0.0.1:${port}/never`);
    const rejected = expect(waiting).rejects.toThrow();
    await own.close();
    await rejected;
    await vi.waitFor(async () => {
      const open = await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
      expect(open).toBe(0);
    });
    await createFetch({ environment: {} }).close();
  });
});

describe('a request through a proxy', () => {
  it('names its whole address, and the proxy connects', async () => {
    const port = await serve(mirror);
    const way = await proxy();
    const { fetch: send } = fetcher({ http_proxy: `http://127.0.0.1:${way.port}` });
    const address = `http://mcp.example.test:${port}/a?b=c`;
    const response = await send(address, { method: 'POST', body: 'text' });
    expect(response.url).toBe(address);
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/a?b=c',
      body: 'text',
      headers: { host: `mcp.example.test:${port}` },
    });
    expect(way.asked).toEqual([`POST ${address}`]);
  });

  it('carries user and password to the proxy only', async () => {
    const port = await serve(mirror);
    const way = await proxy({ account: `me:${PASSWORD}` });
    const { fetch: send } = fetcher({ HTTP_PROXY: `http://${ACCOUNT}@127.0.0.1:${way.port}` });
    const answer = (await (await send(`http://mcp.example.test:${port}/`)).json()) as { headers: object };
    expect(Object.keys(answer.headers)).not.toContain('proxy-authorization');
  });

  it('goes directly where NO_PROXY says so, each redirect by itself', async () => {
    const inner = await serve((_request, response) => response.end('near'));
    const outer = await serve((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${inner}/near` }).end();
    });
    const way = await proxy();
    const { fetch: send } = fetcher({ HTTP_PROXY: `127.0.0.1:${way.port}` });
    expect(await (await send(`http://mcp.example.test:${outer}/`)).text()).toBe('near');
    expect(way.asked).toEqual([`GET http://mcp.example.test:${outer}/`]);
    const direct = fetcher({ HTTP_PROXY: `127.0.0.1:${way.port}`, NO_PROXY: '.example.test' });
    // The name is of no machine: without the proxy it is looked up in vain.
    await expect(direct.fetch(`http://mcp.example.test:${outer}/`)).rejects.toMatchObject({
      cause: { syscall: 'getaddrinfo' },
    });
    expect(way.asked).toHaveLength(1);
  });
});

describe.skipIf(!hasOpenssl)('a sealed request through a proxy', () => {
  it('goes through a tunnel, which sees nothing of it; and the next one as well', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const port = await serveSealed(mirror);
    const way = await proxy({ account: `me:${PASSWORD}` });
    const { fetch: send } = fetcher({ HTTPS_PROXY: `http://${ACCOUNT}@127.0.0.1:${way.port}` });
    for (const body of ['one', 'two']) {
      const response = await send(`https://mcp.example.test:${port}/x`, { method: 'POST', body });
      const answer = (await response.json()) as { headers: Record<string, string> };
      expect(answer).toMatchObject({ body, url: '/x', headers: { host: `mcp.example.test:${port}` } });
      expect(Object.keys(answer.headers)).not.toContain('proxy-authorization');
    }
    expect(new Set(way.asked)).toEqual(new Set([`CONNECT mcp.example.test:${port}`]));
  });

  it('still proves the server', async () => {
    const port = await serveSealed(mirror);
    const way = await proxy();
    const { fetch: send } = fetcher({ HTTPS_PROXY: `127.0.0.1:${way.port}` });
    await expect(send(`https://mcp.example.test:${port}/`)).rejects.toMatchObject({
      cause: { code: expect.stringContaining('SELF_SIGNED') },
    });
  });
});

describe('a proxy at fault is told, with the variable that named it and without its password', () => {
  it.each<readonly [string, ForwardProxyOptions, string]>([
    ['407 without an account', { account: 'other:x' }, 'does not take the user and password in'],
    ['another scheme', { refuses: 407, scheme: 'Negotiate' }, 'wants a sign-in by Negotiate (HTTP 407)'],
  ])('%s', async (_fact, options, message) => {
    const way = await proxy(options);
    for (const scheme of ['http', 'https']) {
      const variable = `${scheme.toUpperCase()}_PROXY`;
      const { fetch: send } = fetcher({ [variable]: `http://${ACCOUNT}@127.0.0.1:${way.port}` });
      const failure = await failureOf(send(`${scheme}://mcp.example.test/`));
      expect(failure.code).toBe('proxy_unusable');
      expect(failure.message).toContain(`The proxy 127.0.0.1:${way.port} (from ${variable})`);
      expect(failure.message).toContain(message);
      expect(failure.message).not.toMatch(/p@ss|p%40ss|bWU6/u);
    }
    expect(way.asked.length).toBeGreaterThan(1);
  });

  it('that wants an account and got none', async () => {
    const way = await proxy({ account: 'me:x' });
    const failure = await failureOf(fetcher({ ALL_PROXY: `127.0.0.1:${way.port}` }).fetch('https://mcp.example.test/'));
    expect(failure.message).toContain('wants a user and a password (HTTP 407): ALL_PROXY can hold them');
  });

  it('that hangs up before it connected', async () => {
    const way = await proxy({ hangsUp: true });
    const { fetch: send } = fetcher({ HTTPS_PROXY: `http://${ACCOUNT}@127.0.0.1:${way.port}` });
    expect((await failureOf(send('https://mcp.example.test/'))).message).toContain(
      '(from HTTPS_PROXY) cannot be reached',
    );
  });

  it.each([403, 502])('that does not connect: %s', async (refuses) => {
    const way = await proxy({ refuses });
    const failure = await failureOf(
      fetcher({ HTTPS_PROXY: `127.0.0.1:${way.port}` }).fetch('https://mcp.example.test:8443/'),
    );
    expect(failure.message).toContain(`did not connect to mcp.example.test:8443: HTTP ${refuses}`);
  });

  it.each([
    ['proxy-status', 'corp; error=http_request_denied; details="no"'],
    ['x-squid-error', 'ERR_ACCESS_DENIED 0'],
  ])('that says in %s that it is itself who refuses; without it, that is the server', async (name, value) => {
    let headers: Record<string, string> = { [name]: value };
    const port = await serve((_request, response) => void response.writeHead(403, headers).end('no'));
    const { fetch: send } = fetcher({ HTTP_PROXY: `127.0.0.1:${port}` });
    const failure = await failureOf(send('http://mcp.example.test:8080/'));
    expect(failure.message).toContain('(from HTTP_PROXY) did not connect to mcp.example.test:8080: HTTP 403');
    headers = { 'proxy-status': 'corp; received-status=403' };
    expect((await send('http://mcp.example.test:8080/')).status).toBe(403);
  });

  it('that is not there', async () => {
    const way = await proxy();
    await way.close();
    for (const scheme of ['http', 'https']) {
      const { fetch: send } = fetcher({ all_proxy: `http://${ACCOUNT}@127.0.0.1:${way.port}` });
      const failure = await failureOf(send(`${scheme}://mcp.example.test/`));
      expect(failure.message).toContain(`(from all_proxy) cannot be reached: connect ECONNREFUSED`);
      expect(failure.message).not.toMatch(/p@ss|p%40ss/u);
    }
  });

  it('whose address is none', async () => {
    const failure = await failureOf(
      fetcher({ HTTPS_PROXY: 'socks5://me:secret@h:1' }).fetch('https://mcp.example.test/'),
    );
    expect(failure.message).toContain('HTTPS_PROXY names a SOCKS proxy');
  });
});

describe('silence before and within an answer', () => {
  /** Lets the clock of the library's time limits run on, as far as it knows. */
  function minutesPass(minutes: number): void {
    const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick: (ms: number) => void };
    // A limit that was just set begins to count with the first.
    timers.tick(1000);
    timers.tick(minutes * 60_000);
  }

  interface Silent {
    readonly listener: RequestListener;
    readonly answers: ServerResponse[];
  }

  function silent(): Silent {
    const answers: ServerResponse[] = [];
    return { answers, listener: (_request, response) => answers.push(response) };
  }

  async function waitedFor(
    send: (url: string) => Promise<{ readonly text: () => Promise<string> }>,
    url: string,
    answers: readonly ServerResponse[],
  ): Promise<string> {
    const before = answers.length;
    const asked = send(url);
    asked.catch(() => undefined);
    await vi.waitFor(() => expect(answers.length).toBe(before + 1));
    const answer = answers.at(-1);
    minutesPass(10);
    answer?.write('first');
    const response = await asked;
    const text = response.text();
    text.catch(() => undefined);
    // What was sent is here before the clock runs on.
    await new Promise((resolve) => setTimeout(resolve, 50));
    minutesPass(10);
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer?.end(' last');
    return text;
  }

  it('is never a reason to cut it, on any way', async () => {
    const { listener, answers } = silent();
    const [port, way] = [await serve(listener), await proxy()];
    const { fetch: send } = fetcher({ HTTP_PROXY: `127.0.0.1:${way.port}` });
    expect(await waitedFor(send, `http://127.0.0.1:${port}/`, answers)).toBe('first last');
    expect(await waitedFor(send, `http://mcp.example.test:${port}/`, answers)).toBe('first last');
    expect(way.asked).toHaveLength(1);
  });

  it.skipIf(!hasOpenssl)('is none in a tunnel', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { listener, answers } = silent();
    const [port, way] = [await serveSealed(listener), await proxy()];
    const { fetch: send } = fetcher({ HTTPS_PROXY: `127.0.0.1:${way.port}` });
    expect(await waitedFor(send, `https://mcp.example.test:${port}/`, answers)).toBe('first last');
    expect(way.asked).toHaveLength(1);
  });

  it('is one for the library as it comes, so that this test would see it', async () => {
    const undici = await import('undici');
    const agent = new undici.Agent();
    ends.push(() => agent.destroy());
    const { listener, answers } = silent();
    const port = await serve(listener);
    const usual = (url: string): ReturnType<typeof undici.fetch> => undici.fetch(url, { dispatcher: agent });
    await expect(waitedFor(usual, `http://127.0.0.1:${port}/`, answers)).rejects.toMatchObject({
      cause: { code: 'UND_ERR_HEADERS_TIMEOUT' },
    });
  });
});
