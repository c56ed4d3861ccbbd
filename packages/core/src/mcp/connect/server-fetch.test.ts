import { describe, expect, it } from 'vitest';
import { retryAfterMs, serverFetch } from './server-fetch.js';

interface Asked {
  readonly status: number;
  readonly tries: number;
  readonly whole: readonly unknown[];
}

async function ask(method: string, answers: readonly Response[], signal?: AbortSignal): Promise<Asked> {
  let tries = 0;
  const whole: unknown[] = [];
  const one = serverFetch({
    base: async () => answers[Math.min(tries++, answers.length - 1)] ?? Response.error(),
    answeredWhole: (id) => whole.push(id),
    mostWaitMs: 1000,
    limit: { mostBytes: 1000, refuseOnly: () => undefined, log: () => undefined },
  });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method, params: {} });
  const { status } = await one('http://x/', { method: 'POST', body, ...(signal === undefined ? {} : { signal }) });
  return { status, tries, whole };
}
const busy = (after?: string): Response =>
  new Response('busy', { status: 429, headers: after === undefined ? {} : { 'retry-after': after } });
const fine = (type: string): Response => new Response('{}', { headers: { 'content-type': type } });

describe('a busy server', () => {
  it.each(['initialize', 'server/discover', 'tools/list', 'resources/templates/list'])(
    'is asked again for %s',
    async (method) => {
      expect(await ask(method, [busy('0'), busy('0'), fine('application/json')])).toMatchObject({
        status: 200,
        tries: 3,
      });
    },
  );

  it.each([
    ['tools/call', '0'],
    ['tools/list', undefined],
    ['tools/list', '3600'],
    ['tools/list', 'soon'],
  ])('is not asked again for %s after %s', async (method, after) => {
    expect(await ask(method, [busy(after), fine('application/json')])).toMatchObject({ status: 429, tries: 1 });
  });

  it('is not asked for ever, nor after an abort', async () => {
    expect(await ask('tools/list', [busy('0')])).toMatchObject({ status: 429, tries: 4 });
    const stop = new AbortController();
    const asked = ask('tools/list', [busy('1')], stop.signal);
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});

it('an answer in one piece is told, a stream is not', async () => {
  expect((await ask('tools/call', [fine('application/json; charset=utf-8')])).whole).toEqual([3]);
  expect((await ask('tools/call', [fine('text/event-stream')])).whole).toEqual([]);
  expect((await ask('tools/call', [new Response(null, { status: 202 })])).whole).toEqual([]);
});

it.each([
  ['2', 2000],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:00:12 GMT', 2000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['-1', undefined],
  ['', undefined],
  ['soon', undefined],
  [null, undefined],
])('Retry-After %s is %s ms', (header, ms) => {
  expect(retryAfterMs(header, 10_000)).toBe(ms);
});
