import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, modelRequest } from '../testing/collect-answer.js';
import { asEventStream, sendEvents, startEventServer } from '../testing/event-server.js';
import type { EventServer } from '../testing/event-server.js';
import { createAnthropicMessagesModel } from './anthropic-messages.js';
import type { AnthropicMessagesOptions } from './anthropic-messages.js';
import type { Message } from './model.js';
import { at } from './wire-json.js';

const servers: EventServer[] = [];

async function serverWith(payloads: readonly object[]): Promise<EventServer> {
  const server = await startEventServer((_, response) => sendEvents(response, asEventStream(payloads, true)));
  servers.push(server);
  return server;
}

const modelAt = (server: EventServer, options: Partial<AnthropicMessagesOptions> = {}) =>
  createAnthropicMessagesModel({ baseUrl: server.origin, model: 'claude-x', apiKey: 'k', ...options });

const start = {
  type: 'message_start',
  message: { usage: { input_tokens: 10, cache_read_input_tokens: 70, output_tokens: 1 } },
};
const block = (index: number, content: object): object => ({
  type: 'content_block_start',
  index,
  content_block: content,
});
const delta = (index: number, change: object): object => ({ type: 'content_block_delta', index, delta: change });
const stop = (index: number): object => ({ type: 'content_block_stop', index });
const end = (reason: string): object[] => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 33 } },
  { type: 'message_stop' },
];

async function sentBy(messages: readonly Message[]): Promise<unknown> {
  const server = await serverWith([start, ...end('end_turn')]);
  await collectAnswer(modelAt(server), modelRequest({ messages }));
  return at(server.requests[0]?.body, 'messages');
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('createAnthropicMessagesModel', () => {
  it('streams thinking with its signature, text, and parallel calls', async () => {
    const server = await serverWith([
      start,
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 'SI' }),
      delta(0, { type: 'signature_delta', signature: 'G==' }),
      stop(0),
      block(1, { type: 'redacted_thinking', data: 'DATA' }),
      stop(1),
      { type: 'ping' },
      block(2, { type: 'text', text: '' }),
      delta(2, { type: 'text_delta', text: 'Grüße' }),
      stop(2),
      block(3, { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '' }),
      delta(3, { type: 'input_json_delta', partial_json: '{"p":' }),
      delta(3, { type: 'input_json_delta', partial_json: '1}' }),
      stop(3),
      block(4, { type: 'tool_use', id: 'toolu_2', name: 'ls', input: {} }),
      stop(4),
      block(5, { type: 'tool_use', id: 'toolu_3', name: 'ls', input: { whole: true } }),
      stop(5),
      ...end('tool_use'),
    ]);
    expect(await collectAnswer(modelAt(server))).toEqual([
      { type: 'thinking-delta', text: 'hm' },
      { type: 'thinking-delta', text: '', signature: 'anthropic:SIG==' },
      { type: 'thinking-delta', text: '', signature: 'anthropic-redacted:DATA' },
      { type: 'text-delta', text: 'Grüße' },
      { type: 'tool-call-delta', index: 0, id: 'toolu_1', name: 'read_file' },
      { type: 'tool-call-delta', index: 0, argumentsText: '{"p":' },
      { type: 'tool-call-delta', index: 0, argumentsText: '1}' },
      { type: 'tool-call-delta', index: 1, id: 'toolu_2', name: 'ls' },
      { type: 'tool-call-delta', index: 1, argumentsText: '{}' },
      { type: 'tool-call-delta', index: 2, id: 'toolu_3', name: 'ls' },
      { type: 'tool-call-delta', index: 2, argumentsText: '{"whole":true}' },
      { type: 'usage', usage: { inputTokens: 80, outputTokens: 33, cachedInputTokens: 70 } },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('sends key, version, limit, cached system prompt and tools', async () => {
    const server = await serverWith([start, ...end('end_turn')]);
    const tools = [{ name: 'ls', description: 'Lists.', parameters: {} }];
    await collectAnswer(modelAt(server), modelRequest({ system: 'Be brief.', tools }));
    const [request] = server.requests;
    expect(request?.url).toBe('/v1/messages');
    expect(request?.headers).toMatchObject({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' });
    const cache = { cache_control: { type: 'ephemeral' } };
    expect(request?.body).toEqual({
      model: 'claude-x',
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'Be brief.', ...cache }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...cache }] }],
      tools: [{ name: 'ls', description: 'Lists.', input_schema: { type: 'object', properties: {} } }],
    });
  });

  it('sends a token as a bearer', async () => {
    const server = await serverWith([start, ...end('end_turn')]);
    await collectAnswer(modelAt(server, { auth: 'bearer' }));
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer k');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('sends its own thinking back and leaves out what others signed', async () => {
    const content = [
      { type: 'thinking', text: 'hm', signature: 'anthropic:SIG' },
      { type: 'thinking', text: '', signature: 'anthropic-redacted:DATA' },
      { type: 'thinking', text: 'foreign', signature: 'gemini:G' },
      { type: 'thinking', text: 'unsigned' },
      { type: 'text', text: ' ' },
      { type: 'tool-call', id: 'call.1', name: 'ls', argumentsText: 'broken' },
    ] as const;
    const result = { type: 'tool-result', callId: 'call.1', name: 'ls', isError: true, content: [] } as const;
    expect(
      await sentBy([
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content },
        { role: 'tool', content: [result] },
        { role: 'user', content: [{ type: 'text', text: 'go on' }] },
      ]),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'SIG' },
          { type: 'redacted_thinking', data: 'DATA' },
          { type: 'tool_use', id: 'call_x2e1', name: 'ls', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call_x2e1',
            content: [{ type: 'text', text: '(no output)' }],
            is_error: true,
          },
          { type: 'text', text: 'go on', cache_control: { type: 'ephemeral' } },
        ],
      },
    ]);
  });

  it('sends images and PDF inside results', async () => {
    const media = (mimeType: string) => ({ type: 'media', mimeType, data: 'AAAA' }) as const;
    const content = [media('image/png'), media('application/pdf'), media('audio/wav')];
    const sent = await sentBy([
      { role: 'tool', content: [{ type: 'tool-result', callId: 'a', name: 'read', isError: false, content }] },
    ]);
    expect(at(sent, 0, 'content', 0, 'content')).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
      { type: 'text', text: '[audio/wav, about 3 bytes: this model cannot be shown it]' },
    ]);
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'pause'],
  ])('reads the stop reason %s as %s', async (reason, finish) => {
    const server = await serverWith([start, ...end(reason)]);
    expect((await collectAnswer(modelAt(server))).at(-1)).toEqual({ type: 'finish', reason: finish });
  });

  it('tells a stream without its end, and an error event, from an answer', async () => {
    const half = await serverWith([start, block(0, { type: 'text', text: 'so far' })]);
    await expect(collectAnswer(modelAt(half))).rejects.toMatchObject({ info: { kind: 'broken-stream' } });
    const failing = await serverWith([
      start,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ]);
    await expect(collectAnswer(modelAt(failing))).rejects.toMatchObject({
      info: { kind: 'server' },
      message: expect.stringContaining('Overloaded') as unknown,
    });
  });
});
