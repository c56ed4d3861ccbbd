import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { PipedExit, PipedProcess } from '../../process/piped-process.js';
import { PipeTransport } from './pipe-transport.js';

const LIMITS = { mostBytes: 1000, graceMs: 1, log: () => undefined, tooLong: () => true };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('does not listen to a program that asks without reading the answers, until it reads them', async () => {
  const waiting: (() => void)[] = [];
  const stdin = new Writable({ write: (_chunk, _encoding, done) => void waiting.push(done) });
  const stdout = new PassThrough();
  const piped: PipedProcess = {
    pid: 1,
    stdin,
    stdout,
    stderr: new PassThrough(),
    exited: new Promise(() => undefined),
    end: async () => undefined,
  };
  const transport = new PipeTransport(piped, LIMITS);
  let asked = 0;
  transport.onmessage = () => {
    asked += 1;
    transport.send({ jsonrpc: '2.0', id: asked, result: {} }).catch(() => undefined);
  };
  await transport.start();
  const ask = async (): Promise<void> => {
    stdout.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await turn();
  };
  for (let time = 0; time < 200; time += 1) await ask();
  expect(asked).toBeGreaterThan(10);
  expect(asked).toBeLessThan(60);
  for (let time = 0; time < 500; time += 1) {
    waiting.shift()?.();
    await turn();
  }
  expect(asked).toBe(200);
  expect(stdin.writableLength).toBe(0);
});

it('of a program that ends before it reads tells how it ended and what it wrote last, whatever is noticed first', async () => {
  const stdin = new Writable({ write: (_chunk, _encoding, done) => done(new Error('write EPIPE')) });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let exit: (how: PipedExit) => void = () => undefined;
  const exited = new Promise<PipedExit>((resolve) => (exit = resolve));
  const transport = new PipeTransport({ pid: 1, stdin, stdout, stderr, exited, end: async () => undefined }, LIMITS);
  let told: string | undefined;
  transport.onclose = () => (told = `${transport.end}: ${transport.stderr.text}`);
  await transport.start();
  const sending = transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  stdout.end();
  setTimeout(() => exit({ code: 7, signal: null }), 60);
  setTimeout(() => stderr.end('no database\n'), 90);
  await expect(sending).rejects.toThrow('EPIPE');
  expect(told).toBe('the program ended with exit code 7: no database');
});
