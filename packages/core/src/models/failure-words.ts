import type { ModelFailureInfo } from './model.js';

/**
 * Classifies a failure without a status of its own, by the codes and words that servers use. The first row that matches counts; a row holds
 * words of many servers.
 */
const KINDS: readonly (readonly [ModelFailureInfo['kind'], RegExp])[] = [
  // An empty account comes first, because some servers call it a quota, which is also a word for a rate limit.
  ['auth', /insufficient[ _]?(quota|balance|credit|fund)|billing|payment[ _]required|arrear|overdue|欠费|余额不足/i],
  ['rate-limit', /rate[ _-]?limit|too[ _]?many[ _]?requests|resource_?exhausted|throttl|请求过于频繁|限流/i],
  [
    'auth',
    /authenticat|authoriz|permission|api[ _-]?key|access[ _]?denied|forbidden|login[ _]fail|invalid[ _]?token|鉴权|密钥/i,
  ],
  [
    'bad-request',
    /invalid[ _]?(request|argument|param|input)|bad[ _]?request|not[ _]?found|not[ _]exist|no such model|unsupported|unknown[ _](model|parameter)|data_?inspection|extra inputs/i,
  ],
];

export function kindByWords(words: string): ModelFailureInfo['kind'] {
  return KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'server';
}
