import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { startForwardProxy, type ForwardProxy, type ForwardProxyOptions } from '../testing/forward-proxy.js';
import { startScriptedModel } from '../testing/scripted-model-server.js';
import { createModel } from './create-model.js';
import { listModels } from './list-models.js';
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
  });
});
