/** The settings of searching the web; part of `SETTINGS`, which says what the columns mean. */
export const WEB_SEARCH_SETTINGS = [
  {
    key: 'webSearch.provider',
    type: 'search-provider',
    sentence:
      'The search provider that is asked: searxng, tavily, brave, exa, serpapi, google or dashscope; default: the first that is set up.',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'webSearch.default',
    type: 'search-provider-name',
    sentence: 'As `webSearch.provider`, where that is a list of providers, as in Qwen Code.',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'webSearch.providers',
    type: 'search-providers',
    sentence:
      'Search providers by name, each with `apiKeyEnv`, `baseUrl`, `searchEngineId`, `maxResults`, `options`, `disabled` as needed (see the guide).',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'webSearch.askAfterUntrusted',
    type: 'yes-no',
    sentence: 'Whether, once content of strangers came in, searches too are asked about although a rule allows them.',
    default: false,
    securityRelevant: true,
    project: 'stricter',
  },
] as const;
