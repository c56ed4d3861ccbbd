import { listAt, textAt } from '../answer-fields.js';
import { isObject } from '../../../util/is-object.js';
import { searchUrl } from '../provider-url.js';
import type { ProviderMapping } from '../search-types.js';

/** Nothing found is told as an error of a search that went well. */
const NOTHING_FOUND = /hasn't returned any results|did not match any|no results/i;
const USED_UP = /run out of searches|searches for the month|plan.*searches/i;

/** `GET /search.json`. The key can only stand in the address, which is therefore never shown. */
export const serpapi: ProviderMapping = {
  request: ({ query, limit }, { baseUrl, apiKey = '', options }) => ({
    method: 'GET',
    url: searchUrl(
      baseUrl,
      '/search.json',
      { engine: 'google', ...options },
      { q: query, num: limit, api_key: apiKey },
    ),
    headers: {},
  }),
  read: (body) => {
    if (!isObject(body)) return undefined;
    const results = listAt(body, 'organic_results');
    const error = textAt(body, 'error');
    if (results === undefined && error !== undefined)
      return NOTHING_FOUND.test(error)
        ? { hits: [] }
        : { trouble: { kind: USED_UP.test(error) ? 'quota' : 'request' } };
    if (results === undefined)
      return textAt(body, 'search_metadata', 'status') === 'Success' ? { hits: [] } : undefined;
    return {
      hits: results.map((each) => ({
        title: textAt(each, 'title'),
        url: textAt(each, 'link'),
        snippet: textAt(each, 'snippet'),
        date: textAt(each, 'date'),
      })),
    };
  },
  trouble: ({ status, body }) =>
    status === 429 && USED_UP.test(textAt(body, 'error') ?? '') ? { kind: 'quota' } : undefined,
};
