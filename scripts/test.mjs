// The one test command: build, format, lint, types, dead code, then every test. Ends with `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const tsc = join(root, 'node_modules', 'tsc7', 'bin', 'tsc');
const prettier = join(root, 'node_modules', 'prettier', 'bin', 'prettier.cjs');

/** What runs before the tests: name, program, arguments. All but the build side by side. @type {[string, string, string[]][]} */
const [build, ...checks] = [
  ['build', process.execPath, [join(root, 'scripts', 'build.mjs')]],
  // The longest: with room for its young objects it is done a tenth earlier.
  ['format', process.execPath, ['--max-semi-space-size=64', prettier, '--check', '--log-level', 'warn', '.']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
  ['types of tests and tools', process.execPath, [tsc, '-p', join(root, 'tsconfig.checks.json')]],
  ['types of the custom tool', process.execPath, [tsc, '-p', join(root, 'examples', 'custom-tool')]],
  ['dead code', bin('knip'), ['--no-progress']],
  ['reference pages', process.execPath, [join(root, 'scripts', 'generate-docs.mjs'), '--check']],
  ['assembled code', process.execPath, [join(root, 'scripts', 'assemble.mjs'), '--check']],
];

let passed = 0;
let failed = 0;

/** Told when it is over, so that what several print stays apart. */
async function check([name, command, args]) {
  const startedAt = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += `${error.message}\n`;
      resolve(1);
    });
    child.on('close', resolve);
  });
  if (code === 0) passed++;
  else failed++;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${output}${code === 0 ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`);
}

await check(build);
const left = [...checks];
/** One for each of two processors. */
const lane = async () => {
  for (let next = left.shift(); next !== undefined; next = left.shift()) await check(next);
};
await Promise.all([lane(), lane()]);

const folder = mkdtempSync(join(tmpdir(), 'tenon-test-'));
try {
  const report = join(folder, 'report.json');
  const args = [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ];
  const { status } = spawnSync(bin('vitest'), args, { cwd: root, stdio: 'inherit' });
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
  // A file that does not even load has no failed test of its own.
  if (status !== 0 && counts.numFailedTests === 0) failed++;
} catch (thrown) {
  console.error(`no test report: ${thrown.message}`);
  failed++;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
