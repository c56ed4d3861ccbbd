// What it costs to find out what a command changed, as a ratio to the bare command in the same run:
// `node bench/commands.mjs [--runs 15] [--files 20000]`. Cold: nothing is known of the tree yet.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApprovalMode, createToolSystem } from '../packages/core/dist/index.js';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '15' }, files: { type: 'string', default: '20000' } },
});
const runs = Number(values.runs);
const COLD_RUNS = 3;
/** Changes nothing, but a shell cannot know that. */
const IDLE = 'touch -c absent';
/** Known to write nothing, so that nothing is looked at. */
const QUIET = 'ls absent';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-bench-')));
const trees = { tiny: makeTree(join(base, 'tiny'), 20), large: makeTree(join(base, 'large'), Number(values.files)) };
let homes = 0;

function makeTree(folder, files) {
  for (let index = 0; index < files; index++) {
    const inner = join(folder, `a${index % 20}`, `b${index % 200}`);
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `f${index}.ts`), `export const value${index} = ${index};\n${'// filler\n'.repeat(20)}`);
  }
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n*.log\n');
  return folder;
}

/** Tools that know nothing yet of any tree. */
function newSystem(root) {
  return createToolSystem({
    roots: [root],
    tenonHome: join(base, `home${homes++}`),
    userHome: base,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: process.env,
  });
}

async function call(system, command) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  const request = { callId: '1', toolName: 'run_shell_command', argumentsText: JSON.stringify({ command }) };
  for await (const event of system.runCalls([request], new AbortController().signal)) {
    if (event.type === 'tool-call-end' && event.error) throw new Error(event.error.message);
  }
  const time = performance.now() - startedAt;
  delay.disable();
  return { time, blocked: delay.max / 1e6 };
}

function bare(root, command) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn('bash', ['-c', command], { cwd: root, stdio: 'ignore' });
    child.once('error', reject);
    child.once('close', () => resolve(performance.now() - startedAt));
  });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function row(name, root, command, { cold = false } = {}) {
  const [ours, theirs, blocked] = [[], [], []];
  let system = await newSystem(root);
  // The first round warms what a warm row is to have warm.
  for (let round = cold ? 0 : -1; round < (cold ? COLD_RUNS : runs); round++) {
    if (cold && round > 0) {
      await system.close();
      system = await newSystem(root);
    }
    const mine = await call(system, command);
    const other = await bare(root, command);
    if (round < 0) continue;
    ours.push(mine.time);
    blocked.push(mine.blocked);
    theirs.push(other);
  }
  await system.close();
  const [mine, other] = [median(ours), median(theirs)];
  console.log(
    `${name.padEnd(34)} ${mine.toFixed(0).padStart(5)} ms  ${(mine / other).toFixed(1).padStart(6)} x bare (${other.toFixed(0)} ms)` +
      `  event loop held up ≤ ${Math.max(...blocked).toFixed(0)} ms`,
  );
}

try {
  // What was just written is read again at each look.
  await sleep(200);
  await row('tiny tree, nothing to look at', trees.tiny, QUIET);
  await row('tiny tree, watched', trees.tiny, IDLE);
  await row(`${values.files} files, nothing to look at`, trees.large, QUIET);
  const before = process.resourceUsage().maxRSS;
  await row(`${values.files} files, cold`, trees.large, IDLE, { cold: true });
  await row(`${values.files} files, warm`, trees.large, IDLE);
  await row(
    `${values.files} files, 100 changed`,
    trees.large,
    'sed -i s/filler/full/ a1/b1/*.ts; sed -i s/full/filler/ a1/b1/*1.ts',
  );
  const grown = (process.resourceUsage().maxRSS - before) / 1024;
  console.log(`${'peak memory of the looks'.padEnd(34)} ${grown.toFixed(0).padStart(5)} MB`);
} finally {
  rmSync(base, { recursive: true, force: true });
}
