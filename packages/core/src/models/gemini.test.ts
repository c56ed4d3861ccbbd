import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, modelRequest } from '../testing/collect-answer.js';
import { asEventStream, sendEvents, startEventServer } from '../testing/event-server.js';
import type { EventServer } from '../testing/event-server.js';
import { createGeminiModel } from './gemini.js';
import type { Message } from './model.js';
import { at } from './wire-json.js';

const servers: EventServer[] = [];

async function serverWith(payloads: readonly object[]): Promise<EventServer> {
  const server = await startEventServer((_, response) => sendEvents(response, asEventStream(payloads)));
  servers.push(server);
  return server;
}

const modelAt = (server: EventServer, model = 'gemini-2.5-pro') =>
  createGeminiModel({ baseUrl: `${server.origin}/`, model, apiKey: 'k' });

const parts = (...list: object[]): object => ({ candidates: [{ content: { role: 'model', parts: list } }] });
const end = (finishReason: string): object => ({
  candidates: [{ finishReason }],
  usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 7, thoughtsTokenCount: 3, cachedContentTokenCount: 20 },
});

async function sentBy(messages: readonly Message[], model?: string): Promise<unknown> {
  const server = await serverWith([end('STOP')]);
  await collectAnswer(modelAt(server, model), modelRequest({ messages }));
  return at(server.requests[0]?.body, 'contents');
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('createGeminiModel', () => {
  it('streams thoughts, text and calls with their signatures', async () => {
    const server = await serverWith([
      parts({ text: 'hm', thought: true }),
      parts({ text: 'Grüße ' }),
      parts({ text: 'Welt', thoughtSignature: 'T' }),
      parts(
        { functionCall: { name: 'ls', args: { p: 1 } }, thoughtSignature: 'S' },
        { functionCall: { id: 'own', name: 'read_file' } },
      ),
      end('STOP'),
    ]);
    const events = await collectAnswer(modelAt(server));
    expect(events).toEqual([
      { type: 'thinking-delta', text: 'hm' },
      { type: 'text-delta', text: 'Grüße ' },
      { type: 'text-delta', text: 'Welt' },
      { type: 'thinking-delta', text: '', signature: 'gemini-text:T' },
      {
        type: 'tool-call-delta',
        index: 0,
        id: expect.stringMatching(/^tenon_call_\w{32}$/) as unknown,
        name: 'ls',
        argumentsText: '{"p":1}',
        signature: 'gemini:S',
      },
      { type: 'tool-call-delta', index: 1, id: 'own', name: 'read_file', argumentsText: '{}' },
      { type: 'usage', usage: { inputTokens: 50, outputTokens: 10, cachedInputTokens: 20 } },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('sends key, system, tools with JSON Schema, limit and the wish for thoughts', async () => {
    const server = await serverWith([end('STOP')]);
    const parameters = { type: 'object', properties: { p: { type: 'string', pattern: '^/' } } };
    const tools = [{ name: 'mcp:ls', description: 'Lists.', parameters }];
    await collectAnswer(
      modelAt(server, 'models/gemini-3-pro'),
      modelRequest({ system: 'Be brief.', tools, maxOutputTokens: 9 }),
    );
    const [request] = server.requests;
    expect(request?.url).toBe('/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse');
    expect(request?.headers['x-goog-api-key']).toBe('k');
    expect(request?.body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'mcp_ls',
              description: 'Lists.',
              parametersJsonSchema: { type: 'object', properties: { p: { type: 'string' } } },
            },
          ],
        },
      ],
      generationConfig: { maxOutputTokens: 9, thinkingConfig: { includeThoughts: true } },
    });
  });

  it('does not ask models for thoughts that refuse the wish', async () => {
    const server = await serverWith([end('STOP')]);
    await collectAnswer(modelAt(server, 'gemini-2.0-flash'));
    expect(at(server.requests[0]?.body, 'generationConfig')).toEqual({});
  });

  const conversation: readonly Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'hm', signature: 'gemini:T' },
        { type: 'thinking', text: 'foreign', signature: 'anthropic:A' },
        { type: 'text', text: 'so' },
        { type: 'thinking', text: '', signature: 'gemini-text:X' },
        { type: 'tool-call', id: 'tenon_call_1', name: 'ls', argumentsText: '{"p":1}', signature: 'gemini:S' },
        { type: 'tool-call', id: 'own', name: 'ls', argumentsText: '' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callId: 'tenon_call_1',
          name: 'ls',
          isError: false,
          content: [{ type: 'text', text: 'a' }],
        },
        {
          type: 'tool-result',
          callId: 'own',
          name: 'ls',
          isError: true,
          content: [
            { type: 'text', text: 'b' },
            { type: 'media', mimeType: 'image/png', data: 'AAAA' },
          ],
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'go on' }] },
  ];

  it('sends thoughts and calls back with their signatures, and media beside results', async () => {
    expect(await sentBy(conversation)).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true, thoughtSignature: 'T' },
          { text: 'so' },
          { text: '', thoughtSignature: 'X' },
          { functionCall: { name: 'ls', args: { p: 1 } }, thoughtSignature: 'S' },
          { functionCall: { id: 'own', name: 'ls', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'ls', response: { output: 'a' } } },
          { functionResponse: { id: 'own', name: 'ls', response: { error: 'b\n' } } },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { text: 'go on' },
        ],
      },
    ]);
  });

  it('tells Gemini 3 that a call of another model has no signature', async () => {
    const foreign: Message = {
      role: 'assistant',
      content: [{ type: 'tool-call', id: 'a', name: 'ls', argumentsText: '{}', signature: 'openai-call:{}' }],
    };
    const call = { functionCall: { id: 'a', name: 'ls', args: {} } };
    expect(at(await sentBy([foreign], 'gemini-3-pro'), 0, 'parts')).toEqual([
      { ...call, thoughtSignature: 'skip_thought_signature_validator' },
    ]);
    expect(at(await sentBy([foreign], 'gemini-2.5-pro'), 0, 'parts')).toEqual([call]);
  });

  it.each([
    [{ candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'length'],
    [{ candidates: [{ finishReason: 'SAFETY' }] }, 'content-filter'],
    [{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }, 'failed'],
    [{ promptFeedback: { blockReason: 'SAFETY' } }, 'content-filter'],
  ])('reads %j as %s', async (payload, finish) => {
    const server = await serverWith([payload]);
    expect((await collectAnswer(modelAt(server))).at(-1)).toEqual({ type: 'finish', reason: finish });
  });

  it('tells a stream without its end, and an error inside it, from an answer', async () => {
    const half = await serverWith([parts({ text: 'so far' })]);
    await expect(collectAnswer(modelAt(half))).rejects.toMatchObject({ info: { kind: 'broken-stream' } });
    const error = { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED' };
    const failing = await serverWith([parts({ text: 'so far' }), { error }]);
    await expect(collectAnswer(modelAt(failing))).rejects.toMatchObject({ info: { kind: 'rate-limit', status: 429 } });
  });
});
