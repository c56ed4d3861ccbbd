import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startEventServer } from '../testing/event-server.js';
import type { EventServer } from '../testing/event-server.js';
import { findLocalServers, modelIds } from './local-servers.js';

const servers: EventServer[] = [];

async function serverWith(body: string, status = 200, hang = false): Promise<EventServer> {
  const server = await startEventServer((_, response) => {
    if (!hang) response.writeHead(status).end(body);
  });
  servers.push(server);
  return server;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('findLocalServers', () => {
  it('names the servers that list models, in the order of the ports, and leaves all others out', async () => {
    const good = await serverWith('{"object":"list","data":[{"id":"qwen3"},{"id":"llama"}]}');
    const page = await serverWith('<html>hello</html>');
    const refusing = await serverWith('{"data":[]}', 401);
    const empty = await serverWith('{"object":"list","data":null}');
    const silent = await serverWith('', 200, true);
    const ports = [
      { name: 'silent', port: silent.port },
      { name: 'empty', port: empty.port },
      { name: 'page', port: page.port },
      { name: 'refusing', port: refusing.port },
      { name: 'closed', port: await closedPort() },
      { name: 'good', port: good.port },
    ];
    const started = performance.now();
    const found = await findLocalServers({ signal: new AbortController().signal, ports });
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(found).toEqual([
      { name: 'empty', baseUrl: `${empty.origin}/v1`, models: [] },
      { name: 'good', baseUrl: `${good.origin}/v1`, models: ['qwen3', 'llama'] },
    ]);
    expect(good.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/models']);
  });

  it('ends with the reason of its signal', async () => {
    const silent = await serverWith('', 200, true);
    const controller = new AbortController();
    const search = findLocalServers({ signal: controller.signal, ports: [{ name: 'silent', port: silent.port }] });
    controller.abort(new Error('enough'));
    await expect(search).rejects.toThrow('enough');
  });
});

describe('modelIds', () => {
  it('takes text ids of a sane length and a sane number', () => {
    const data = [{ id: 'a' }, { id: 7 }, {}, null, { id: 'x'.repeat(999) }, { id: 'b' }];
    expect(modelIds(JSON.stringify({ data }))).toEqual(['a', 'b']);
    const many = Array.from({ length: 500 }, (_, index) => ({ id: `m${index}` }));
    expect(modelIds(JSON.stringify({ data: many }))).toHaveLength(100);
  });

  it.each(['', 'null', '[]', '{}', '{"data":{}}', '{"data":null}'])('takes %j for no list of models', (body) => {
    expect(modelIds(body)).toBeUndefined();
  });
});
