import { listAt, textAt } from '../answer-fields.js';
import { searchUrl } from '../provider-url.js';
import type { ProviderMapping } from '../search-types.js';

/** `GET /search?format=json` of a server of one's own. It has no number of results: what is too many is left out. */
export const searxng: ProviderMapping = {
  request: ({ query }, { baseUrl, authorization, options }) => ({
    method: 'GET',
    url: searchUrl(baseUrl, '/search', options, { q: query, format: 'json' }),
    headers: authorization === undefined ? {} : { authorization },
  }),
  read: (body) => {
    const results = listAt(body, 'results');
    if (results === undefined) return undefined;
    const silent = (listAt(body, 'unresponsive_engines') ?? []).flatMap((each) => {
      const [name, why] = [textAt(each, 0), textAt(each, 1)];
      return name === undefined ? [] : [why === undefined ? name : `${name} (${why})`];
    });
    return {
      hits: results.map((each) => ({
        title: textAt(each, 'title'),
        url: textAt(each, 'url'),
        snippet: textAt(each, 'content'),
        date: textAt(each, 'publishedDate'),
      })),
      // With results nobody misses the others.
      ...(silent.length > 0 &&
        results.length === 0 && { notes: [`These engines did not answer: ${silent.join(', ')}.`] }),
    };
  },
  trouble: ({ status }) => {
    if (status === 403)
      return {
        kind: 'setup',
        advice: 'Let the server answer in JSON: `search: formats: [html, json]` in its settings.yml.',
      };
    if (status === 401) return { kind: 'key', advice: 'Put user and password into the address in SEARXNG_URL.' };
    if (status === 404)
      return { kind: 'setup', advice: 'Check the address of the server: /search has to be right below it.' };
    return status === 429
      ? { kind: 'rate', advice: 'The limiter of the server stops programs: switch it off for this machine.' }
      : undefined;
  },
};
