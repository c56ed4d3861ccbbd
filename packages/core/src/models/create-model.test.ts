import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { asEventStream, startEventServer } from '../testing/event-server.js';
import { startScriptedModel } from '../testing/scripted-model-server.js';
import { createModel } from './create-model.js';
import { ModelError } from './model-error.js';
import { resolveModelChoice } from './model-settings.js';
import type { ModelChoice } from './model-settings.js';

const closers: (() => Promise<void>)[] = [];

function choiceOf(environment: Record<string, string>): ModelChoice {
  const choice = resolveModelChoice({ settings: {}, environment });
  if (choice === undefined) throw new Error('nothing chosen');
  return choice;
}

async function listing(status: number, body: string): Promise<string> {
  const server = await startEventServer((_, response) => {
    response.writeHead(status).end(body);
  });
  closers.push(() => server.close());
  return server.origin;
}

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('createModel', () => {
  it('makes the adapter of each provider', async () => {
    const labels = await Promise.all(
      [
        { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'gpt-x' },
        { ANTHROPIC_API_KEY: 'k', ANTHROPIC_MODEL: 'claude-x' },
        { GEMINI_API_KEY: 'k', GEMINI_MODEL: 'gemini-x' },
      ].map(async (environment) => (await createModel(choiceOf(environment))).label),
    );
    expect(labels).toEqual(['openai gpt-x', 'anthropic claude-x', 'gemini gemini-x']);
  });

  it('asks a server for its only model when none is named, and talks to it', async () => {
    const server = await startScriptedModel([{ text: 'hello' }], { model: 'the-one' });
    closers.push(() => server.close());
    const model = await createModel(choiceOf({ OPENAI_BASE_URL: server.baseUrl }));
    expect(model.model).toBe('the-one');
    expect(textOf(await collectAnswer(model))).toBe('hello');
    expect(server.otherRequests.map((request) => request.path)).toEqual(['/v1/models']);
  });

  it('asks it as it is told, and remembers what the server refuses whatever its key is', async () => {
    const server = await startEventServer((request, response) => {
      const body = request.body as Record<string, unknown>;
      const refusal = { error: { message: "Unknown parameter: 'stream_options'." } };
      if (request.headers.authorization === 'Bearer old') response.writeHead(401).end('{}');
      else if ('stream_options' in body) response.writeHead(400).end(JSON.stringify(refusal));
      else response.end(asEventStream([{ choices: [{ delta: { content: 'fine' }, finish_reason: 'stop' }] }]));
    });
    closers.push(() => server.close());
    const printed = ['old', 'new'];
    const keys = {
      get: async () => printed[0] ?? '',
      insteadOf: async () => printed[1] ?? '',
      held: () => printed,
      hasFailed: () => false,
    };
    const choice = { ...choiceOf({ OPENAI_BASE_URL: server.origin, OPENAI_MODEL: 'm' }), keys };
    const extraBody = { top_k: 3, stream_options: { more: true } };
    const model = await createModel(choice, { maxOutputTokens: 5, reasoningEffort: 'low', extraBody });
    await collectAnswer(model);
    printed[0] = 'new';
    await collectAnswer(model);
    const asked = { model: 'm', max_tokens: 5, reasoning_effort: 'low', top_k: 3 };
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { ...asked, stream_options: { include_usage: true, more: true } },
      { ...asked, stream_options: { include_usage: true, more: true } },
      asked,
      asked,
    ]);
    expect(server.requests[3]?.body).not.toHaveProperty('stream_options');
  });

  it('names the models of a server with several, and how to choose', async () => {
    const data = Array.from({ length: 20 }, (_, index) => ({ id: `m${index}` }));
    const origin = await listing(200, JSON.stringify({ data }));
    await expect(createModel(choiceOf({ OPENAI_BASE_URL: origin }))).rejects.toThrow(
      /It has m0, m1, .*m11 and 8 more\. Set OPENAI_MODEL/,
    );
  });

  it('says what is wrong when the server refuses or is not there', async () => {
    const refusing = await listing(401, '{"error":{"message":"bad key sk-secret"}}');
    const withKey = createModel(choiceOf({ OPENAI_BASE_URL: refusing, OPENAI_API_KEY: 'sk-secret' }));
    await expect(withKey).rejects.toMatchObject({ info: { kind: 'auth' } });
    await expect(withKey).rejects.not.toThrow(/sk-secret/);
    const absent = createModel(choiceOf({ OPENAI_BASE_URL: 'http://127.0.0.1:1' }));
    await expect(absent).rejects.toMatchObject({ info: { kind: 'network' } });
  });

  it('wants a key for a provider’s own address', async () => {
    const choice = resolveModelChoice({ settings: { provider: 'anthropic' }, environment: {} });
    if (choice === undefined) throw new Error('nothing chosen');
    await expect(createModel(choice)).rejects.toThrow(ModelError);
    await expect(createModel(choice)).rejects.toThrow('Set ANTHROPIC_API_KEY');
  });
});
