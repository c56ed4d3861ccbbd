import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { startEventServer } from '../testing/event-server.js';
import { startForwardProxy, type ForwardProxy, type ForwardProxyOptions } from '../testing/forward-proxy.js';
import { startScriptedModel } from '../testing/scripted-model-server.js';
import { createModel } from './create-model.js';
import { listModels } from './list-models.js';
import { ModelError } from './model-error.js';
import { resolveModelChoice, type ModelChoice } from './model-settings.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

async function proxy(options?: ForwardProxyOptions): Promise<ForwardProxy> {
  const way = await startForwardProxy(options);
  ends.push(way.close);
  return way;
}

/** A model at a name that no machine has: only a proxy finds it. */
async function farModel(): Promise<ModelChoice> {
  const server = await startScriptedModel([{ text: 'hello' }], { model: 'far' });
  ends.push(() => server.close());
  return choiceAt(server.baseUrl.replace('127.0.0.1', 'model.example.test'));
}

function choiceAt(baseUrl: string): ModelChoice {
  const choice = resolveModelChoice({ settings: {}, environment: { OPENAI_BASE_URL: baseUrl } });
  if (choice === undefined) throw new Error('nothing chosen');
  return choice;
}

async function refusalOf(baseUrl: string, environment: Record<string, string>): Promise<ModelError> {
  const choice = { ...choiceAt(baseUrl), model: { value: 'far', origin: 'test' } };
  const thrown: unknown = await collectAnswer(await createModel(choice, { environment })).catch((e: unknown) => e);
  if (thrown instanceof ModelError) return thrown;
  throw new Error(`no error of a model: ${String(thrown)}`);
}

describe('a model behind a proxy', () => {
  it('is asked for its models and answers through it (S142)', async () => {
    const choice = await farModel();
    const way = await proxy({ account: 'me:x' });
    const environment = { HTTP_PROXY: `http://me:x@127.0.0.1:${way.port}` };
    const model = await createModel(choice, { environment });
    expect(textOf(await collectAnswer(model))).toBe('hello');
    expect(await listModels(choice, new AbortController().signal, environment)).toEqual(['far']);
    expect(way.asked.map((line) => line.replace(/:\d+/u, ''))).toEqual([
      'GET http://model.example.test/v1/models',
      'POST http://model.example.test/v1/chat/completions',
      'GET http://model.example.test/v1/models',
    ]);
  });

  it('is reached directly where NO_PROXY says so, or it is on this machine', async () => {
    const server = await startScriptedModel([{ text: 'near' }]);
    ends.push(() => server.close());
    const way = await proxy();
    const environment = { ALL_PROXY: `127.0.0.1:${way.port}`, NO_PROXY: 'example.test' };
    expect(textOf(await collectAnswer(await createModel(choiceAt(server.baseUrl), { environment })))).toBe('near');
    await expect(createModel(await farModel(), { environment })).rejects.toThrow('cannot be asked for its models');
    expect(way.asked).toEqual([]);
  });

  it.each([
    [{ refuses: 403 }, 'did not connect to model.example.test:443: HTTP 403', false],
    [{ refuses: 502 }, 'did not connect to model.example.test:443: HTTP 502', true],
    [{ account: 'me:x' }, 'wants a user and a password (HTTP 407)', false],
    [{ hangsUp: true }, 'cannot be reached', true],
  ] as const)('that fails is named, and asked again only where it helps: %j', async (options, message, retryable) => {
    const way = await proxy(options);
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${way.port}` };
    const choice = { ...choiceAt('https://model.example.test/v1'), model: { value: 'far', origin: 'test' } };
    const failure: unknown = await collectAnswer(await createModel(choice, { environment })).catch((e: unknown) => e);
    expect(failure).toMatchObject({ name: 'ModelError', retryable });
    expect(String(failure)).toContain(`The proxy 127.0.0.1:${way.port} (from HTTPS_PROXY)`);
    expect(String(failure)).toContain(message);
    await expect(listModels(choice, new AbortController().signal, environment)).rejects.toThrow(message);
    const { model: _named, ...unnamed } = choice;
    await expect(createModel(unnamed, { environment })).rejects.toThrow(message);
  });

  it('is asked for its answer as it is, and all that it says of it counts', async () => {
    const server = await startEventServer((__, response) => void response.writeHead(429, { 'retry-after': '7' }).end());
    ends.push(() => server.close());
    const way = await proxy();
    const failure = await refusalOf(`${server.origin.replace('127.0.0.1', 'model.example.test')}/v1`, {
      HTTP_PROXY: `127.0.0.1:${way.port}`,
    });
    expect(failure.info).toEqual({ kind: 'rate-limit', status: 429, retryAfterMs: 7000 });
    const { 'accept-encoding': encoding, 'user-agent': agent } = server.requests[0]?.headers ?? {};
    expect({ encoding, agent }).toEqual({ encoding: 'identity', agent: 'tenon' });
  });

  it('may not be who answered without TLS: the proxy is named', async () => {
    const way = await proxy({ refuses: 403 });
    const environment = { http_proxy: `http://me:secret@127.0.0.1:${way.port}` };
    const named = `It was asked through the proxy 127.0.0.1:${way.port} (from http_proxy), which may be who answered.`;
    const { message } = await refusalOf('http://model.example.test/v1', environment);
    expect(message).toContain('answered 403: refused.');
    expect(message).toContain(named);
    const listing = listModels(choiceAt('http://model.example.test/v1'), new AbortController().signal, environment);
    await expect(listing).rejects.toThrow(named);
  });

  it('whose key a command prints has one way through it for all requests', async () => {
    const server = await startScriptedModel([{ text: 'one' }, { text: 'two' }]);
    ends.push(() => server.close());
    const way = await proxy();
    const keys = { get: async () => 'k', insteadOf: async () => 'k', held: () => ['k'], hasFailed: () => false };
    const choice = { ...choiceAt(server.baseUrl.replace('127.0.0.1', 'model.example.test')), keys };
    const model = await createModel(
      { ...choice, model: { value: 'far', origin: 'test' } },
      { environment: { HTTP_PROXY: `127.0.0.1:${way.port}` } },
    );
    expect(textOf(await collectAnswer(model))).toBe('one');
    // The connection goes back to the pool a moment after the answer ended.
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    expect(textOf(await collectAnswer(model))).toBe('two');
    expect(way.connections()).toBe(1);
  });

  it.each(['http', 'https'])('that is nowhere is named without its password: %s', async (scheme) => {
    const way = await proxy();
    await way.close();
    const baseUrl = `${scheme}://model.example.test/v1`;
    const account = 'me:s%40cret';
    for (const [address, words, retryable] of [
      [`http://${account}@127.0.0.1:${way.port}`, /\(from ALL_PROXY\) cannot be reached: connect ECONNREFUSED/u, true],
      [
        `http://${account}@proxy.example.test`,
        /\(from ALL_PROXY\) cannot be reached: .*(?:ENOTFOUND|EAI_AGAIN)/u,
        true,
      ],
      [`socks5://${account}@127.0.0.1:1`, /ALL_PROXY names a SOCKS proxy/u, false],
    ] as const) {
      const failure = await refusalOf(baseUrl, { ALL_PROXY: address });
      expect(failure.message).toMatch(words);
      expect(failure.message).not.toMatch(/s@cret|s%40cret|bWU6/u);
      expect(failure.retryable).toBe(retryable);
    }
  });
});
