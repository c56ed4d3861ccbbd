import { expect, it } from 'vitest';
import type { McpHost, QuestionAnswer } from '../mcp/mcp-types.js';
import { News } from './news.js';
import { PageWatch } from './page-watch.js';

const signal = new AbortController().signal;
const page = (id: string) => ({ kind: 'url', message: 'Pay.', url: 'https://example.invalid/', id }) as const;

function watch(action: QuestionAnswer['action'] = 'accept'): {
  ask: NonNullable<McpHost['ask']>;
  pages: PageWatch;
  news: News;
} {
  const news = new News();
  const pages = new PageWatch(() => news);
  return { ask: pages.watching(async () => ({ action })), pages, news };
}

it('tells whoever showed the page that it is done, once', async () => {
  let times = 0;
  const pages = new PageWatch(() => new News());
  const ask = pages.watching(async () => ({ action: 'accept', onDone: () => void (times += 1) }));
  expect(await ask('shop', page('pay-1'), signal)).toEqual({ action: 'accept' });
  pages.done('shop', 'pay-2');
  expect(times).toBe(0);
  pages.done('shop', 'pay-1');
  pages.done('shop', 'pay-1');
  expect(times).toBe(1);
});

it('tells the person and the model once that a page is done which the person went to', async () => {
  const { ask, pages, news } = watch();
  expect(await ask('shop', page('pay-1'), signal)).toEqual({ action: 'accept' });
  pages.done('shop', 'pay-1');
  expect(news.takeNotices()).toEqual([{ level: 'info', text: 'The server "shop" says that its page is done.' }]);
  expect(news.takeNote()).toContain('[The server "shop" says that the page is done');
  pages.done('shop', 'pay-1');
  expect(news.takeNote()).toBeUndefined();
});

it('says nothing of pages that the person did not go to, of other servers, or of forms', async () => {
  const declined = watch('decline');
  await declined.ask('shop', page('pay-1'), signal);
  declined.pages.done('shop', 'pay-1');
  expect(declined.news.takeNote()).toBeUndefined();
  const { ask, pages, news } = watch();
  await ask('shop', page('pay-1'), signal);
  await ask('shop', page(''), signal);
  await ask('shop', { kind: 'form', message: '', schema: {} }, signal);
  for (const [alias, id] of [
    ['other', 'pay-1'],
    ['shop', 'pay-2'],
    ['shop', ''],
  ] as const)
    pages.done(alias, id);
  expect(news.takeNote()).toBeUndefined();
});

it('keeps no more than a hundred, the newest', async () => {
  const { ask, pages, news } = watch();
  for (let number = 0; number <= 100; number += 1) await ask('shop', page(`p${number}`), signal);
  pages.done('shop', 'p0');
  expect(news.takeNote()).toBeUndefined();
  pages.done('shop', 'p1');
  expect(news.takeNote()).toBeDefined();
});
