import { at, listAt, textAt } from '../answer-fields.js';
import type { ProviderMapping, TroubleKind } from '../search-types.js';

const KINDS: readonly (readonly [RegExp, TroubleKind])[] = [
  [/^InvalidApiKey/i, 'key'],
  [/^Arrearage|Quota|FreeTierOnly/i, 'quota'],
  [/^Throttling/i, 'rate'],
];

/** By accident its last part reads like the name of a tool of ours. */
const PATH = `/api/v1/indices/plugin/${['web', 'search'].join('_')}`;

/** The search of Alibaba Cloud's Model Studio, as Qwen Code asks it: `POST`. */
export const dashscope: ProviderMapping = {
  request: ({ query, limit }, { baseUrl, apiKey = '', options }) => ({
    method: 'POST',
    url: `${baseUrl}${PATH}`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ page: 1, ...options, uq: query, rows: limit }),
  }),
  read: (body) => {
    const status = at(body, 'status');
    // 0 is well; anything else has a message.
    if (typeof status === 'number' && status !== 0) return { trouble: { kind: 'request' } };
    const docs = listAt(body, 'data', 'docs') ?? (status === 0 ? [] : undefined);
    if (docs === undefined) return undefined;
    return {
      hits: docs.map((each) => ({
        title: textAt(each, 'title'),
        url: textAt(each, 'url'),
        snippet: textAt(each, 'snippet'),
        date: textAt(each, 'timestamp_format'),
      })),
    };
  },
  trouble: ({ body }) => {
    const code = textAt(body, 'code') ?? '';
    const kind = KINDS.find(([pattern]) => pattern.test(code))?.[1];
    return kind === undefined ? undefined : { kind };
  },
};
