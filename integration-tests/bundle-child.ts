import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

const REQUIRE = "import { createRequire as __bundle } from 'node:module'; const require = __bundle(import.meta.url);";

/** Bundles a program of this folder, or one at an absolute path, to be run as a process of its own. */
export async function bundleChild(name: string, outfile: string, plugins: readonly Plugin[] = []): Promise<void> {
  await build({
    entryPoints: [new URL(name, import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Some packages' main file cannot be bundled.
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
    plugins: [...plugins],
    logLevel: 'error',
  });
}

/** A program of this folder for the tests of one file, bundled before them, in a folder of theirs that goes afterwards. */
export interface ChildProgram {
  readonly base: string;
  readonly child: string;
}

export function childProgram(name: string, parent: string = tmpdir()): ChildProgram {
  const base = join(realpathSync(parent), `tenon-child-${randomBytes(4).toString('hex')}`);
  const child = join(base, 'child.mjs');
  beforeAll(async () => {
    mkdirSync(base, { mode: 0o700 });
    await bundleChild(name, child);
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  return { base, child };
}
