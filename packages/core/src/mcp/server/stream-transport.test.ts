import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StreamTransport } from './stream-transport.js';

function opened() {
  const input = new PassThrough();
  const closing = new AbortController();
  const written: string[] = [];
  const received: unknown[] = [];
  const errors: string[] = [];
  const write = async (text: string): Promise<void> => void written.push(text);
  const transport = new StreamTransport({ input, write, closed: closing.signal });
  transport.onmessage = (message: unknown) => received.push(message);
  transport.onerror = (error) => errors.push(error.message);
  return { input, closing, written, received, errors, transport };
}

/** As the stream would give it: piece by piece. */
const feed = (input: PassThrough, pieces: readonly Buffer[]): void =>
  pieces.forEach((piece) => input.emit('data', piece));

const message = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.integer(),
  method: fc.string(),
  params: fc.record({ text: fc.string({ unit: 'binary' }) }),
});

it('gives the same messages however the bytes are cut, with garbage between them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(message, fc.constantFrom('', '{', 'nonsense', '[]', '7', 'null', '"text"'))),
      fc.array(fc.nat()),
      async (lines, cuts) => {
        const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
        const { input, received, transport } = opened();
        await transport.start();
        feed(
          input,
          places.slice(1).map((end, index) => bytes.subarray(places[index], end)),
        );
        expect(received).toEqual(JSON.parse(JSON.stringify(lines.filter((line) => typeof line !== 'string'))));
        await transport.close();
      },
    ),
  );
});

it('answers a request that is none, where it can be told whose it is', async () => {
  const { input, written, received, errors, transport } = opened();
  await transport.start();
  feed(input, [
    Buffer.from('{"jsonrpc":"2.0","id":5,"method":7}\n{"jsonrpc":"1.0"}\n{"jsonrpc":"2.0","id":6,"result":"x"}\n'),
  ]);
  expect(written.map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { id: 5, error: { code: -32600 } },
    { id: 6, error: { code: -32600 } },
  ]);
  expect(received).toEqual([]);
  expect(errors).toHaveLength(3);
});

it.each(['end', 'error', 'nobody reads', 'close'])('is over once: %s', async (how) => {
  const { input, closing, transport } = opened();
  let closed = 0;
  transport.onclose = () => (closed += 1);
  await transport.start();
  if (how === 'end') input.end();
  if (how === 'error') input.emit('error', new Error('EIO'));
  if (how === 'nobody reads') closing.abort();
  if (how === 'close') await transport.close();
  await transport.over;
  await transport.close();
  expect(closed).toBe(1);
  await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow('closed');
});
