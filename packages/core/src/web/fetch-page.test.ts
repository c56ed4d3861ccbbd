import zlib, { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startForwardProxy } from '../testing/forward-proxy.js';
import { page, startPageServer, type AnswerPage, type PageServer } from '../testing/page-server.js';
import { fetchPage, type Fetched } from './fetch-page.js';
import type { WebOptions } from './web-options.js';

const redirect =
  (to: string, status = 302): AnswerPage =>
  (_request, response) =>
    void response.writeHead(status, { location: to }).end();
const packed = (coding: string, bytes: Uint8Array): AnswerPage =>
  page(bytes, 'text/plain', { 'content-encoding': coding });

let server: PageServer;
let other: PageServer;

beforeAll(async () => {
  other = await startPageServer({ '/': page('elsewhere', 'text/plain') });
  server = await startPageServer({
    '/': page('hello', 'text/plain'),
    '/echo': (request, response) => void response.end(JSON.stringify(request.headers)),
    '/hop': redirect('/hop2', 301),
    '/hop2': redirect('/', 307),
    '/loop': redirect('/loop'),
    '/out': redirect('https://example.com/landing?a=b#part', 301),
    '/port': redirect(`http://localhost:${other.port}/`),
    '/meta': redirect('http://169.254.169.254/latest/meta-data/'),
    '/file': redirect('file:///etc/passwd'),
    '/nowhere': redirect('http://[::bad'),
    '/gzip': packed('gzip', gzipSync('packed')),
    '/deflate': packed('deflate', deflateSync('packed')),
    '/br': packed('br', brotliCompressSync('packed')),
    '/twice': packed('gzip, br', brotliCompressSync(gzipSync('packed'))),
    // Node has it from 22.15 on.
    '/zstd': packed('zstd', zstdOf('packed')),
    '/lzma': packed('lzma', Buffer.from('packed')),
    '/broken-gzip': packed('gzip', Buffer.from('not gzip at all')),
    '/bomb': packed('gzip', gzipSync(Buffer.alloc(8 * 1024 * 1024))),
    '/large': page('x'.repeat(300_000), 'text/plain'),
    '/endless': (_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(64 * 1024, 'x')), 1);
      response.on('close', () => clearInterval(timer));
    },
    '/silent': () => undefined,
    '/stalls': (_request, response) => void response.writeHead(200).write('a beginning'),
    '/drips': (_request, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    },
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
    },
    '/empty': (_request, response) => void response.writeHead(204).end(),
  });
});

afterAll(async () => {
  await server.close();
  await other.close();
});

const fetched = (path: string, more: WebOptions = {}): Promise<Fetched> =>
  fetchPage(
    new URL(path, server.origin),
    { allowPrivateHosts: [`localhost:${server.port}`], ...more },
    new AbortController().signal,
  );
const textOf = async (path: string, more: WebOptions = {}): Promise<string> => {
  const result = await fetched(path, more);
  return result.kind === 'page' ? result.page.bytes.toString() : result.kind;
};
const failing = (code: string, message: RegExp): object =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as string });

describe('an address (S120)', () => {
  it('is asked for honestly, without cookies', async () => {
    const headers = JSON.parse(await textOf('/echo')) as Record<string, string>;
    expect(headers['user-agent']).toMatch(/^Tenon\/\d/);
    expect(headers['cookie']).toBeUndefined();
    expect(headers['referer']).toBeUndefined();
    const encodings = ['gzip', 'deflate', 'br', ...('createZstdDecompress' in zlib ? ['zstd'] : [])];
    expect(headers['accept-encoding']).toBe(encodings.join(', '));
  });

  it('of this machine is not asked for unless the setting names it', async () => {
    await expect(fetched('/', { allowPrivateHosts: [] })).rejects.toThrow(
      failing('web_refused', /web\.allowPrivateHosts/),
    );
    expect(server.asked).not.toContain('/?never');
  });

  it.each(['/gzip', '/deflate', '/br', '/twice'])('may answer packed: %s', async (path) => {
    expect(await textOf(path)).toBe('packed');
  });

  it('that answers packed otherwise is refused with the reason', async () => {
    await expect(fetched('/lzma')).rejects.toThrow(failing('read_content_failure', /"lzma"/));
    if ('zstdCompressSync' in zlib) expect(await textOf('/zstd')).toBe('packed');
    else await expect(fetched('/zstd')).rejects.toThrow(failing('read_content_failure', /"zstd"/));
    await expect(fetched('/broken-gzip')).rejects.toThrow(failing('web_unreachable', /could not be fetched/));
  });

  it('may answer with nothing', async () => expect(await textOf('/empty')).toBe(''));
});

describe('redirects (S120)', () => {
  it('within the host are followed', async () => {
    const result = await fetched('/hop');
    expect(result).toMatchObject({ kind: 'page', page: { url: `${server.origin}/` } });
  });

  it('to another host or port are told, and nothing is contacted', async () => {
    expect(await fetched('/out')).toEqual({ kind: 'moved', status: 301, to: 'https://example.com/landing?a=b' });
    expect(await fetched('/port')).toMatchObject({ kind: 'moved', to: `http://localhost:${other.port}/` });
    expect(await fetched('/meta')).toMatchObject({ kind: 'moved' });
    expect(await fetched('/file')).toMatchObject({ kind: 'moved', to: 'file:///etc/passwd' });
    expect(other.asked).toEqual([]);
  });

  it('end somewhere', async () => {
    await expect(fetched('/loop')).rejects.toThrow(failing('web_unreachable', /more than 5 times/));
    await expect(fetched('/nowhere')).rejects.toThrow(failing('web_unreachable', /no address/));
  });
});

describe('what takes too much is ended (S120)', () => {
  it('by its size, stated or not, packed or not', async () => {
    for (const path of ['/large', '/endless', '/bomb'])
      await expect(fetched(path, { maxBytes: 100_000 }), path).rejects.toThrow(
        failing('file_too_large', /larger than 0.1 MB/),
      );
  });

  it('by its silence, before the answer and within it', async () => {
    for (const path of ['/silent', '/stalls'])
      await expect(fetched(path, { idleMs: 80 }), path).rejects.toThrow(
        failing('timed_out', /sent nothing for 0.08 seconds/),
      );
  });

  it('by the time it takes as a whole, though it never is silent', async () => {
    await expect(fetched('/drips', { idleMs: 5000, timeoutMs: 200 })).rejects.toThrow(
      failing('timed_out', /not done after 0.2/),
    );
  });

  it('where the call is cancelled, with the reason for that', async () => {
    const reason = new Error('enough');
    const options = { allowPrivateHosts: [`localhost:${server.port}`] };
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 50);
    await expect(fetchPage(new URL('/silent', server.origin), options, stop.signal)).rejects.toBe(reason);
  });

  it('and an answer that is cut off is no page', async () => {
    await expect(fetched('/cut')).rejects.toThrow(failing('web_unreachable', /could not be fetched/));
  });
});

describe('a name is looked up once, and what it leads to is judged (S120)', () => {
  it('a name that leads elsewhere at the second question is judged at each connection, and never asked in between', async () => {
    let answers = 0;
    const resolve = async (): Promise<string[]> => [answers++ === 0 ? '127.0.0.1' : '169.254.169.254'];
    const options = { allowPrivateHosts: ['rebind.test'], resolve };
    const get = (path: string): Promise<Fetched> =>
      fetchPage(new URL(`http://rebind.test:${server.port}${path}`), options, new AbortController().signal);
    expect(await get('/')).toMatchObject({ kind: 'page' });
    expect(answers).toBe(1);
    answers = 0;
    await expect(get('/hop')).rejects.toThrow(failing('web_refused', /leads to 169\.254\.169\.254/));
  });

  it.each([['127.0.0.1'], ['10.0.0.1', '192.168.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1']])(
    'one that leads to %s is refused, and nothing is sent',
    async (...addresses) => {
      const before = server.asked.length;
      const trying = fetchPage(
        new URL(`http://rebind.test:${server.port}/`),
        { resolve: async () => addresses },
        new AbortController().signal,
      );
      await expect(trying).rejects.toThrow(failing('web_refused', /rebind\.test leads to/));
      expect(server.asked).toHaveLength(before);
    },
  );

  it('one that cannot be found, or whose name server is silent, is told', async () => {
    const trying = (resolve: () => Promise<string[]>): Promise<Fetched> =>
      fetchPage(new URL('http://gone.test/'), { resolve, connectMs: 80 }, new AbortController().signal);
    await expect(trying(async () => Promise.reject(new Error('ENOTFOUND')))).rejects.toThrow(
      failing('web_unreachable', /gone\.test could not be resolved: ENOTFOUND/),
    );
    await expect(trying(async () => new Promise(() => undefined))).rejects.toThrow(/name server does not answer/);
    await expect(trying(async () => [])).rejects.toThrow(/leads to no address/);
  });
});

describe('through a proxy', () => {
  it('names go to it, and what is private by itself is refused before', async () => {
    const proxy = await startForwardProxy();
    try {
      const environment = { http_proxy: `http://127.0.0.1:${proxy.port}` };
      const through = (url: string): Promise<Fetched> =>
        fetchPage(new URL(url), { environment }, new AbortController().signal);
      expect(await through(`http://docs.example.com:${server.port}/`)).toMatchObject({ kind: 'page' });
      expect(proxy.asked).toEqual([`GET http://docs.example.com:${server.port}/`]);
      for (const host of ['10.0.0.1', '[::ffff:10.0.0.1]', '169.254.169.254', 'metadata.google.internal', 'intranet'])
        await expect(through(`http://${host}:${server.port}/`), host).rejects.toThrow(failing('web_refused', /./));
      expect(proxy.asked).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });
});

/** Where Node does not have it, the beginning of some. */
function zstdOf(text: string): Buffer {
  const pack: unknown = Reflect.get(zlib, 'zstdCompressSync');
  return typeof pack === 'function' ? (pack as (given: string) => Buffer)(text) : Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
}
