import { build } from 'esbuild';

const REQUIRE = "import { createRequire as __bundle } from 'node:module'; const require = __bundle(import.meta.url);";

/** Bundles a program of this folder, to be run as a process of its own. */
export async function bundleChild(name: string, outfile: string): Promise<void> {
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
    logLevel: 'error',
  });
}
