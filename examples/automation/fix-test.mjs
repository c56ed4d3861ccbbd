// Has a failing test fixed: node fix-test.mjs FOLDER TEST_COMMAND ALLOWED_FOLDER… > change.patch
// Exit code 0 with a patch: the tests failed and pass now. 0 without one: there was nothing to do. Otherwise that of Tenon, or 1.
import { execFileSync, spawnSync } from 'node:child_process';
import { askTenon } from './ask-tenon.mjs';

const [folder, testCommand, ...allowed] = process.argv.slice(2);

/** Of the environment: no key and no token, for code that the model wrote runs in the tests, and git obeys what such code writes. */
const kept = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'CI'].filter((name) => process.env[name] !== undefined);
const env = Object.fromEntries(kept.map((name) => [name, process.env[name]]));

function runTests() {
  const { status, stdout, stderr } = spawnSync(testCommand, { cwd: folder, env, shell: true, encoding: 'utf8' });
  return { passed: status === 0, output: `${stdout}${stderr}`.slice(-20_000) };
}

const git = (...args) =>
  execFileSync('git', ['-C', folder, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (git('status', '--porcelain') !== '') fail('The folder has changes that are not committed.');
const before = runTests();
if (git('status', '--porcelain') !== '') fail('The tests leave files behind: let git ignore them first.');
if (before.passed) {
  console.error('The tests pass; there is nothing to fix.');
  process.exit(0);
}

const { code } = await askTenon({
  prompt: `\`${testCommand}\` fails in this project; what it printed is below. Find the cause and fix it in ${allowed.join(', ')}. Do not change tests.
Run \`${testCommand}\` to see whether it passes.`,
  material: before.output,
  folder,
  options: [
    '--approval-mode=default',
    `--allow=Bash(${testCommand})`,
    ...allowed.map((name) => `--allow=Edit(${name}/**)`),
    '--deny=Edit(**/*.test.*)',
    '--deny=WebFetch',
    '--deny=WebSearch',
    '--max-turns=40',
    '--max-seconds=1200',
  ],
});
// A call that was denied on the way (4) does no harm here: what counts is looked at below, whatever the model says of it.
if (code !== 0 && code !== 4) process.exit(code);

if (!runTests().passed) fail('The tests still fail.');
git('add', '--all', '--intent-to-add');
const changed = git('diff', '--name-only', '-z', '--no-renames')
  .split('\0')
  .filter((name) => name !== '');
const odd = changed.filter((name) => !allowed.some((start) => name.startsWith(`${start}/`)) || /\.test\./.test(name));
if (odd.length > 0) fail(`Changed outside ${allowed.join(', ')}, or a test: ${odd.join(', ')}`);
if (changed.length === 0) fail('The tests pass now, and nothing was changed: they are not steady.');
process.stdout.write(git('diff', '--binary', '--no-ext-diff', '--no-textconv', '--no-renames'));
