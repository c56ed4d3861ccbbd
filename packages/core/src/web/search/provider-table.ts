/** In the order in which those count that only the environment names. The first needs no key. */
export const SEARCH_PROVIDERS = ['searxng', 'tavily', 'brave', 'exa', 'serpapi', 'google', 'dashscope'] as const;
export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];

export interface ProviderFacts {
  /** For people. */
  readonly label: string;
  /** Undefined: whoever uses it has a server of their own. */
  readonly baseUrl?: string;
  /** Variables that name the server. */
  readonly urlVariables?: readonly string[];
  /** Variables that hold a key, in the order in which they are looked at. None: no key is needed. */
  readonly keyVariables: readonly string[];
  /** Variables that name a search engine of one's own, without which nothing is found. */
  readonly engineVariables?: readonly string[];
  /** Results that one request gives at most. */
  readonly mostResults: number;
}

export const PROVIDER_FACTS: Readonly<Record<SearchProviderName, ProviderFacts>> = {
  searxng: { label: 'SearXNG', urlVariables: ['SEARXNG_URL', 'SEARXNG_BASE_URL'], keyVariables: [], mostResults: 20 },
  tavily: { label: 'Tavily', baseUrl: 'https://api.tavily.com', keyVariables: ['TAVILY_API_KEY'], mostResults: 20 },
  brave: {
    label: 'Brave',
    baseUrl: 'https://api.search.brave.com',
    keyVariables: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
    mostResults: 20,
  },
  exa: { label: 'Exa', baseUrl: 'https://api.exa.ai', keyVariables: ['EXA_API_KEY'], mostResults: 20 },
  serpapi: {
    label: 'SerpAPI',
    baseUrl: 'https://serpapi.com',
    keyVariables: ['SERPAPI_API_KEY', 'SERPAPI_KEY'],
    mostResults: 20,
  },
  google: {
    label: 'Google',
    baseUrl: 'https://www.googleapis.com',
    keyVariables: ['GOOGLE_API_KEY'],
    engineVariables: ['GOOGLE_SEARCH_ENGINE_ID', 'GOOGLE_CSE_ID'],
    mostResults: 10,
  },
  dashscope: {
    label: 'DashScope',
    baseUrl: 'https://dashscope.aliyuncs.com',
    keyVariables: ['DASHSCOPE_API_KEY'],
    mostResults: 20,
  },
};

export function isSearchProvider(name: string): name is SearchProviderName {
  return SEARCH_PROVIDERS.some((each) => each === name);
}
