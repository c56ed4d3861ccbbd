import { build } from 'esbuild';

const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bundles a program of this folder, to be run as a process of its own. */
export async function bundleChild(name: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [new URL(name, import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
}
