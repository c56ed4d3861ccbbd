import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEARCH_PROVIDERS } from './provider-table.js';
import { readProviders, type SearchSettings, type Variables } from './read-providers.js';

const names = (settings: SearchSettings, variables: Variables = {}): string[] =>
  readProviders(settings, variables).providers.map(({ name }) => name);

describe('the environment alone', () => {
  it('sets up what its variables name, the one without a key first', () => {
    expect(names({}, {})).toEqual([]);
    expect(names({}, { BRAVE_SEARCH_API_KEY: 'b', SEARXNG_URL: 'http://localhost:8888', TAVILY_API_KEY: 't' })).toEqual(
      ['searxng', 'tavily', 'brave'],
    );
    expect(names({}, { TAVILY_API_KEY: '  ' })).toEqual([]);
  });

  it("takes Google's key for a search key only together with a search engine", () => {
    expect(names({}, { GOOGLE_API_KEY: 'g' })).toEqual([]);
    expect(names({}, { GOOGLE_API_KEY: 'g', GOOGLE_CSE_ID: 'c' })).toEqual(['google']);
    const [google] = readProviders({}, { GOOGLE_API_KEY: 'g', GOOGLE_SEARCH_ENGINE_ID: 'c' }).providers;
    expect(google).toMatchObject({ apiKey: 'g', engineId: 'c', keyVariable: 'GOOGLE_API_KEY' });
  });
});

describe('the settings', () => {
  it('come before the environment, in their order, and the first is the usual one', () => {
    const settings = { providers: { exa: {}, brave: { apiKeyEnv: 'MINE' } } };
    const read = readProviders(settings, { EXA_API_KEY: 'e', MINE: 'm', TAVILY_API_KEY: 't' });
    expect(read.providers.map(({ name }) => name)).toEqual(['exa', 'brave', 'tavily']);
    expect(read.usual?.name).toBe('exa');
    expect(read.providers[1]).toMatchObject({ apiKey: 'm', keyVariable: 'MINE' });
    expect(read.notices).toEqual([]);
  });

  it('choose the usual one, and nothing else is asked in its place', () => {
    const variables = { TAVILY_API_KEY: 't', EXA_API_KEY: 'e' };
    expect(readProviders({ provider: 'exa' }, variables).usual?.name).toBe('exa');
    const read = readProviders({ provider: 'searxng' }, variables);
    expect(read.usual).toBeUndefined();
    expect(read.notices.join()).toMatch(/searxng, cannot be used.*SEARXNG_URL/);
  });

  it('are read in the form of Qwen Code, but for keys that are written down', () => {
    const provider = [
      { type: 'tavily', apiKey: '$TAVILY', searchDepth: 'advanced', maxResults: 8 },
      { type: 'google', apiKey: '${G}', searchEngineId: 'cx' },
      { type: 'dashscope', apiKey: 'sk-written-down' },
    ];
    const read = readProviders({ provider, default: 'google' }, { TAVILY: 't', G: 'g' });
    expect(read.usual).toMatchObject({ name: 'google', apiKey: 'g', engineId: 'cx' });
    expect(read.providers[0]).toMatchObject({ usualResults: 8, options: { search_depth: 'advanced' } });
    expect(read.notices).toEqual([
      'DashScope is not used to search the web: a key is not read from a settings file. Put the key into DASHSCOPE_API_KEY, or name another variable with "apiKeyEnv".',
    ]);
  });

  it('switch off what the environment would bring', () => {
    expect(names({ providers: { dashscope: { disabled: true } } }, { DASHSCOPE_API_KEY: 'd' })).toEqual([]);
  });

  it('say of each provider that is wrong what is wrong, and keep the others', () => {
    const read = readProviders(
      {
        providers: {
          searxng: { baseUrl: 'ftp://x' },
          brave: { apiKeyEnv: 'NOT_SET' },
          exa: { apiKeyENV: 'E' },
          tavly: {},
          google: { apiKeyEnv: 'E' },
          serpapi: 7,
          tavily: {},
        },
      },
      { E: 'e', EXA_API_KEY: 'bad key\nX: y', TAVILY_API_KEY: 't' },
    );
    expect(read.providers.map(({ name }) => name)).toEqual(['tavily']);
    expect(read.notices).toEqual(
      [
        'What the settings say of the search provider serpapi is no object.',
        'There is no search provider "tavly". Did you mean tavily?',
        'SearXNG is not used to search the web: "baseUrl" is no address that begins with http:// or https://.',
        'Brave is not used to search the web: the variable that should hold its key, by "apiKeyEnv" or "apiKey", is not set.',
        'Exa is not used to search the web: EXA_API_KEY holds what cannot be a key.',
        'The search provider exa has no setting "apiKeyENV". Did you mean "apiKeyEnv"?',
        'Google is not used to search the web: it has no search engine: set GOOGLE_SEARCH_ENGINE_ID, or "searchEngineId".',
      ].sort((a, b) => read.notices.indexOf(a) - read.notices.indexOf(b)),
    );
  });

  it('may hold an address, but no password', () => {
    const read = readProviders({ providers: { searxng: { baseUrl: 'https://me:pw@searx.example/' } } }, {});
    expect(read.providers).toEqual([]);
    expect(read.notices.join()).toMatch(/password or a query is not read/);
    expect(read.notices.join()).not.toContain('pw');
  });
});

it('never throws, and never tells a secret, whatever the settings are', () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('$KEY', 'THE-SECRET', 'http://u:THE-SECRET@h/'),
    fc.integer(),
    fc.constant(null),
  );
  const field = fc.constantFrom('apiKey', 'apiKeyEnv', 'baseUrl', 'searchEngineId', 'options', 'maxResults');
  const entry = fc.oneof(fc.dictionary(field, value), value);
  const listed = fc.tuple(fc.constantFrom(...SEARCH_PROVIDERS), fc.dictionary(field, value));

  const name = fc.oneof(fc.constantFrom<string>(...SEARCH_PROVIDERS), fc.string());
  fc.assert(
    fc.property(fc.dictionary(name, entry), fc.array(listed), name, (providers, list, usual) => {
      const provider = list.map(([type, more]) => ({ ...more, type }));
      const read = readProviders(
        { providers, provider, default: usual },
        { KEY: 'THE-SECRET', SEARXNG_URL: 'THE-SECRET' },
      );
      expect(read.notices.join('\n')).not.toContain('THE-SECRET');
      for (const each of read.providers) expect(each.baseUrl).toMatch(/^https?:\/\/[^@]*[^/]$/);
    }),
  );
});
