import { expect, it } from 'vitest';
import { freshMs, PageCache } from './page-cache.js';
import type { WebPage } from './fetch-page.js';

const pageOf = (headers: Record<string, string>, size = 10): WebPage => ({
  url: 'https://example.com/',
  status: 200,
  headers: new Headers(headers),
  bytes: Buffer.alloc(size),
});

it.each([
  [{ 'cache-control': 'max-age=60' }, 60_000],
  [{ 'cache-control': 'public, max-age="60"', age: '20' }, 40_000],
  [{ 'cache-control': 'max-age=60, no-cache' }, 0],
  [{ 'cache-control': 'no-store' }, 0],
  [{ 'cache-control': 'max-age=nonsense' }, 0],
  [{ 'cache-control': 'max-age=-5' }, 0],
  [{ 'cache-control': 'max-age=999999999' }, 86_400_000],
  [{ date: 'Mon, 05 Jan 2026 10:00:00 GMT', expires: 'Mon, 05 Jan 2026 10:01:00 GMT' }, 60_000],
  [{ expires: '0' }, 0],
  [{}, 0],
])('%j is fresh for %d milliseconds', (headers, ms) => {
  expect(freshMs(new Headers(headers as Record<string, string>))).toBe(ms);
});

it('what is no longer fresh is still used for a further part of what was begun, for a while', () => {
  let now = 0;
  const cache = new PageCache(() => now);
  cache.keep('a', pageOf({ etag: '"1"' }));
  const held = cache.find('a');
  expect(held?.validators.etag).toBe('"1"');
  expect(held && [cache.isFresh(held, false), cache.isFresh(held, true)]).toEqual([false, true]);
  now = 16 * 60_000;
  expect(held && cache.isFresh(held, true)).toBe(false);
  cache.renew('a', new Headers({ 'cache-control': 'max-age=5' }));
  const renewed = cache.find('a');
  expect(renewed && cache.isFresh(renewed, false)).toBe(true);
});

it('holds neither what may not be kept nor what is too large, and never more than its bounds', () => {
  const cache = new PageCache();
  cache.keep('no', pageOf({ 'cache-control': 'no-store' }));
  cache.keep('big', pageOf({}, 9 * 1024 * 1024));
  cache.keep('any', pageOf({ vary: '*' }));
  expect(['no', 'big', 'any'].map((url) => cache.find(url))).toEqual([undefined, undefined, undefined]);
  for (let i = 0; i < 6; i += 1) {
    cache.find('0');
    cache.keep(`${i}`, pageOf({}, 7 * 1024 * 1024));
  }
  expect([0, 1, 2, 3, 4, 5].filter((i) => cache.find(`${i}`) !== undefined)).toEqual([0, 3, 4, 5]);
});
