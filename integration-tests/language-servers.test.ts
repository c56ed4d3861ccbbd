import { mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createBench, type Bench } from './cli-process.js';

const TYPESCRIPT = path.dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
const FILES = { 'a.ts': 'export const alpha = 1;\nexport const beta = alpha;\n' };
const USES = JSON.stringify({ operation: 'findReferences', symbol: 'alpha' });

const benches: Bench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.end();
});

async function projectBench(): Promise<Bench> {
  const bench = await createBench([], { files: FILES });
  benches.push(bench);
  await mkdir(path.join(bench.workspace, 'node_modules'));
  await symlink(TYPESCRIPT, path.join(bench.workspace, 'node_modules', 'typescript'));
  return bench;
}

it('the built program asks a server in a trusted folder, and only there (S127)', { timeout: 60_000 }, async () => {
  const bench = await projectBench();
  const before = await bench.run(['call', 'lsp', USES]);
  expect(before.stdout + before.stderr).toContain('not trusted');
  await bench.run(['trust', '--yes']);
  const after = await bench.run(['call', 'lsp', USES]);
  expect(after.stderr).toBe('');
  expect(after.stdout).toContain('a.ts:2:21  export const beta = alpha;');
});
