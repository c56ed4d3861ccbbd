import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBench, NO_MODEL, type Bench } from './cli-process.js';

let bench: Bench;

beforeEach(async () => {
  bench = await createBench([]);
});
afterEach(() => bench.end());

it('finds and fixes the bug of the demo with real tools, and says what is recorded', async () => {
  const { code, stdout, stderr } = await bench.run(['demo']);
  expect(stderr).toContain('The words of the model are recorded');
  expect(stderr).toMatch(/5994 !== 5997|fail 1|Exit code: 1/);
  expect(stderr).toContain('Math.round');
  expect(stderr).toContain('the tests of the project pass');
  expect(stdout).toContain('All tests pass now.');
  expect(code).toBe(0);
  const folder = /The project: (.*)/.exec(stderr)?.[1] ?? '';
  expect(folder.startsWith(path.dirname(bench.workspace))).toBe(true);
  expect(await readFile(path.join(folder, 'src', 'money.js'), 'utf8')).toContain('Math.round(amount * 100)');
  await rm(path.dirname(folder), { recursive: true });
});

it('runs the demo for `tenon start` when no model is configured', async () => {
  const { code, stderr } = await bench.run(['start'], { env: NO_MODEL });
  expect(stderr).toMatch(/No model is configured, so here is the demo/);
  expect(code).toBe(0);
});
