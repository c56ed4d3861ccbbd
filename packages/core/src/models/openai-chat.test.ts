import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, modelRequest, textOf } from '../testing/collect-answer.js';
import { asEventStream, sendEvents, startEventServer } from '../testing/event-server.js';
import type { AnswerEvents } from '../testing/event-server.js';
import { startScriptedModel } from '../testing/scripted-model-server.js';
import type { ScriptedTurn } from '../testing/scripted-turn.js';
import { createOpenAiChatModel } from './openai-chat.js';

const closers: (() => Promise<void>)[] = [];

async function scripted(...turns: ScriptedTurn[]) {
  const server = await startScriptedModel(turns, { chunkSize: 3 });
  closers.push(() => server.close());
  return { server, model: createOpenAiChatModel({ baseUrl: server.baseUrl, model: 'm', apiKey: 'sk-secret' }) };
}

async function answering(answer: AnswerEvents) {
  const server = await startEventServer(answer);
  closers.push(() => server.close());
  return { server, model: createOpenAiChatModel({ baseUrl: server.origin, model: 'm' }) };
}

const chunk = (delta: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('createOpenAiChatModel', () => {
  it('streams thinking, text and split parallel calls, then usage and finish', async () => {
    const { model, server } = await scripted({
      thinking: 'let me see',
      text: 'Räder 😀',
      interleave: true,
      toolCalls: [
        { id: 'a', name: 'read_file', arguments: { path: '/a', limit: 5 } },
        { id: 'b', name: 'grep', arguments: '{"pattern": "x' },
      ],
      usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60 },
    });
    const events = await collectAnswer(model);
    expect(events.map((e) => (e.type === 'thinking-delta' ? e.text : '')).join('')).toBe('let me see');
    expect(events.filter((e) => e.type === 'thinking-delta').at(-1)).toEqual({
      type: 'thinking-delta',
      text: '',
      signature: 'openai:reasoning_content',
    });
    expect(textOf(events)).toBe('Räder 😀');
    expect(events.filter((e) => e.type === 'tool-call-delta')).toEqual([
      { type: 'tool-call-delta', index: 0, id: 'a', name: 'read_file', argumentsText: '{"path":"/a","limit":5}' },
      { type: 'tool-call-delta', index: 1, id: 'b', name: 'grep', argumentsText: '{"pattern": "x' },
    ]);
    expect(events.slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60 } },
      { type: 'finish', reason: 'tool-calls' },
    ]);
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-secret');
    expect(server.requests[0]?.body).toMatchObject({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('sends the limit, extra fields and headers, and no authorization without a key', async () => {
    const server = await startScriptedModel([{ text: 'ok' }, { text: 'ok' }]);
    closers.push(() => server.close());
    const headers = { 'X-Team': 'a', 'Content-Type': 'application/json; charset=utf-8' };
    const model = createOpenAiChatModel({
      baseUrl: server.baseUrl,
      model: 'm',
      headers,
      maxOutputTokens: 50,
      extraBody: { temperature: 0 },
      includeUsage: false,
    });
    await collectAnswer(model);
    await collectAnswer(model, modelRequest({ maxOutputTokens: 9 }));
    const [first, second] = server.requests;
    expect(first?.body).toMatchObject({ max_tokens: 50, temperature: 0 });
    expect(first?.body).not.toHaveProperty('stream_options');
    expect(first?.headers).toMatchObject({ 'x-team': 'a', 'content-type': 'application/json; charset=utf-8' });
    expect(first?.headers).not.toHaveProperty('authorization');
    expect(second?.body).toMatchObject({ max_tokens: 9 });
  });

  it('replaces unpaired surrogates in what it sends', async () => {
    const { model, server } = await scripted({ text: 'ok' });
    await collectAnswer(model, modelRequest({ system: 'cut \ud83d here' }));
    expect(server.requests[0]?.body.messages[0]?.content).toBe('cut \ufffd here');
    expect(server.requests[0]?.bodyText).not.toContain('\\ud83d');
  });

  const words = 'Grüße, 世界 😀';
  it.each([
    ['text/event-stream', asEventStream([chunk({ content: words }), chunk({}, 'stop'), '[DONE]'])],
    ['application/json', JSON.stringify({ choices: [{ message: { content: words }, finish_reason: 'stop' }] })],
  ])('reads the same answer in %s however the bytes are cut, inside characters too', async (type, body) => {
    const { model } = await answering(async (_, response) => {
      response.writeHead(200, { 'content-type': type });
      for (const byte of Buffer.from(body)) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      response.end();
    });
    const events = await collectAnswer(model);
    expect(textOf(events)).toBe(words);
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it.each([
    ['with CRLF and comments', (text: string) => `: ping\r\n\r\n${text.replaceAll('\n', '\r\n')}`],
    ['without a blank line at the end', (text: string) => text.trimEnd()],
    ['with a byte order mark', (text: string) => `\ufeff${text}`],
  ])('reads a stream %s', async (_, change) => {
    const text = asEventStream([chunk({ content: 'ok' }), chunk({}, 'stop'), '[DONE]']);
    const { model } = await answering((__, response) => sendEvents(response, change(text)));
    expect(textOf(await collectAnswer(model))).toBe('ok');
  });

  it('takes [DONE] alone, or a finish reason alone, for the end', async () => {
    const answers = [
      asEventStream([chunk({ content: 'a' }), '[DONE]']),
      asEventStream([chunk({ content: 'a' }, 'length')]),
    ];
    const { model } = await answering((_, response) => sendEvents(response, answers.shift() ?? ''));
    expect((await collectAnswer(model)).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect((await collectAnswer(model)).at(-1)).toEqual({ type: 'finish', reason: 'length' });
  });

  it('takes a connection that breaks after the finish reason for complete', async () => {
    const { model } = await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(asEventStream([chunk({ content: 'a' }, 'stop')]), () => setImmediate(() => response.destroy()));
    });
    expect((await collectAnswer(model)).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it('reads a whole completion from a server that does not stream', async () => {
    const message = {
      role: 'assistant',
      content: 'hi',
      tool_calls: [{ id: 'a', function: { name: 'ls', arguments: {} } }],
    };
    const { model } = await answering((_, response) => {
      const choices = [{ message, finish_reason: 'stop' }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
    });
    expect(await collectAnswer(model)).toEqual([
      { type: 'text-delta', text: 'hi' },
      { type: 'tool-call-delta', index: 0, id: 'a', name: 'ls', argumentsText: '{}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('reads content in parts, refusals, and reasoning under its other name', async () => {
    const deltas = [
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
      chunk({ reasoning: 'so' }),
      chunk({ content: [{ type: 'text', text: 'a' }] }),
      chunk({ refusal: 'b' }, 'content_filter'),
    ];
    const { model } = await answering((_, response) => sendEvents(response, asEventStream(deltas)));
    expect(await collectAnswer(model)).toEqual([
      { type: 'thinking-delta', text: 'hm' },
      { type: 'thinking-delta', text: 'so' },
      { type: 'thinking-delta', text: '', signature: 'openai:reasoning' },
      { type: 'text-delta', text: 'a' },
      { type: 'text-delta', text: 'b' },
      { type: 'finish', reason: 'content-filter' },
    ]);
  });

  it('sends a tool’s name in a form that is taken, and gives its own name back', async () => {
    const { model, server } = await scripted({ toolCalls: [{ name: 'my_tool_v1', arguments: {} }] });
    const tools = [{ name: 'my tool.v1', description: '', parameters: {} }];
    const events = await collectAnswer(model, modelRequest({ tools }));
    expect(server.requests[0]?.body.tools?.[0]?.function.name).toBe('my_tool_v1');
    expect(events[0]).toMatchObject({ type: 'tool-call-delta', name: 'my tool.v1' });
  });
});
