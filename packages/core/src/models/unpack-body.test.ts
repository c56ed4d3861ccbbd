import zlib from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { collectAnswer, textOf } from '../testing/collect-answer.js';
import { asEventStream, startEventServer } from '../testing/event-server.js';
import { createOpenAiChatModel } from './openai-chat.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const ANSWER = asEventStream([{ choices: [{ delta: { content: 'all fine' }, finish_reason: 'stop' }] }, '[DONE]']);
const REFUSAL = JSON.stringify({ error: { message: 'the words of the server' } });

async function modelThat(answers: (response: ServerResponse) => void) {
  const server = await startEventServer((_, response) => answers(response));
  closers.push(() => server.close());
  return createOpenAiChatModel({ baseUrl: server.origin, model: 'm' });
}

/** Sends the bytes in pieces of a few bytes, with a pause now and then. */
async function sendInPieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    if (at % (size * 8) === 0) await new Promise(setImmediate);
  }
  response.end();
}

const { zstdCompressSync: zstd } = zlib as typeof zlib & { readonly zstdCompressSync?: (text: string) => Buffer };
const CODINGS: [string, string, (text: string) => Buffer][] = [
  ['gzip', 'gzip', zlib.gzipSync],
  ['gzip by its old name, in capitals', 'X-GZIP', zlib.gzipSync],
  ['br', 'br', zlib.brotliCompressSync],
  ['deflate', 'deflate', zlib.deflateSync],
  ['deflate without its header', 'deflate', zlib.deflateRawSync],
  ['two codings', 'br, gzip', (text) => zlib.gzipSync(zlib.brotliCompressSync(text))],
  ['identity', 'identity', (text) => Buffer.from(text)],
  ['gzip that a gateway unpacked already', 'gzip', (text) => Buffer.from(text)],
  ...(zstd === undefined ? [] : [['zstd', 'zstd', zstd] satisfies [string, string, typeof zstd]]),
];

describe.each(CODINGS)('an answer in %s', (_, coding, pack) => {
  it.each([1, 3, 1000])('is read, also in pieces of %i bytes', async (size) => {
    const model = await modelThat((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': coding });
      void sendInPieces(response, pack(ANSWER), size);
    });
    expect(textOf(await collectAnswer(model))).toBe('all fine');
  });

  it('is read where it is an error', async () => {
    const model = await modelThat((response) => {
      response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': coding });
      response.end(pack(REFUSAL));
    });
    await expect(collectAnswer(model)).rejects.toThrow('answered 400: the words of the server.');
  });
});

it('shows each event of a packed stream as soon as it came', async () => {
  let finish: (() => void) | undefined;
  const model = await modelThat((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    const packer = zlib.createGzip();
    packer.pipe(response);
    packer.write(asEventStream([{ choices: [{ delta: { content: 'first' } }] }]));
    packer.flush();
    finish = () => void packer.end(ANSWER);
  });
  const seen: string[] = [];
  for await (const event of model.stream({ system: '', messages: [], tools: [] }, new AbortController().signal)) {
    if (event.type !== 'text-delta') continue;
    seen.push(event.text);
    finish?.();
  }
  expect(seen).toEqual(['first', 'all fine']);
});

it('of which the end is missing is a broken answer', async () => {
  const model = await modelThat((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    response.end(zlib.gzipSync(ANSWER).subarray(0, 40));
  });
  await expect(collectAnswer(model)).rejects.toMatchObject({ info: { kind: 'broken-stream' } });
});

it('in a coding that is unknown is refused at once, with the way out', async () => {
  const model = await modelThat((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'compress' }).end('xyzxyz');
  });
  const failure = expect.objectContaining({
    retryable: false,
    message: expect.stringContaining('content-encoding "compress", which Tenon can\'t unpack') as string,
  }) as Error;
  await expect(collectAnswer(model)).rejects.toEqual(failure);
});
