import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createServeBench, type ServeBench } from './serve-bench.js';

let bench: ServeBench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

/** From so many files on, what is learned is stored for later processes. */
const FILES = 5_200;
const files = Object.fromEntries(
  Array.from({ length: FILES }, (_, at) => [`folder-${at % 50}/file-${at}.ts`, `export const number${at} = ${at};\n`]),
);

it('has learned what is in the workspace before its client searches, once it made a call', async () => {
  bench = await createServeBench(files);
  const { folder, workspace, connect } = bench;
  const { call } = await connect({ era: 'legacy', way: 'stdio' });
  expect((await call('read_file', { absolute_path: path.join(workspace, 'folder-7/file-7.ts') })).isError).toBe(false);
  const home = path.join(folder, 'home', '.tenon');
  const isStored = (): boolean =>
    readdirSync(home, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('search/index'));
  await expect.poll(isStored, { timeout: 60_000, interval: 100 }).toBe(true);
  const found = await call('grep_search', { pattern: 'number5199' });
  expect(found.text).toContain('folder-49/file-5199.ts');
}, 90_000);
