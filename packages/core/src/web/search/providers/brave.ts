import { listAt, textAt } from '../answer-fields.js';
import { isObject } from '../../../util/is-object.js';
import { searchUrl } from '../provider-url.js';
import type { ProviderMapping, TroubleKind } from '../search-types.js';

/** A wrong key is a 422 like any wrong parameter, and a plan that is used up a 429 like haste: the code tells. */
const KINDS: ReadonlyMap<string, TroubleKind> = new Map([
  ['SUBSCRIPTION_TOKEN_INVALID', 'key'],
  ['SUBSCRIPTION_NOT_FOUND', 'key'],
  ['QUOTA_LIMITED', 'quota'],
  ['USAGE_LIMIT_EXCEEDED', 'quota'],
  ['RATE_LIMITED', 'rate'],
]);

/** `GET /res/v1/web/search`. */
export const brave: ProviderMapping = {
  request: ({ query, limit }, { baseUrl, apiKey = '', options }) => ({
    method: 'GET',
    url: searchUrl(
      baseUrl,
      '/res/v1/web/search',
      { text_decorations: 'false', ...options },
      { q: query, count: limit },
    ),
    headers: { 'x-subscription-token': apiKey },
  }),
  read: (body) => {
    if (!isObject(body)) return undefined;
    // Without results of the web there is no `web` at all.
    const results = listAt(body, 'web', 'results') ?? (body['type'] === 'search' ? [] : undefined);
    if (results === undefined) return undefined;
    return {
      hits: results.map((each) => ({
        title: textAt(each, 'title'),
        url: textAt(each, 'url'),
        snippet: textAt(each, 'description') ?? textAt(each, 'extra_snippets', 0),
        date: textAt(each, 'page_age') ?? textAt(each, 'age'),
      })),
    };
  },
  trouble: ({ body }) => {
    const kind = KINDS.get(textAt(body, 'error', 'code') ?? '');
    return kind === undefined ? undefined : { kind };
  },
};
