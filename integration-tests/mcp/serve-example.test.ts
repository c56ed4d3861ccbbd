import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { MAIN, watch, type Finished } from '../cli-process.js';
import { createServeBench, type ServeBench } from './serve-bench.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/mcp-client/use-tenon.mjs', import.meta.url));

let bench: ServeBench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

async function run({ workspace, folder }: ServeBench, answer: string): Promise<Finished> {
  const child = spawn(process.execPath, [EXAMPLE, process.execPath, MAIN, 'mcp', 'serve'], {
    cwd: workspace,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TENON_HOME: path.join(folder, '.tenon'), TMPDIR: folder },
    stdio: 'pipe',
  });
  return watch(child, answer).finished;
}

it('the example of a client asks, and does what is answered', async () => {
  bench = await createServeBench({ 'a.txt': '' });
  const file = path.join(bench.workspace, 'hello.txt');
  const refused = await run(bench, 'no\n');
  expect(refused).toMatchObject({ code: 0, stdout: expect.stringContaining('write_file (failed)') as string });
  expect(existsSync(file)).toBe(false);
  const allowed = await run(bench, 'allow once\n');
  expect(allowed).toMatchObject({ code: 0, stdout: expect.stringContaining('a.txt') as string });
  expect(readFileSync(file, 'utf8')).toBe('Hello from another client.\n');
});
