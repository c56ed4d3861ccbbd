import { createServer, connect, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { MAX_PROMPT_BYTES, readInput } from './read-input.js';

const never = new AbortController().signal;

function inputOf(...chunks: (string | Buffer)[]): PassThrough & { fd: number } {
  const stream = Object.assign(new PassThrough(), { fd: -1 });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return stream;
}

it('reads to the end, however the text was cut on the way', async () => {
  const bytes = Buffer.from('grün 🌿\n');
  const cut = Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1));
  expect(await readInput(inputOf(...cut), false, never)).toEqual({ text: 'grün 🌿\n', silent: false });
});

it('reads nothing from a terminal', async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  expect((await readInput(terminal, false, never)).text).toBeUndefined();
});

it('takes input up to the limit and refuses what is larger', async () => {
  const half = Buffer.alloc(MAX_PROMPT_BYTES / 2, 'a');
  expect((await readInput(inputOf(half, half), false, never)).text).toHaveLength(MAX_PROMPT_BYTES);
  await expect(readInput(inputOf(half, half, 'b'), false, never)).rejects.toThrow(
    `larger than ${MAX_PROMPT_BYTES} bytes`,
  );
});

it('refuses what is not UTF-8', async () => {
  await expect(readInput(inputOf(Buffer.of(0xff, 0xfe, 0x00)), false, never)).rejects.toThrow('not UTF-8');
});

it('ends when it is interrupted', async () => {
  const controller = new AbortController();
  const reading = readInput(Object.assign(new PassThrough(), { fd: -1 }), false, controller.signal);
  controller.abort();
  await expect(reading).rejects.toThrow('Interrupted');
});

it('gives up a socket that stays silent, but only when there is a prompt already', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tenon-input-'));
  const server = createServer();
  const file = path.join(folder, 'socket');
  await new Promise<void>((resolve) => server.listen(file, resolve));
  const opened: Socket[] = [];
  server.on('connection', (socket) => opened.push(socket));
  const silent = connect(file);
  try {
    await new Promise((resolve) => silent.once('connect', resolve));
    const { fd } = (silent as unknown as { _handle: { fd: number } })._handle;
    const input = Object.assign(silent, { fd });
    expect(await readInput(input, true, never)).toEqual({ text: undefined, silent: true });
    const waiting = readInput(input, false, never);
    setTimeout(() => opened[0]?.end('late'), 700);
    expect(await waiting).toEqual({ text: 'late', silent: false });
  } finally {
    silent.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
