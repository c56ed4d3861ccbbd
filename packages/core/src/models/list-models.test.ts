import { afterEach, describe, expect, it } from 'vitest';
import { startEventServer, type EventServer } from '../testing/event-server.js';
import { listModels } from './list-models.js';
import { resolveModelChoice, type ModelChoice } from './model-settings.js';

const servers: EventServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serverWith(status: number, body: unknown): Promise<EventServer> {
  const server = await startEventServer((_, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  servers.push(server);
  return server;
}
function choiceOf(environment: Record<string, string>): ModelChoice {
  const choice = resolveModelChoice({ settings: {}, environment });
  if (choice === undefined) throw new Error('nothing chosen');
  return choice;
}
const never = new AbortController().signal;

describe('listModels', () => {
  it('asks an OpenAI-compatible server, also one of many models', async () => {
    const data = Array.from({ length: 300 }, (_, index) => ({ id: `vendor/m${index}` }));
    const server = await serverWith(200, { object: 'list', data });
    const names = await listModels(choiceOf({ OPENAI_BASE_URL: `${server.origin}/v1/`, OPENAI_API_KEY: 'k' }), never);
    expect([names.length, names[0], names[299]]).toEqual([300, 'vendor/m0', 'vendor/m299']);
    expect(server.requests[0]).toMatchObject({ url: '/v1/models', headers: { authorization: 'Bearer k' } });
  });

  it('asks Anthropic with its own headers', async () => {
    const server = await serverWith(200, { data: [{ id: 'claude-a' }, { id: 'claude-b' }], has_more: false });
    const choice = choiceOf({ ANTHROPIC_BASE_URL: server.origin, ANTHROPIC_API_KEY: 'k' });
    expect(await listModels(choice, never)).toEqual(['claude-a', 'claude-b']);
    expect(server.requests[0]).toMatchObject({
      url: '/v1/models?limit=1000',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    });
  });

  it('asks Gemini, and leaves out what gives no answers', async () => {
    const models = [
      { name: 'models/gemini-x', supportedGenerationMethods: ['generateContent', 'countTokens'] },
      { name: 'models/embedding-y', supportedGenerationMethods: ['embedContent'] },
    ];
    const server = await serverWith(200, { models });
    const choice = choiceOf({ GEMINI_BASE_URL: server.origin, GEMINI_API_KEY: 'k' });
    expect(await listModels(choice, never)).toEqual(['gemini-x']);
    expect(server.requests[0]).toMatchObject({
      url: '/v1beta/models?pageSize=1000',
      headers: { 'x-goog-api-key': 'k' },
    });
  });

  it('says why there is no list, without the key', async () => {
    const refusing = await serverWith(401, { error: { message: 'bad key sk-secret' } });
    const choice = choiceOf({ OPENAI_BASE_URL: refusing.origin, OPENAI_API_KEY: 'sk-secret' });
    await expect(listModels(choice, never)).rejects.toMatchObject({ info: { kind: 'auth', status: 401 } });
    await expect(listModels(choice, never)).rejects.not.toThrow(/sk-secret/);
    const page = await serverWith(200, '<html>');
    await expect(listModels(choiceOf({ OPENAI_BASE_URL: page.origin }), never)).rejects.toThrow('no list of models');
    await expect(listModels(choiceOf({ OPENAI_BASE_URL: 'http://127.0.0.1:1' }), never)).rejects.toMatchObject({
      info: { kind: 'network' },
    });
    await expect(listModels(choice, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
