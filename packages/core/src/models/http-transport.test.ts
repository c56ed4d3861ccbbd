import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { startEventServer } from '../testing/event-server.js';
import { startScriptedModel } from '../testing/scripted-model-server.js';
import { fetchTransport, nodeTransport, readText } from './http-transport.js';
import { createOpenAiChatModel } from './openai-chat.js';

const closers: (() => Promise<unknown>)[] = [];
const { signal } = new AbortController();

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe.each([
  ['nodeTransport', nodeTransport],
  ['fetchTransport', fetchTransport(fetch)],
])('%s', (_, transport) => {
  it('sends a request and gives status, headers and body', async () => {
    const server = await startEventServer((request, response) => {
      response.writeHead(418, { 'x-answer': 'a' }).end(`${request.method} ${JSON.stringify(request.body)}`);
    });
    closers.push(() => server.close());
    const headers = { 'x-question': 'q' };
    const answer = await transport({ method: 'POST', url: server.origin, headers, body: '{"a":"Grüße"}', signal });
    expect([answer.status, answer.header('x-answer'), answer.header('x-none')]).toEqual([418, 'a', undefined]);
    expect(await readText(answer.body, 1_000)).toBe('POST {"a":"Grüße"}');
    expect(server.requests[0]?.headers['x-question']).toBe('q');
  });

  it('gives redirects as they are', async () => {
    const server = await startEventServer((__, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    closers.push(() => server.close());
    const answer = await transport({ method: 'GET', url: server.origin, headers: {}, signal });
    expect(answer.status).toBe(302);
    expect(await readText(answer.body, 1_000)).toBe('');
    expect(server.requests).toHaveLength(1);
  });

  it('speaks TLS where the address says https', async () => {
    const firstBytes: number[] = [];
    const server = createServer((socket) => {
      socket.once('data', (data) => {
        firstBytes.push(data[0] ?? -1);
        socket.destroy();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => once(server.close(), 'close'));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(transport({ method: 'GET', url, headers: {}, signal })).rejects.toThrow();
    // 22: the record type of a TLS handshake (RFC 8446 5.1).
    expect(firstBytes).toEqual([22]);
  });
});

describe('nodeTransport', () => {
  it('asks again on a new connection when the server closed the kept one', async () => {
    const sockets: Socket[] = [];
    const requests: number[] = [];
    const server = createServer((socket) => {
      const number = sockets.push(socket) - 1;
      socket.on('error', () => undefined);
      socket.on('data', () => {
        requests[number] = (requests[number] ?? 0) + 1;
        // The second request on the first connection meets a closing server.
        if (number === 0 && requests[0] === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ask = async (): Promise<string> => {
      const answer = await nodeTransport({ method: 'POST', url, headers: {}, body: '{}', signal });
      return readText(answer.body, 100);
    };
    expect(await ask()).toBe('ok');
    // The connection goes back to the pool a moment after the body ended.
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect(await ask()).toBe('ok');
    expect(requests).toEqual([2, 1]);
  });
});

describe('the option fetch', () => {
  it('is what an adapter sends with', async () => {
    const server = await startScriptedModel([{ text: 'hello' }]);
    closers.push(() => server.close());
    const urls: unknown[] = [];
    const model = createOpenAiChatModel({
      baseUrl: server.baseUrl,
      model: 'm',
      fetch: async (...parameters) => {
        urls.push(parameters[0]);
        return fetch(...parameters);
      },
    });
    expect(textOf(await collectAnswer(model))).toBe('hello');
    expect(urls).toEqual([`${server.baseUrl}/chat/completions`]);
  });

  it('closes the connection when its answer is aborted', async () => {
    const server = await startScriptedModel([{ text: 'a long answer', hangAfterChunks: 1 }]);
    closers.push(() => server.close());
    const controller = new AbortController();
    const model = createOpenAiChatModel({ baseUrl: server.baseUrl, model: 'm', fetch });
    const answer = collectAnswer(model, undefined, controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort('stop');
    await expect(answer).rejects.toBe('stop');
    expect(await server.requests[0]?.closed).toBe('disconnected');
  });
});
