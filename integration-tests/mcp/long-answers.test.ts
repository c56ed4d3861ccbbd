import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  createClientFixture,
  failureOf,
  remoteDefinition,
  SCRIPTED_HTTP_SERVER,
  textOf,
  type ClientFixture,
} from './client-fixture.js';
import { createProgramFixture, type ProgramFixture } from './program-fixture.js';
import type { McpServer } from '../../packages/core/src/mcp/mcp-types.js';

const MEGABYTE = 1024 * 1024;
const TOO_LONG = /its answer is too long: (?:more than 1|\d+(?:\.\d)?) MB in one message, of which 1 MB are allowed/u;

let fixture: ClientFixture;
let programs: ProgramFixture;
let origin: string;

beforeEach(() => {
  fixture = createClientFixture();
  programs = createProgramFixture();
});
afterEach(async () => {
  await fixture.close();
  await programs.close();
});

async function serve(...words: string[]): Promise<McpServer> {
  const [, port] = await programs.start([SCRIPTED_HTTP_SERVER, ...words], /listening (\d+)/u);
  origin = `http://127.0.0.1:${port}`;
  const [server] = fixture.clients([remoteDefinition(`${origin}/mcp`)], {}, { messageBytes: MEGABYTE }).servers;
  if (server === undefined) throw new Error('no server');
  return server;
}

async function written(): Promise<number> {
  return ((await (await fetch(`${origin}/state`)).json()) as { written: number }).written;
}

describe.each(['stream', 'json', 'only-sse'])('an answer over HTTP that is longer than one may be (%s)', (word) => {
  it('costs that call only, also while others wait', async () => {
    const server = await serve(...(word === 'stream' ? [] : [word]));
    const waiting = call(server, 'slow', { ms: 1500 });
    const failure = await failureOf(call(server, 'big', { bytes: 5 * MEGABYTE }));
    expect(failure).toMatchObject({ code: 'mcp_error', message: expect.stringMatching(TOO_LONG) });
    expect(textOf(await waiting)).toBe('slow done');
    expect(textOf(await call(server, 'big', { bytes: MEGABYTE - 1000 }))).toHaveLength(MEGABYTE - 1000);
    expect(server.status().state).toBe('ready');
  });
});

describe('a server that does not end', () => {
  it.each(['endless_event', 'endless_json'])('is cut off, and its call refused at once: %s', async (tool) => {
    const server = await serve();
    await call(server, 'echo');
    const before = process.memoryUsage();
    const failure = await failureOf(call(server, tool));
    expect(failure).toMatchObject({ code: 'mcp_error', message: expect.stringMatching(TOO_LONG) });
    let last = -1;
    // What it had under way still goes out, no more.
    for (let now = await written(); now !== last; now = await written()) {
      last = now;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(last).toBeLessThan(50 * MEGABYTE);
    expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(30 * MEGABYTE);
    expect(textOf(await call(server, 'echo', { text: 'still here' }))).toBe('still here');
  });

  it('is told by the start of its error', async () => {
    const server = await serve();
    const failure = await failureOf(call(server, 'endless_error'));
    expect(failure.message).toContain('HTTP 500');
    expect(failure.message.length).toBeLessThan(1000);
    expect(textOf(await call(server, 'echo', { text: 'still here' }))).toBe('still here');
  });

  it('is not even read where it says before how much it has to say', async () => {
    const server = await serve();
    const failure = await failureOf(call(server, 'declared'));
    expect(failure.message).toContain('its answer is too long: 2861 MB in one message, of which 1 MB are allowed');
    expect(textOf(await call(server, 'echo', { text: 'still here' }))).toBe('still here');
  });
});

it('a message that nobody asked for and that is too long is left out, and logged', async () => {
  const server = await serve();
  expect(textOf(await call(server, 'long_note'))).toBe('after the note');
  expect(fixture.log.join('\n')).toContain('a message of more than 1 MB was left out');
});
