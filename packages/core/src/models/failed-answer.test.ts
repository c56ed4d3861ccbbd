import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { asEventStream, startEventServer } from '../testing/event-server.js';
import { isFailedAnswer } from './failed-answer.js';
import { createOpenAiChatModel } from './openai-chat.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** The server, its payload with status 200, its message, and the expected kind. */
const FAILURES: readonly (readonly [string, object, string, string])[] = [
  ['OpenAI', { error: { message: 'No such model', type: 'invalid_request_error' } }, 'No such model', 'bad-request'],
  ['a gateway', { error: 'the upstream is away' }, 'the upstream is away', 'server'],
  ['DashScope', { code: 'InvalidApiKey', message: 'Invalid key given.', request_id: 'r' }, 'Invalid key given', 'auth'],
  ['DashScope', { code: 'InvalidParameter', message: 'Range of x' }, 'Range of x', 'bad-request'],
  ['DashScope', { code: 'Throttling.RateQuota', message: 'Slow down' }, 'Slow down', 'rate-limit'],
  ['DashScope', { code: 'Arrearage', message: 'Top up' }, 'Top up', 'auth'],
  ['vLLM', { object: 'error', message: 'The model `x` does not exist.', code: 404 }, 'does not exist', 'bad-request'],
  ['FastAPI', { detail: 'Not authenticated' }, 'Not authenticated', 'auth'],
  ['FastAPI', { detail: [{ loc: ['body', 'x'], msg: 'Extra inputs are not permitted' }] }, 'Extra', 'bad-request'],
  ['MiniMax', { base_resp: { status_code: 1004, status_msg: 'login fail: no key' } }, 'login fail', 'auth'],
  ['MiniMax', { choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } }, 'rate', 'rate-limit'],
  ['Cloudflare', { success: false, errors: [{ code: 7009, message: 'Upstream is away' }] }, 'Upstream', 'server'],
  ['DeepInfra', { choices: null, error_message: '400: invalid request' }, '400: invalid request', 'bad-request'],
  ['Qianfan', { error_code: 336003, error_msg: 'the input is empty' }, 'the input is empty', 'server'],
  ['a gateway', { code: 401, msg: 'No token', success: false }, 'No token', 'auth'],
  ['RFC 9457', { type: 'about:blank', title: 'x', status: 503, detail: 'Come back later' }, 'Come back', 'server'],
  ['Gemini', [{ error: { code: 400, message: 'Bad argument', status: 'INVALID_ARGUMENT' } }], 'Bad', 'bad-request'],
];

const ways: readonly (readonly [string, (response: ServerResponse, payload: object) => void])[] = [
  ['as JSON', (response, payload) => send(response, 'application/json', JSON.stringify(payload))],
  ['as JSON that calls itself text', (response, payload) => send(response, 'text/plain', JSON.stringify(payload))],
  [
    'as JSON that calls itself a stream',
    (response, payload) => {
      send(response, 'text/event-stream', `\n ${JSON.stringify(payload, null, 2)}`);
    },
  ],
  ['as an event', (response, payload) => send(response, 'text/event-stream', asEventStream([payload, '[DONE]']))],
  [
    'as an error event',
    (response, payload) => {
      send(response, 'text/event-stream', `:HTTP_STATUS/400\nevent:error\ndata:${JSON.stringify(payload)}\n\n`);
    },
  ],
];

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type }).end(text);
}

describe.each(ways)('a failure with status 200 %s', (_, answer) => {
  it.each(FAILURES)('of %s (%j) is told in its words', async (__, payload, words, kind) => {
    const server = await startEventServer((___, response) => answer(response, payload));
    closers.push(() => server.close());
    const model = createOpenAiChatModel({ baseUrl: server.origin, model: 'm' });
    await expect(collectAnswer(model)).rejects.toMatchObject({
      info: { kind },
      message: expect.stringContaining(words) as string,
    });
  });
});

it.each([
  { choices: [{ delta: { content: 'x' } }] },
  { choices: [{ delta: { content: 'x' } }], error: null },
  { choices: [{ delta: { content: 'x' } }], error: {}, code: 0, message: 'success' },
  { choices: [{ delta: {} }], base_resp: { status_code: 0, status_msg: '' } },
  { choices: [], usage: { prompt_tokens: 1 } },
  { code: 200, message: 'ok', data: {} },
  { candidates: [{ content: { parts: [{ text: 'x' }] } }] },
  { usageMetadata: { promptTokenCount: 1 } },
  { type: 'message_start', message: { id: 'm', content: [] } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '{"error":"x"}' } },
  { type: 'ping' },
  {},
  [],
  'text',
  null,
])('is not what %j is', (payload) => {
  expect(isFailedAnswer(payload)).toBe(false);
});

it('a web page that calls itself a stream is one all the same', async () => {
  const server = await startEventServer((_, response) => {
    send(response, 'text/event-stream', '<!DOCTYPE html><html><title>Sign in</title></html>');
  });
  closers.push(() => server.close());
  const model = createOpenAiChatModel({ baseUrl: server.origin, model: 'm' });
  await expect(collectAnswer(model)).rejects.toThrow('is a web page');
});

it('a stream without a content type is read as one', async () => {
  const server = await startEventServer((_, response) => {
    response.end(asEventStream([{ choices: [{ delta: { content: 'hello' }, finish_reason: 'stop' }] }, '[DONE]']));
  });
  closers.push(() => server.close());
  expect(textOf(await collectAnswer(createOpenAiChatModel({ baseUrl: server.origin, model: 'm' })))).toBe('hello');
});
