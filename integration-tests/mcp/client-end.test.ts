import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleChild } from '../bundle-child.js';
import { SCRIPTED_HTTP_SERVER, SCRIPTED_SERVER } from './client-fixture.js';
import { createProgramFixture, type ProgramFixture } from './program-fixture.js';

let folder: string;
let programs: ProgramFixture;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tenon-mcp-end-'));
  programs = createProgramFixture();
});
afterEach(async () => {
  await programs.close();
  await rm(folder, { recursive: true, force: true });
});

it('a process whose clients are closed ends by itself', async () => {
  const [, port] = await programs.start([SCRIPTED_HTTP_SERVER], /listening (\d+)/u);
  const child = path.join(folder, 'child.mjs');
  await bundleChild('mcp/client-child.ts', child);
  const args = [child, SCRIPTED_SERVER, `http://127.0.0.1:${port}/mcp`];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
  expect(stdout).toBe('closed\n');
});
