import { listAt, textAt } from '../answer-fields.js';
import type { ProviderMapping } from '../search-types.js';

/** `POST /search`. A plan that is used up is 432, a limit of what is paid as one goes 433. */
export const tavily: ProviderMapping = {
  request: ({ query, limit }, { baseUrl, apiKey = '', options }) => ({
    method: 'POST',
    url: `${baseUrl}/search`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ search_depth: 'basic', ...options, query, max_results: limit }),
  }),
  read: (body) => {
    const results = listAt(body, 'results');
    if (results === undefined) return undefined;
    return {
      hits: results.map((each) => ({
        title: textAt(each, 'title'),
        url: textAt(each, 'url'),
        snippet: textAt(each, 'content'),
        date: textAt(each, 'published_date'),
      })),
    };
  },
  trouble: ({ status }) => (status === 432 || status === 433 ? { kind: 'quota' } : undefined),
};
