import { listAt, textAt } from '../answer-fields.js';
import type { ProviderMapping } from '../search-types.js';

/** `POST /search`, with the passages that fit the query in place of whole pages. No credits left is 402. */
export const exa: ProviderMapping = {
  request: ({ query, limit }, { baseUrl, apiKey = '', options }) => ({
    method: 'POST',
    url: `${baseUrl}/search`,
    headers: { 'x-api-key': apiKey },
    body: JSON.stringify({ type: 'auto', contents: { highlights: true }, ...options, query, numResults: limit }),
  }),
  read: (body) => {
    const results = listAt(body, 'results');
    if (results === undefined) return undefined;
    return {
      hits: results.map((each) => {
        const highlights = (listAt(each, 'highlights') ?? []).filter((one) => typeof one === 'string');
        return {
          // Pages without a title are found as well.
          title: textAt(each, 'title') ?? textAt(each, 'url'),
          url: textAt(each, 'url'),
          snippet: highlights.length > 0 ? highlights.join(' … ') : (textAt(each, 'summary') ?? textAt(each, 'text')),
          date: textAt(each, 'publishedDate'),
        };
      }),
    };
  },
  trouble: ({ body }) => {
    const tag = textAt(body, 'tag');
    if (tag === 'INVALID_API_KEY') return { kind: 'key' };
    return tag === 'NO_MORE_CREDITS' || tag === 'API_KEY_BUDGET_EXCEEDED' ? { kind: 'quota' } : undefined;
  },
};
