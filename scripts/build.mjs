// Builds both packages: declarations and JavaScript of the library with the compiler, the command line as one
// bundle whose parts load when they are first used. Run by `npm ci` (root `prepare`) and `npm run build`.
import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { coreFromSources, startInOneFile } from './bundle-plugins.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cliFolder = path.join(root, 'packages', 'cli');
const coreSource = path.join(root, 'packages', 'core', 'src');

/** Type checks and emits; resolves to the exit code. */
function compile() {
  const compiler = path.join(root, 'node_modules', 'tsc7', 'bin', 'tsc');
  const child = spawn(process.execPath, [compiler, '-b', 'packages/core', 'packages/cli'], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

// The bundle is made of the library's sources, not of its build: one run of esbuild drops what the command line
// does not use.
const cliSource = path.join(cliFolder, 'src');
const main = path.join(cliSource, 'main.ts');
const help = path.join(cliSource, 'arguments', 'help-text.ts');
const plugins = [
  startInOneFile({
    sources: [cliSource, coreSource],
    roots: ['compose.ts', 'commands/run.ts', 'doors/headless/run-headless.ts'].map((file) =>
      path.join(cliSource, file),
    ),
    // The version and the help are there before anything else.
    withoutStart: (importer, file) => importer === main || file === help,
  }),
  coreFromSources({ coreSource, cliSource }),
];

async function bundle() {
  const manifest = JSON.parse(await readFile(path.join(cliFolder, 'package.json'), 'utf8'));
  const outdir = path.join(cliFolder, 'dist');
  const result = await build({
    absWorkingDir: root,
    // What a page says is made out in a thread of its own, whose file is asked for by this name from beside it.
    entryPoints: { main, 'chunks/page-worker': path.join(coreSource, 'web', 'html', 'page-worker.ts') },
    outdir,
    entryNames: '[dir]/[name]',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    // Read and kept byte by byte, where other characters cost a decoding and twice the memory.
    charset: 'ascii',
    legalComments: 'none',
    // jsonc-parser's `main` is UMD and cannot be bundled.
    mainFields: ['module', 'main'],
    // What brings a binary, or is large and seldom used, stays a package that is looked for when it is first needed.
    external: ['@vscode/ripgrep', 'sharp', 'unpdf', 'koffi'],
    define: { TENON_VERSION: JSON.stringify(manifest.version) },
    plugins,
    // The compiler's `paths` lead to types.
    tsconfigRaw: {},
    write: false,
    metafile: true,
    logLevel: 'warning',
    // What a start needs is named without being used.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  await writeBundle(outdir, result.outputFiles);
  const notices = await thirdPartyNotices(Object.keys(result.metafile.inputs), root);
  await writeFile(path.join(outdir, 'third-party-licenses.txt'), notices);
}

// CommonJS dependencies in the bundle call `require` for Node's own modules; ESM has none.
const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);\n";

/** New parts first, then the entry that names them, then the old parts go: a command line that starts meanwhile finds all it needs. */
async function writeBundle(outdir, files) {
  const chunks = path.join(outdir, 'chunks');
  await mkdir(chunks, { recursive: true });
  const entry = path.join(outdir, 'main.js');
  const inOrder = files.toSorted((left, right) => Number(left.path === entry) - Number(right.path === entry));
  for (const file of inOrder) {
    const isEntry = file.path === entry;
    const banner = /\brequire\b/.test(file.text) ? REQUIRE : '';
    const body = isEntry ? `#!/usr/bin/env node\n${banner}${file.text}` : banner + file.text;
    const fresh = `${file.path}.${process.pid}.new`;
    await writeFile(fresh, body);
    if (isEntry) await chmod(fresh, 0o755);
    await rename(fresh, file.path);
  }
  const kept = new Set(files.map((file) => path.basename(file.path)));
  for (const name of await readdir(chunks)) {
    if (!kept.has(name) && !name.endsWith('.new')) await rm(path.join(chunks, name), { force: true });
  }
}

/** Removes what was compiled from a source that is gone; it would still be found by an import. */
async function pruneStale(distFolder, sourceFolder) {
  const entries = await readdir(distFolder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const match = /^(.+?)(\.d\.ts|\.js)$/.exec(entry.name);
    if (!entry.isFile() || match === null) continue;
    const folder = path.relative(distFolder, entry.parentPath ?? entry.path);
    const source = path.join(sourceFolder, folder, `${match[1]}.ts`);
    const known = await readFile(source).then(
      () => true,
      () => false,
    );
    if (!known) await rm(path.join(entry.parentPath ?? entry.path, entry.name), { force: true });
  }
}

const [compiled, bundled] = await Promise.allSettled([compile(), bundle()]);
await pruneStale(path.join(root, 'packages', 'core', 'dist'), coreSource);
await pruneStale(path.join(cliFolder, 'dist', 'types'), path.join(cliFolder, 'src'));
if (bundled.status === 'rejected')
  console.error(`The command line was not bundled: ${bundled.reason?.message ?? bundled.reason}`);
if (compiled.status === 'rejected')
  console.error(`The compiler did not start: ${compiled.reason?.message ?? compiled.reason}`);
process.exitCode = bundled.status === 'rejected' || compiled.status === 'rejected' ? 1 : compiled.value;
