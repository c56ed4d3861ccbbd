import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench } from '../cli-process.js';

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

async function tested(script: string): Promise<string> {
  bench = await createBench([]);
  const config = JSON.stringify({ mcpServers: { short: { command: 'sh', args: ['-c', script] } } });
  const run = await bench.run(['--mcp-config', config, '--strict-mcp-config', 'mcp', 'test', 'short']);
  expect(run.code).toBe(1);
  return run.stdout + run.stderr;
}

describe('a server that ends', () => {
  it.each([
    ['at once', 'echo boom >&2; exit 3'],
    ['while it is asked', 'sleep 0.3; echo boom >&2; exit 3'],
    ['once it was asked', 'read line; echo boom >&2; exit 3'],
    ['without its input', 'exec <&-; sleep 0.2; echo boom >&2; exit 3'],
  ])('%s: how it ended is told, and what it wrote last', async (_when, script) => {
    const said = await tested(script);
    expect(said).toContain('the program ended with exit code 3. It last wrote: boom.');
    expect(said).not.toContain('does not read any more');
  });
});
