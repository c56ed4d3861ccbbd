import { listAt, textAt } from '../answer-fields.js';
import { isObject } from '../../../util/is-object.js';
import { searchUrl } from '../provider-url.js';
import type { ProviderMapping, SearchTrouble } from '../search-types.js';

const DATES = ['article:published_time', 'article:modified_time', 'og:updated_time', 'date'];
const NOT_SWITCHED_ON: SearchTrouble = {
  kind: 'setup',
  advice: 'Switch the Custom Search API on in the project that the key belongs to.',
};
const REASONS: ReadonlyMap<string, SearchTrouble> = new Map([
  ['API_KEY_INVALID', { kind: 'key' }],
  ['keyInvalid', { kind: 'key' }],
  ['dailyLimitExceeded', { kind: 'quota' }],
  ['quotaExceeded', { kind: 'quota' }],
  ['rateLimitExceeded', { kind: 'rate' }],
  ['SERVICE_DISABLED', NOT_SWITCHED_ON],
  ['accessNotConfigured', NOT_SWITCHED_ON],
]);

/** The Custom Search JSON API: `GET /customsearch/v1`. The key goes into a header, so that no address holds it. */
export const google: ProviderMapping = {
  request: ({ query, limit }, { baseUrl, apiKey = '', engineId = '', options }) => ({
    method: 'GET',
    url: searchUrl(baseUrl, '/customsearch/v1', options, { q: query, num: limit, cx: engineId }),
    headers: { 'x-goog-api-key': apiKey },
  }),
  read: (body) => {
    if (!isObject(body)) return undefined;
    // Where nothing was found there are no items; the information on the search is there all the same.
    const items = listAt(body, 'items') ?? (isObject(body['searchInformation']) ? [] : undefined);
    if (items === undefined) return undefined;
    return {
      hits: items.map((each) => ({
        title: textAt(each, 'title'),
        url: textAt(each, 'link'),
        snippet: textAt(each, 'snippet'),
        date: DATES.map((name) => textAt(each, 'pagemap', 'metatags', 0, name)).find((date) => date !== undefined),
      })),
    };
  },
  trouble: ({ status, body }) => {
    const places = [...(listAt(body, 'error', 'details') ?? []), ...(listAt(body, 'error', 'errors') ?? [])];
    const known = places.map((each) => REASONS.get(textAt(each, 'reason') ?? '')).find((each) => each !== undefined);
    if (known?.kind !== 'rate' && known !== undefined) return known;
    // Both limits have one reason; the message names the one that was met.
    const isDaily = status === 429 && /per day/i.test(textAt(body, 'error', 'message') ?? '');
    return isDaily ? { kind: 'quota' } : known;
  },
};
