import { afterEach, expect, it } from 'vitest';
import { startForwardProxy } from '../../testing/forward-proxy.js';
import { startSearchServer, type SearchReply } from '../../testing/search-server.js';
import { Failure } from '../../util/failure.js';
import { retryAfterMs, type SearchLimits } from './send-search.js';
import { WebSearch } from './web-search.js';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Made {
  readonly limits?: Partial<SearchLimits>;
  readonly environment?: Record<string, string>;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

async function searchAt(url: string, { limits = {}, environment = {}, limit, signal }: Made = {}) {
  const search = new WebSearch({ environment: { SEARXNG_URL: url, ...environment }, limits });
  ends.push(() => search.close());
  const access = search.usual;
  if (access === undefined) throw new Error(search.notices.join(' '));
  return search.search('planes', access, limit, signal ?? new AbortController().signal);
}

async function served(reply: SearchReply, made: Made = {}) {
  const server = await startSearchServer(reply);
  ends.push(server.close);
  return searchAt(server.url, made);
}

const failing = async (answer: Promise<unknown>): Promise<Failure> => {
  const thrown: unknown = await answer.catch((reason: unknown) => reason);
  if (thrown instanceof Failure) return thrown;
  throw new Error('no failure', { cause: thrown });
};

it('gives up a server that says nothing', async () => {
  const thrown = await failing(served({ behaves: 'silent' }, { limits: { timeMs: 60 } }));
  expect(thrown.code).toBe('timed_out');
  expect(thrown.message).toMatch(/^SearXNG gave no answer within 1 s/);
});

it('gives up an answer that goes on and on, by its time and by its size', async () => {
  const long = await failing(served({ behaves: 'endless' }, { limits: { mostBytes: 1024 * 1024 } }));
  expect(long.message).toMatch(/more than 1 MiB/);
  const slow = await failing(served({ behaves: 'endless' }, { limits: { timeMs: 60, mostBytes: 1e12 } }));
  expect(slow.code).toBe('timed_out');
});

it('ends with the reason of the caller, also between two tries', async () => {
  const reason = new Error('enough');
  const silent = new AbortController();
  const answer = served({ behaves: 'silent' }, { signal: silent.signal });
  setTimeout(() => silent.abort(reason), 30);
  await expect(answer).rejects.toBe(reason);
  const busy = new AbortController();
  const waiting = served({ status: 503, headers: { 'retry-after': '10' } }, { signal: busy.signal });
  setTimeout(() => busy.abort(reason), 30);
  await expect(waiting).rejects.toBe(reason);
});

it('follows no redirection, and says where it pointed', async () => {
  const other = await startSearchServer({ body: { results: [] } });
  ends.push(other.close);
  const thrown = await failing(served({ status: 301, headers: { location: `${other.url}/search?q=planes` } }));
  expect(thrown.code).toBe('search_not_set_up');
  expect(thrown.message).toContain(other.url);
  expect(thrown.message).not.toContain('planes');
  expect(other.asked).toEqual([]);
});

it('says that a server cannot be reached, by host and cause alone', async () => {
  const server = await startSearchServer({});
  await server.close();
  const gone = await failing(searchAt(server.url.replace('http://', 'http://me:s3cret@')));
  expect(gone.code).toBe('search_unreachable');
  expect(gone.message).toBe(
    `SearXNG at ${new URL(server.url).host} cannot be reached: ECONNREFUSED. Check the network.`,
  );
  expect((await failing(served({ behaves: 'hangs-up' }))).code).toBe('search_unreachable');
});

it('sends user and password of an address as a header', async () => {
  const server = await startSearchServer({ body: { results: [] } });
  ends.push(server.close);
  await searchAt(`${server.url.replace('http://', 'http://me:p%40ss@')}/searx/`);
  expect(server.asked[0]).toMatchObject({
    path: '/searx/search',
    headers: { authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` },
  });
});

it('goes through the proxy that the environment names', async () => {
  const server = await startSearchServer({ body: { results: [] } });
  const proxy = await startForwardProxy();
  ends.push(server.close, proxy.close);
  const { port } = new URL(server.url);
  await searchAt(`http://search.example:${port}`, { environment: { http_proxy: `http://127.0.0.1:${proxy.port}` } });
  expect(proxy.asked.join()).toContain('search.example');
  expect(server.asked).toHaveLength(1);
});

it('gives no more results than are wanted, and says where a provider gives fewer', async () => {
  const results = Array.from({ length: 30 }, (_, index) => ({
    title: `T${index}`,
    url: `https://a.example/${index % 25}`,
  }));
  const all = await served({ body: { results } }, { limit: 25 });
  expect(all.hits).toHaveLength(20);
  expect(all.notes).toEqual(['SearXNG gives at most 20 results at once.']);
  expect((await served({ body: { results } })).hits.map(({ title }) => title)).toEqual(['T0', 'T1', 'T2', 'T3', 'T4']);
});

it('reads `Retry-After` as seconds and as a date, and nothing else', () => {
  const now = Date.parse('2026-10-02T08:00:00Z');
  expect(retryAfterMs('2', now)).toBe(2000);
  expect(retryAfterMs('Fri, 02 Oct 2026 08:00:05 GMT', now)).toBe(5000);
  expect(retryAfterMs('Fri, 02 Oct 2026 07:00:00 GMT', now)).toBe(0);
  for (const strange of [null, '', '-5', 'soon', '2026']) {
    expect(retryAfterMs(strange, now)).toBe(strange === '2026' ? 2_026_000 : undefined);
  }
});
