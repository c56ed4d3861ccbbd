import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { asEventStream, sendEvents, startEventServer } from '../testing/event-server.js';
import type { AnswerEvents } from '../testing/event-server.js';
import { startScriptedModel } from '../testing/scripted-model-server.js';
import type { ScriptedModel } from '../testing/scripted-model-server.js';
import type { ScriptedTurn } from '../testing/scripted-turn.js';
import type { AdapterOptions } from './adapter-options.js';
import { ModelError } from './model-error.js';
import type { ModelPort } from './model.js';
import { createOpenAiChatModel } from './openai-chat.js';

const KEY = 'sk-very-secret';
const closers: (() => Promise<void>)[] = [];

function modelAt(baseUrl: string, options: Partial<AdapterOptions> = {}): ModelPort {
  return createOpenAiChatModel({ baseUrl, model: 'm', apiKey: KEY, ...options });
}

async function scripted(...turns: ScriptedTurn[]): Promise<ScriptedModel> {
  const server = await startScriptedModel(turns, { chunkSize: 4 });
  closers.push(() => server.close());
  return server;
}

async function answering(answer: AnswerEvents): Promise<string> {
  const server = await startEventServer(answer);
  closers.push(() => server.close());
  return server.origin;
}

async function failureOf(model: ModelPort): Promise<ModelError> {
  const thrown: unknown = await collectAnswer(model).then(
    () => 'an answer',
    (error: unknown) => error,
  );
  if (!(thrown instanceof ModelError)) throw new Error(`no ModelError but ${String(thrown)}`, { cause: thrown });
  return thrown;
}

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('a failed request', () => {
  it('tells status, kind and Retry-After in seconds and as a date', async () => {
    const date = new Date(Date.now() + 90_000).toUTCString();
    const { baseUrl } = await scripted(
      { error: { status: 429, headers: { 'retry-after': '7' }, message: 'slow down' } },
      { error: { status: 429, headers: { 'retry-after': date } } },
      { error: { status: 500 } },
    );
    const first = await failureOf(modelAt(baseUrl));
    expect(first.info).toEqual({ kind: 'rate-limit', status: 429, retryAfterMs: 7_000 });
    expect(first.message).toContain('answered 429: slow down.');
    const second = await failureOf(modelAt(baseUrl));
    expect(second.info.retryAfterMs).toBeGreaterThan(60_000);
    expect(second.info.retryAfterMs).toBeLessThanOrEqual(90_000);
    const third = await failureOf(modelAt(baseUrl));
    expect(third.info).toEqual({ kind: 'server', status: 500 });
    expect(third.retryable).toBe(true);
  });

  it('never repeats the key, whatever the server says', async () => {
    const message = `wrong: Bearer ${KEY} or team-token-7`;
    const { baseUrl } = await scripted({ error: { status: 401, message } });
    const error = await failureOf(modelAt(baseUrl, { headers: { 'X-Team-Token': 'team-token-7' } }));
    expect(error.info.kind).toBe('auth');
    expect(error.message).toContain('wrong: *** or ***.');
  });

  it('never repeats a key that no header can hold', async () => {
    const error = await failureOf(modelAt('http://127.0.0.1:1', { apiKey: `${KEY}\nx` }));
    expect(JSON.stringify([error.message, String(error.stack), error.cause])).not.toContain(KEY);
  });

  it('names the reason when nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const error = await failureOf(modelAt(`http://127.0.0.1:${port}`));
    expect(error.info).toEqual({ kind: 'network', mostRetries: 1 });
    expect(error.message).toContain(`http://127.0.0.1:${port}/v1/chat/completions failed: ECONNREFUSED. Check`);
  });

  it('does not follow a redirect, which would carry the key along', async () => {
    const visited: (string | undefined)[] = [];
    const other = await answering((request, response) => {
      visited.push(request.url);
      response.end();
    });
    const origin = await answering((_, response) => {
      response.writeHead(307, { location: `${other}/v1/chat/completions` }).end();
    });
    const error = await failureOf(modelAt(origin));
    expect(error.info.kind).toBe('bad-request');
    expect(error.message).toContain('redirects');
    expect(visited).toEqual([]);
  });

  it('takes a web page for a wrong base URL', async () => {
    const origin = await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
    });
    expect((await failureOf(modelAt(origin))).message).toContain('is a web page');
  });
});

describe('a broken stream', () => {
  it('is an error of its own wherever it is cut', async () => {
    const text = 'twelve chars';
    for (const cutAfterChunks of [0, 1, 2, 3, 4]) {
      const { baseUrl } = await scripted({ text, cutAfterChunks });
      const error = await failureOf(modelAt(baseUrl));
      // A connection that dies is told from an answer that ends too early; both are tried again.
      expect(['network', 'broken-stream']).toContain(error.info.kind);
      expect(error.retryable).toBe(true);
    }
  });

  it('is told from a complete answer when the server ends it in good order', async () => {
    const part = { choices: [{ delta: { content: 'half' }, finish_reason: null }] };
    const streams = [
      asEventStream([part]),
      `${asEventStream([part])}data: {"choices":[{"del`,
      '',
      asEventStream(['oops']),
    ];
    const origin = await answering((_, response) => sendEvents(response, streams.shift() ?? ''));
    for (let count = 0; count < 4; count += 1) {
      expect((await failureOf(modelAt(origin))).info).toEqual({ kind: 'broken-stream' });
    }
  });

  it('tells an error that the server reports inside the stream', async () => {
    const { baseUrl } = await scripted(
      { text: 'so far', streamError: { message: 'overloaded', code: 503 } },
      { text: 'so far', streamError: { message: 'too many', type: 'rate_limit_exceeded' } },
    );
    const first = await failureOf(modelAt(baseUrl));
    expect(first.info).toEqual({ kind: 'server', status: 503 });
    expect(first.message).toContain('overloaded');
    expect((await failureOf(modelAt(baseUrl))).info.kind).toBe('rate-limit');
  });

  it('tells an error in a field of its own, and in a plain answer with status 200', async () => {
    const origin = await answering((request, response) => {
      if (request.headers['x-plain'] === undefined)
        sendEvents(response, 'error: {"code":500,"message":"slot broke"}\n\n');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":{"message":"no model"}}');
    });
    expect((await failureOf(modelAt(origin))).message).toContain('slot broke');
    expect((await failureOf(modelAt(origin, { headers: { 'x-plain': '1' } }))).message).toContain('no model');
  });
});

describe('a silent server', () => {
  it.each([
    ['before its headers', -1],
    ['after its headers', 0],
  ])('is given up %s, and not asked again: it may still be reading', async (_, hangAfterChunks) => {
    const { baseUrl, requests } = await scripted({ text: 'a long answer', hangAfterChunks });
    const error = await failureOf(modelAt(baseUrl, { idleTimeoutMs: 150 }));
    expect(error.info).toEqual({ kind: 'network', isLasting: true });
    expect(error.message).toMatch(
      /sent nothing for 0\.2 s\. If it needs longer .* raise the setting model\.idleTimeout\.$/,
    );
    expect(await requests[0]?.closed).toBe('disconnected');
  });

  it('is given up in the middle, and may be asked again', async () => {
    const { baseUrl, requests } = await scripted({ text: 'a long answer', hangAfterChunks: 2 });
    const error = await failureOf(modelAt(baseUrl, { idleTimeoutMs: 150 }));
    expect(error.info).toEqual({ kind: 'network' });
    expect(error.message).toMatch(/sent nothing for 0\.2 s\.$/);
    expect(await requests[0]?.closed).toBe('disconnected');
  });

  it.each([
    ['that it is still there', ': still reading\n\n'],
    ['which role it has', asEventStream([{ choices: [{ delta: { role: 'assistant', content: '' } }] }])],
  ])('that only says %s has not begun', async (_, said) => {
    const origin = await answering((__, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(said);
    });
    expect((await failureOf(modelAt(origin, { idleTimeoutMs: 150 }))).info).toEqual({
      kind: 'network',
      isLasting: true,
    });
  });

  it('may take longer than the limit as long as it keeps talking', async () => {
    const { baseUrl } = await scripted({ text: 'abcdefghijklmnopqrstuvwx', chunkSize: 2, delayMs: 60 });
    const events = await collectAnswer(modelAt(baseUrl, { idleTimeoutMs: 500 }));
    expect(textOf(events)).toBe('abcdefghijklmnopqrstuvwx');
  });
});

describe('an abort', () => {
  it('ends the stream at once with its reason and closes the connection', async () => {
    const { baseUrl, requests } = await scripted({ text: 'a long answer', hangAfterChunks: 3 });
    const controller = new AbortController();
    const reason = new Error('the person said stop');
    let aborted = 0;
    const run = async (): Promise<void> => {
      for await (const event of modelAt(baseUrl).stream({ system: '', messages: [], tools: [] }, controller.signal)) {
        expect(event.type).toBe('text-delta');
        setTimeout(() => {
          aborted = performance.now();
          controller.abort(reason);
        }, 20);
      }
    };
    await expect(run()).rejects.toBe(reason);
    expect(performance.now() - aborted).toBeLessThan(1_000);
    expect(await requests[0]?.closed).toBe('disconnected');
  });

  it('ends the wait for an answer', async () => {
    const { baseUrl, requests } = await scripted({ hangAfterChunks: -1 });
    const controller = new AbortController();
    const answer = collectAnswer(modelAt(baseUrl), undefined, controller.signal);
    await expect.poll(() => requests.length).toBe(1);
    controller.abort('stop');
    await expect(answer).rejects.toBe('stop');
    expect(await requests[0]?.closed).toBe('disconnected');
  });

  it('before the start sends nothing', async () => {
    const { baseUrl, requests } = await scripted({ text: 'a' });
    await expect(collectAnswer(modelAt(baseUrl), undefined, AbortSignal.abort('no'))).rejects.toBe('no');
    expect(requests).toEqual([]);
  });

  it('between two events that came together yields no more of them', async () => {
    const parts = ['a', 'b', 'c'].map((content) => ({ choices: [{ delta: { content } }] }));
    const origin = await answering((_, response) => sendEvents(response, asEventStream([...parts, '[DONE]'])));
    const controller = new AbortController();
    const seen: string[] = [];
    const run = async (): Promise<void> => {
      const events = modelAt(origin).stream({ system: '', messages: [], tools: [] }, controller.signal);
      for await (const event of events) {
        seen.push(event.type);
        controller.abort('stop');
      }
    };
    await expect(run()).rejects.toBe('stop');
    expect(seen).toEqual(['text-delta']);
  });

  it('by a reader that stops reading closes the connection', async () => {
    const { baseUrl, requests } = await scripted({ text: 'a long answer', hangAfterChunks: 3 });
    const signal = new AbortController().signal;
    for await (const event of modelAt(baseUrl).stream({ system: '', messages: [], tools: [] }, signal)) {
      if (event.type === 'text-delta') break;
    }
    expect(await requests[0]?.closed).toBe('disconnected');
  });
});

describe('a complete answer', () => {
  it('leaves its connection for the next request', async () => {
    const ports = new Set<number | undefined>();
    const origin = await answering((_, response) => {
      ports.add(response.socket?.remotePort);
      sendEvents(
        response,
        asEventStream([{ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }, '[DONE]']),
      );
    });
    for (let count = 0; count < 3; count += 1) {
      await collectAnswer(modelAt(origin));
      // As long as the shortest tool call: the pool of fetch needs a moment to see that a connection is free.
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
    expect(ports.size).toBe(1);
  });

  it.each([
    ['after [DONE]', ['[DONE]'], 1_500],
    ['after a finish reason, but for the usage that may follow', [], 5_000],
  ])('does not wait for a server that never closes %s', async (_, closing, limitMs) => {
    const origin = await answering((__, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(asEventStream([{ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }, ...closing]));
    });
    const started = performance.now();
    expect(textOf(await collectAnswer(modelAt(origin)))).toBe('a');
    expect(performance.now() - started).toBeLessThan(limitMs);
  });
});

describe('an answer without end', () => {
  const piece = (content: string): string => asEventStream([{ choices: [{ delta: { content } }] }]);
  it.each([
    ['of words', '', piece('x'.repeat(60_000)), 'an answer of more than 32 MiB'],
    ['in one line', 'data: {"choices":[{"delta":{"content":"', 'x'.repeat(60_000), 'an event of more than 16 MiB'],
    ['in one event', '', 'data: x\n'.repeat(6_000), 'an event of more than 16 MiB'],
    ['in one JSON text', '{"choices": [', '"x",'.repeat(6_000), 'an event of more than 16 MiB'],
    ['of nothing', '', ': hello\n\n'.repeat(6_000), 'an event of more than 16 MiB'],
  ])('%s is given up, and not asked for again', async (_, start, more, words) => {
    let requests = 0;
    const origin = await answering((__, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(start);
      const write = (): void => {
        while (!response.destroyed && response.write(more));
        if (!response.destroyed) response.once('drain', () => setImmediate(write));
      };
      write();
    });
    const error = await failureOf(modelAt(origin));
    expect(error.info).toEqual({ kind: 'broken-stream', isLasting: true });
    expect(error.message).toContain(words);
    expect(requests).toBe(1);
  });
});
