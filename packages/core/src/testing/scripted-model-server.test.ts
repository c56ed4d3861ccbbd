import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedModel, ScriptedModelOptions } from './scripted-model-server.js';
import { startScriptedModel } from './scripted-model-server.js';
import type { ScriptedTurn, TurnFunction } from './scripted-turn.js';

const servers: ScriptedModel[] = [];

async function start(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  options?: ScriptedModelOptions,
): Promise<ScriptedModel> {
  const server = await startScriptedModel(turns, options);
  servers.push(server);
  return server;
}

async function ask(server: ScriptedModel, body: object = { messages: [], stream: true }): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-test': 'yes' },
    body: JSON.stringify(body),
  });
}

/** The payloads of a stream, `[DONE]` as text. */
function payloads(stream: string): readonly unknown[] {
  return stream
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''))
    .map((data): unknown => (data === '[DONE]' ? data : JSON.parse(data)));
}

const firstChoice = (finish: string | null, delta: object): object =>
  expect.objectContaining({ choices: [{ index: 0, delta, finish_reason: finish }] }) as object;

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('startScriptedModel', () => {
  it('says its turns in small deltas, in the form of OpenAI', async () => {
    const call = { name: 'ls', arguments: { p: 1 } };
    const server = await start([{ thinking: 'hm', text: 'a😀b', toolCalls: [call] }], { chunkSize: 2 });
    const response = await ask(server, { messages: [], stream: true, stream_options: { include_usage: true } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(payloads(await response.text())).toEqual([
      firstChoice(null, { role: 'assistant', content: '' }),
      firstChoice(null, { reasoning_content: 'hm' }),
      firstChoice(null, { content: 'a😀' }),
      firstChoice(null, { content: 'b' }),
      firstChoice(null, {
        tool_calls: [{ index: 0, id: 'call_1_1', type: 'function', function: { name: 'ls', arguments: '' } }],
      }),
      ...['{"', 'p"', ':1', '}'].map((piece) =>
        firstChoice(null, { tool_calls: [{ index: 0, function: { arguments: piece } }] }),
      ),
      firstChoice('tool_calls', {}),
      expect.objectContaining({ choices: [], usage: expect.objectContaining({ completion_tokens: 4 }) as unknown }),
      '[DONE]',
    ]);
  });

  it('mixes the pieces of parallel calls when told to', async () => {
    const toolCalls = ['a', 'b'].map((id) => ({ id, name: 'ls', arguments: '1234' }));
    const server = await start([{ toolCalls, interleave: true, chunkSize: 2 }]);
    const stream = payloads(await (await ask(server)).text());
    const order = JSON.stringify(stream).match(/"tool_calls":\[\{"index":\d/g);
    expect(order?.map((match) => match.at(-1))).toEqual(['0', '1', '0', '1', '0', '1']);
  });

  it('records every request, in order, with body and headers', async () => {
    const server = await start([{ text: 'a' }, { text: 'b' }]);
    await (await ask(server, { model: 'm', messages: [{ role: 'user', content: 'one' }] })).text();
    await (await ask(server, { model: 'm', messages: [{ role: 'user', content: 'two' }] })).text();
    expect(server.requests.map(({ body }) => body.messages[0]?.content)).toEqual(['one', 'two']);
    expect(server.requests[0]?.headers['x-test']).toBe('yes');
    expect(await server.requests[0]?.closed).toBe('answered');
  });

  it('lets a turn depend on the request, and shows why a turn failed', async () => {
    const server = await start([
      (request) => ({ text: `you said ${String(request.body.messages[0]?.content)}` }),
      () => {
        throw new Error('no tool result in the request');
      },
    ]);
    const first = await ask(server, { messages: [{ role: 'user', content: 'hi' }] });
    expect(await first.text()).toContain('you said hi');
    const second = await ask(server);
    expect(second.status).toBe(400);
    expect(await second.text()).toContain('The script failed: no tool result in the request');
  });

  it('answers clearly when its script is used up, and for paths it does not have', async () => {
    const server = await start([{ text: 'a' }]);
    await (await ask(server)).text();
    const late = await ask(server);
    expect(late.status).toBe(400);
    expect(await late.json()).toEqual({ error: { message: 'The script has 1 turn, and this is request 2.' } });
    expect((await fetch(`${server.baseUrl}/embeddings`)).status).toBe(404);
    expect(server.otherRequests.map(({ path }) => path)).toEqual(['/v1/embeddings']);
  });

  it('lists its model', async () => {
    const server = await start([], { model: 'demo' });
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toMatchObject({ data: [{ id: 'demo' }] });
  });

  it('sends errors with their status, headers and body', async () => {
    const server = await start([
      { error: { status: 429, headers: { 'retry-after': '3' } } },
      { error: { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } } },
    ]);
    const limited = await ask(server);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await limited.json()).toEqual({ error: { message: 'Scripted error 429' } });
    const broken = await ask(server);
    expect([broken.status, await broken.text()]).toEqual([502, '<html>']);
  });

  it('cuts the stream where the script says', async () => {
    const server = await start([{ text: 'abcdef', chunkSize: 2, cutAfterChunks: 3 }]);
    const response = await ask(server);
    const reader = response.body?.getReader();
    let text = '';
    await expect(async () => {
      for (;;) {
        const chunk = await reader?.read();
        if (chunk?.value === undefined) return;
        text += Buffer.from(chunk.value).toString('utf8');
      }
    }).rejects.toThrow();
    expect(payloads(text)).toHaveLength(3);
    expect(await server.requests[0]?.closed).toBe('disconnected');
  });

  it('waits before each chunk', async () => {
    const server = await start([{ text: 'abcdef', chunkSize: 2 }], { delayMs: 30 });
    const started = performance.now();
    await (await ask(server)).text();
    // Six waits: the role, three pieces, the finish and [DONE]; a timer may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(6 * 29);
  });

  it('hangs until the client goes, and closes although a client hangs', async () => {
    const server = await start([
      { text: 'a', hangAfterChunks: -1 },
      { text: 'abcdef', hangAfterChunks: 1 },
    ]);
    const controller = new AbortController();
    const first = fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      body: '{}',
      signal: controller.signal,
    });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await expect(first).rejects.toThrow();
    expect(await server.requests[0]?.closed).toBe('disconnected');
    const second = await ask(server);
    await server.close();
    await expect(second.text()).rejects.toThrow();
  });
});
