import { afterEach, describe, expect, it } from 'vitest';
import { startSearchServer, type SearchReply, type SearchServer } from '../../testing/search-server.js';
import { Failure } from '../../util/failure.js';
import type { SearchProviderName } from './provider-table.js';
import type { SearchAnswer } from './search-types.js';
import { WebSearch } from './web-search.js';

const KEY = 'k3y-of-the-test/+=';
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Asked {
  readonly server: SearchServer;
  readonly answer: Promise<SearchAnswer>;
}

/** One search at a provider that stands on this machine. */
async function ask(name: SearchProviderName, replies: readonly SearchReply[], more: object = {}): Promise<Asked> {
  const server = await startSearchServer(...replies);
  const search = new WebSearch({
    settings: { providers: { [name]: { baseUrl: server.url, apiKeyEnv: 'THE_KEY', searchEngineId: 'cx-1', ...more } } },
    environment: { THE_KEY: KEY },
    limits: { firstDelayMs: 1 },
  });
  ends.push(server.close, () => search.close());
  expect(search.notices).toEqual([]);
  const access = search.usual;
  if (access === undefined) throw new Error('not set up');
  const answer = search.search('how to plane', access, 3, new AbortController().signal);
  answer.catch(() => undefined);
  return { server, answer };
}

async function failure(answer: Promise<SearchAnswer>): Promise<Failure> {
  const thrown = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof Failure)) throw new Error(`no failure: ${String(thrown)}`);
  for (const form of [KEY, encodeURIComponent(KEY)]) expect(thrown.message).not.toContain(form);
  return thrown;
}

interface Case {
  readonly name: SearchProviderName;
  readonly body: unknown;
  /** How nothing found is told. */
  readonly nothing: unknown;
  readonly path: string;
  readonly query?: object;
  readonly sent?: object;
  readonly headers?: object;
}

const HIT = {
  title: 'Planes & planing',
  url: 'https://wood.example/plane',
  snippet: 'Sharpen first.',
  date: '2026-10-02',
};

const CASES: readonly Case[] = [
  {
    name: 'tavily',
    body: {
      query: 'how to plane',
      answer: null,
      images: [],
      results: [
        {
          title: HIT.title,
          url: HIT.url,
          content: HIT.snippet,
          score: 0.9,
          published_date: 'Fri, 02 Oct 2026 08:00:00 GMT',
        },
      ],
      response_time: 1.2,
    },
    nothing: { query: 'how to plane', results: [], response_time: 0.4 },
    path: '/search',
    sent: { query: 'how to plane', max_results: 3, search_depth: 'basic' },
    headers: { authorization: `Bearer ${KEY}` },
  },
  {
    name: 'brave',
    body: {
      type: 'search',
      query: { original: 'how to plane' },
      web: {
        type: 'search',
        results: [
          {
            title: 'Planes &amp; planing',
            url: HIT.url,
            description: '<strong>Sharpen</strong> first.',
            age: 'October 2, 2026',
            page_age: '2026-10-02T08:00:00',
          },
        ],
      },
    },
    nothing: { type: 'search', query: { original: 'how to plane' }, mixed: {} },
    path: '/res/v1/web/search',
    query: { q: 'how to plane', count: '3', text_decorations: 'false' },
    headers: { 'x-subscription-token': KEY },
  },
  {
    name: 'exa',
    body: {
      requestId: 'r1',
      results: [
        {
          id: HIT.url,
          title: HIT.title,
          url: HIT.url,
          publishedDate: '2026-10-02T08:00:00.000Z',
          author: null,
          highlights: [HIT.snippet],
          highlightScores: [0.5],
        },
      ],
      costDollars: { total: 0.005 },
    },
    nothing: { requestId: 'r2', results: [] },
    path: '/search',
    sent: { query: 'how to plane', numResults: 3, type: 'auto', contents: { highlights: true } },
    headers: { 'x-api-key': KEY },
  },
  {
    name: 'serpapi',
    body: {
      search_metadata: { status: 'Success' },
      organic_results: [{ position: 1, title: HIT.title, link: HIT.url, snippet: HIT.snippet, date: '2026-10-02' }],
    },
    nothing: {
      search_metadata: { status: 'Success' },
      search_information: { organic_results_state: 'Fully empty' },
      error: "Google hasn't returned any results for this query.",
    },
    path: '/search.json',
    query: { q: 'how to plane', num: '3', engine: 'google', api_key: KEY },
  },
  {
    name: 'google',
    body: {
      kind: 'customsearch#search',
      searchInformation: { totalResults: '1' },
      items: [
        {
          title: HIT.title,
          link: HIT.url,
          snippet: HIT.snippet,
          pagemap: { metatags: [{ 'article:published_time': '2026-10-02T08:00:00Z' }] },
        },
      ],
    },
    nothing: { kind: 'customsearch#search', searchInformation: { totalResults: '0' } },
    path: '/customsearch/v1',
    query: { q: 'how to plane', num: '3', cx: 'cx-1' },
    headers: { 'x-goog-api-key': KEY },
  },
  {
    name: 'dashscope',
    body: {
      rid: 'r',
      status: 0,
      message: null,
      success: true,
      data: {
        total: 1,
        docs: [
          { _id: '1', title: HIT.title, url: HIT.url, snippet: HIT.snippet, timestamp_format: '2026-10-02 08:00:00' },
        ],
      },
    },
    nothing: { rid: 'r', status: 0, message: null, success: true, data: { total: 0, docs: [] } },
    path: '/api/v1/indices/plugin/web_search',
    sent: { uq: 'how to plane', page: 1, rows: 3 },
    headers: { authorization: `Bearer ${KEY}` },
  },
  {
    name: 'searxng',
    body: {
      query: 'how to plane',
      number_of_results: 0,
      results: [
        {
          title: HIT.title,
          url: HIT.url,
          content: HIT.snippet,
          publishedDate: '2026-10-02T08:00:00',
          engine: 'duckduckgo',
          engines: ['duckduckgo'],
        },
      ],
      unresponsive_engines: [['brave', 'too many requests']],
    },
    nothing: { query: 'how to plane', results: [], unresponsive_engines: [] },
    path: '/search',
    query: { q: 'how to plane', format: 'json' },
  },
];

describe.each(CASES)('$name', ({ name, body, nothing, path, query = {}, sent, headers = {} }) => {
  it('is asked as it documents, and its results are read (S121)', async () => {
    const { server, answer } = await ask(name, [{ body }]);
    await expect(answer).resolves.toEqual(expect.objectContaining({ provider: name, hits: [HIT], notes: [] }));
    const [asked] = server.asked;
    expect(asked).toMatchObject({ method: sent === undefined ? 'GET' : 'POST', path, query });
    expect(asked?.body).toEqual(sent);
    expect(asked?.headers).toMatchObject({ accept: 'application/json', ...headers });
    expect(server.asked).toHaveLength(1);
    // Beside the one place where it belongs, the key stands nowhere.
    const all = JSON.stringify(asked);
    expect(all.split(KEY).length - 1).toBe(name === 'searxng' ? 0 : 1);
  });

  it('finds nothing without failing', async () => {
    const { answer } = await ask(name, [{ body: nothing }]);
    await expect(answer).resolves.toEqual(expect.objectContaining({ hits: [], notes: [] }));
  });

  it('is asked once more when it is busy, after the time that it wants', async () => {
    const busy = { status: 429, headers: { 'retry-after': '0' }, body: { error: 'slow down' } };
    const { server, answer } = await ask(name, [busy, { status: 503, body: '<html>' }, { body }]);
    await expect(answer).resolves.toEqual(expect.objectContaining({ hits: [HIT] }));
    expect(server.asked).toHaveLength(3);
  });

  it('is not waited for longer than is sensible', async () => {
    const { server, answer } = await ask(name, [{ status: 429, headers: { 'retry-after': '120' }, body: {} }]);
    expect((await failure(answer)).code).toBe('search_rate_limited');
    expect(server.asked).toHaveLength(1);
  });

  it('tells an answer of another form from one without results', async () => {
    for (const strange of ['<html><title>Sign in</title></html>', '[1, 2]', '{"hello": true}', 'null']) {
      const { answer } = await ask(name, [{ body: strange }]);
      expect((await failure(answer)).code, strange).toBe('search_unreadable_answer');
    }
  });

  it('overlooks results that are none', async () => {
    const text = JSON.stringify(body).replaceAll(HIT.url, 'javascript:alert(1)');
    const { answer } = await ask(name, [{ body: text }]);
    await expect(answer).resolves.toEqual(
      expect.objectContaining({ hits: [], notes: ['1 result without an address of the web left out.'] }),
    );
  });
});

/** Provider, status, body, code, words that the message has. */
const REFUSALS: readonly (readonly [SearchProviderName, number, unknown, string, RegExp])[] = [
  [
    'tavily',
    401,
    { detail: { error: 'Unauthorized: missing or invalid API key.' } },
    'search_key_refused',
    /key in THE_KEY .*401.*invalid API key/,
  ],
  [
    'tavily',
    432,
    { detail: { error: "This request exceeds your plan's set usage limit." } },
    'search_quota_used_up',
    /Tavily is used up.*usage limit/,
  ],
  ['tavily', 433, { detail: { error: 'pay-as-you-go limit' } }, 'search_quota_used_up', /pay-as-you-go/],
  ['tavily', 429, { detail: { error: 'excessive requests' } }, 'search_rate_limited', /asked too often/],
  ['tavily', 400, { detail: { error: 'Query is too long' } }, 'search_refused', /Query is too long/],
  [
    'brave',
    422,
    {
      type: 'ErrorResponse',
      error: { code: 'SUBSCRIPTION_TOKEN_INVALID', detail: 'The token is invalid.', status: 422 },
    },
    'search_key_refused',
    /The token is invalid/,
  ],
  [
    'brave',
    422,
    { type: 'ErrorResponse', error: { code: 'VALIDATION', detail: 'Unable to validate', status: 422 } },
    'search_refused',
    /Unable to validate/,
  ],
  [
    'brave',
    429,
    { type: 'ErrorResponse', error: { code: 'RATE_LIMITED', detail: 'Request rate limit exceeded for plan' } },
    'search_rate_limited',
    /rate limit exceeded/,
  ],
  [
    'brave',
    429,
    { type: 'ErrorResponse', error: { code: 'QUOTA_LIMITED', detail: 'Quota' } },
    'search_quota_used_up',
    /used up/,
  ],
  [
    'exa',
    401,
    { requestId: 'r', error: 'Invalid API key', tag: 'INVALID_API_KEY' },
    'search_key_refused',
    /Invalid API key/,
  ],
  [
    'exa',
    402,
    { requestId: 'r', error: 'Credits exhausted', tag: 'NO_MORE_CREDITS' },
    'search_quota_used_up',
    /Credits exhausted/,
  ],
  ['serpapi', 401, { error: `Invalid API key ${KEY}.` }, 'search_key_refused', /Invalid API key \*\*\*/],
  ['serpapi', 429, { error: 'Your account has run out of searches.' }, 'search_quota_used_up', /run out of searches/],
  ['serpapi', 429, { error: 'You exceeded the hourly throughput limit.' }, 'search_rate_limited', /throughput/],
  ['serpapi', 200, { error: 'Unsupported `google_domain`.' }, 'search_refused', /Unsupported/],
  [
    'google',
    400,
    {
      error: {
        code: 400,
        message: 'API key not valid.',
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'API_KEY_INVALID' }],
      },
    },
    'search_key_refused',
    /API key not valid/,
  ],
  [
    'google',
    403,
    {
      error: { code: 403, message: 'Custom Search API has not been used', errors: [{ reason: 'accessNotConfigured' }] },
    },
    'search_not_set_up',
    /Switch the Custom Search API on/,
  ],
  [
    'google',
    429,
    {
      error: {
        code: 429,
        message: "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'",
        errors: [{ reason: 'rateLimitExceeded' }],
      },
    },
    'search_quota_used_up',
    /per day/,
  ],
  [
    'google',
    403,
    { error: { code: 403, message: 'Daily Limit Exceeded', errors: [{ reason: 'dailyLimitExceeded' }] } },
    'search_quota_used_up',
    /Daily Limit/,
  ],
  [
    'dashscope',
    401,
    { code: 'InvalidApiKey', message: 'Invalid API-key provided.' },
    'search_key_refused',
    /Invalid API-key/,
  ],
  [
    'dashscope',
    400,
    { code: 'Arrearage', message: 'Access denied, overdue payment.' },
    'search_quota_used_up',
    /overdue/,
  ],
  ['dashscope', 200, { status: 1001, message: 'uq is sensitive' }, 'search_refused', /uq is sensitive/],
  ['searxng', 403, '<html>Forbidden</html>', 'search_not_set_up', /formats: \[html, json\]/],
  ['searxng', 401, '', 'search_key_refused', /SEARXNG_URL/],
  ['searxng', 429, 'Too Many Requests', 'search_rate_limited', /limiter/],
  ['exa', 500, 'oops', 'search_unavailable', /does not work at the moment \(status 500\)\. Try again later\./],
];

it.each(REFUSALS)('%s that answers %i %j fails as %s', async (name, status, body, code, words) => {
  const { server, answer } = await ask(name, [{ status, body, headers: { 'retry-after': '0' } }]);
  const thrown = await failure(answer);
  expect(thrown.code).toBe(code);
  expect(thrown.message).toMatch(words);
  // Only haste is worth another try.
  expect(server.asked).toHaveLength(code === 'search_rate_limited' ? 3 : 1);
});

it('sends the parameters of the settings, but never in place of the query, the number and the key', async () => {
  const options = { search_depth: 'advanced', include_domains: ['a.example'], query: 'other', max_results: 99 };
  const tavily = await ask('tavily', [{ body: { results: [] } }], { options });
  await tavily.answer;
  expect(tavily.server.asked[0]?.body).toEqual({
    search_depth: 'advanced',
    include_domains: ['a.example'],
    query: 'how to plane',
    max_results: 3,
  });
  const own = { engines: ['duckduckgo', 'brave'], pageno: 2, q: 'other', format: 'html' };
  const searxng = await ask('searxng', [{ body: { results: [] } }], { options: own });
  await searxng.answer;
  expect(searxng.server.asked[0]?.query).toEqual({
    engines: 'duckduckgo,brave',
    pageno: '2',
    q: 'how to plane',
    format: 'json',
  });
});

it('tells which engines of SearXNG were silent, where nothing was found', async () => {
  const body = { results: [], unresponsive_engines: [['google', 'CAPTCHA'], ['bing']] };
  const { answer } = await ask('searxng', [{ body }]);
  expect((await answer).notes).toEqual(['These engines did not answer: google (CAPTCHA), bing.']);
});
