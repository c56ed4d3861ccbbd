// Start-up as a ratio to bare Node in the same run: `npm run bench [-- --runs 21]`. Needs a build (`npm ci` made one).
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startScriptedModel } from '../packages/core/dist/testing/index.js';
import { bareNode, firstPrompt, tenon, terminalsIn } from './shared/open-terminal.mjs';
import { programEnvironment } from './shared/program-environment.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const runs = Number(values.runs);
const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
const peakFile = join(folder, 'peak');
// Written by the process itself as it exits: the kernel's own high-water mark, in kibibytes.
const peakHook = join(folder, 'peak.cjs');
writeFileSync(
  peakHook,
  `process.on('exit', () => require('node:fs').writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`,
);
writeFileSync(join(folder, 'hello.txt'), 'hello\n');

const turns = Array.from({ length: 2 * (runs + 4) }, () => ({ text: 'Hello.' }));
const model = await startScriptedModel(turns);
const environment = programEnvironment(folder, model);

/** Reaches: ratio of medians to bare Node's wall time, and peak memory in MB. */
const rows = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: 'tenon --version', args: [tenon, '--version'], ratio: 1.5 },
  { name: 'one headless turn', args: [tenon, '-p', 'Say hello.', '--cwd', folder], ratio: 6, megabytes: 110 },
];

function run(args, extra = {}) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      env: { ...environment, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stdout.resume();
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(performance.now() - startedAt);
      else reject(new Error(`${args.join(' ')} exited with ${code}: ${errors}`));
    });
  });
}

/** The interactive door, from the start to the composer, in a real terminal. */
async function interactive() {
  const open = terminalsIn({ cwd: folder, env: environment });
  const [bare, starts] = [[], []];
  await firstPrompt(open);
  for (let round = 0; round < runs; round++) {
    bare.push(await bareNode(open));
    starts.push(await firstPrompt(open));
  }
  const [base, wall] = [median(bare), median(starts)];
  const isGood = wall <= FIRST_PROMPT_MS;
  console.log(
    `${'the first prompt'.padEnd(18)} ${wall.toFixed(0).padStart(5)} ms  ${(wall / base).toFixed(2).padStart(5)} x bare Node there (reach: ${FIRST_PROMPT_MS} ms) ${isGood ? 'met' : 'MISSED'}`,
  );
  return isGood;
}

const FIRST_PROMPT_MS = 500;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  const times = rows.map(() => []);
  for (const { args } of rows) await run(args);
  // Interleaved, so that a noisy moment hits all rows alike.
  for (let round = 0; round < runs; round++) {
    for (const [index, { args }] of rows.entries()) times[index].push(await run(args));
  }
  const base = median(times[0]);
  let missed = 0;
  for (const [index, row] of rows.entries()) {
    await run(['--require', peakHook, ...row.args], { PEAK_FILE: peakFile });
    const megabytes = Number(readFileSync(peakFile, 'utf8')) / 1024;
    const wall = median(times[index]);
    const ratio = wall / base;
    const good = ratio <= (row.ratio ?? Infinity) && megabytes <= (row.megabytes ?? Infinity);
    if (!good) missed++;
    const reach =
      row.ratio === undefined
        ? ''
        : ` (reach: ${row.ratio} x${row.megabytes ? `, ${row.megabytes} MB` : ''}) ${good ? 'met' : 'MISSED'}`;
    console.log(
      `${row.name.padEnd(18)} ${wall.toFixed(0).padStart(5)} ms  ${ratio.toFixed(2).padStart(5)} x bare Node  ${megabytes.toFixed(0).padStart(4)} MB peak${reach}`,
    );
  }
  if (!(await interactive())) missed++;
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}
