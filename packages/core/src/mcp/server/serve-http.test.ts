import { afterEach, expect, it } from 'vitest';
import { serveHttp, type HttpServing } from './serve-http.js';
import type { ServedTools } from './served-tools.js';

const TOKEN = 'a-token-of-the-test';

let serving: HttpServing | undefined;

afterEach(async () => {
  await serving?.close();
  serving = undefined;
});

function served(released: string[]): ServedTools {
  return {
    info: { name: 'test', title: 'Test', version: '1' },
    instructions: '',
    list: async () => [],
    resources: async () => [],
    open: async () => {
      throw new Error('nothing is opened');
    },
    release: async (owner) => void released.push(owner),
  };
}

async function initialize(url: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }),
  });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

const until = async (condition: () => boolean): Promise<void> => {
  const end = performance.now() + 10_000;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
};

it('ends a session that is left alone', async () => {
  const released: string[] = [];
  serving = await serveHttp(served(released), { port: 0, token: TOKEN, report: () => undefined, idleMs: 50 });
  const id = await initialize(serving.url);
  await until(() => released.includes(`http-${id}`));
});

it('makes room for a new client by the session that was left alone the longest', async () => {
  const released: string[] = [];
  serving = await serveHttp(served(released), { port: 0, token: TOKEN, report: () => undefined });
  const ids: string[] = [];
  for (let index = 0; index < 65; index += 1) ids.push(await initialize(serving.url));
  expect(new Set(ids).size).toBe(65);
  await until(() => released.length > 0);
  expect(released).toEqual([`http-${ids[0] ?? ''}`]);
});

it('says which port it cannot have', async () => {
  serving = await serveHttp(served([]), { port: 0, token: TOKEN, report: () => undefined });
  const port = Number(new URL(serving.url).port);
  await expect(serveHttp(served([]), { port, token: TOKEN, report: () => undefined })).rejects.toThrow(String(port));
});
