import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpServer } from '../../packages/core/src/mcp/mcp-types.js';
import {
  call,
  createClientFixture,
  NEVER,
  SCRIPTED_SERVER,
  stdioDefinition,
  textOf,
  type ClientFixture,
} from './client-fixture.js';

const ASKING_SERVER = fileURLToPath(new URL('asking-server.mjs', import.meta.url));

let fixture: ClientFixture;
beforeEach(() => {
  fixture = createClientFixture();
});
afterEach(async () => {
  await fixture.close();
});

function serversOf(count: number): { readonly asking: McpServer; readonly calm: McpServer } {
  const { servers } = fixture.clients([
    stdioDefinition(ASKING_SERVER, [String(count)], { alias: 'asking' }),
    stdioDefinition(SCRIPTED_SERVER, [], { alias: 'calm' }),
  ]);
  const [asking, calm] = servers;
  if (asking === undefined || calm === undefined) throw new Error('two servers');
  return { asking, calm };
}

/** Calls the other server for that long. What a call took, the slowest last. */
async function callsBeside(calm: McpServer, ms: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const startedAt = performance.now();
    expect(textOf(await call(calm, 'echo', { text: 'x' }))).toContain('x');
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times.toSorted((a, b) => a - b);
}

describe('a server that asks 20,000 times at once', () => {
  it('delays no call of another server by much, is answered so many times a second, and this is logged once', async () => {
    const { asking, calm } = serversOf(20_000);
    await calm.connect(NEVER);
    const startedAt = performance.now();
    await asking.connect(NEVER);
    const times = await callsBeside(calm, 1500);
    expect(times.length).toBeGreaterThan(10);
    expect(times.at(-1)).toBeLessThan(1000);
    const seconds = (performance.now() - startedAt) / 1000;
    const answered = Math.max(...fixture.log.map((line) => Number(/answered (\d+)/.exec(line)?.[1] ?? 0)));
    expect(answered).toBeGreaterThan(500);
    expect(answered).toBeLessThanOrEqual(200 + 1000 * seconds);
    expect(fixture.log.filter((line) => line.includes('answered more slowly'))).toHaveLength(1);
  }, 60_000);
});

it('a call of a server that asks much waits behind what it asked, and is not lost', async () => {
  const { asking } = serversOf(3000);
  expect(textOf(await call(asking, 'late'))).toBe('here');
}, 60_000);

describe('a server that asks without end', () => {
  it('takes little time and memory, and is left at once', async () => {
    const { asking, calm } = serversOf(0);
    await Promise.all([asking.connect(NEVER), calm.connect(NEVER)]);
    await callsBeside(calm, 500);
    const [heap, cpu] = [process.memoryUsage().heapUsed, process.cpuUsage()];
    await callsBeside(calm, 2000);
    const used = process.cpuUsage(cpu);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(100e6);
    // Unbounded, it takes all of a processor.
    expect((used.user + used.system) / 2e6).toBeLessThan(0.7);
    const startedAt = performance.now();
    await asking.disconnect();
    expect(performance.now() - startedAt).toBeLessThan(5000);
  }, 60_000);
});
