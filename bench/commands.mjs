// What commands cost, as a ratio to the bare command in the same run, and what it costs to find out what they changed:
// `node bench/commands.mjs [--runs 15] [--files 20000] [--trues 1000] [--bytes 2000000000]`. Cold: nothing is known of
// the tree yet. Any of the last three may be 0.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApprovalMode, createToolSystem } from '../packages/core/dist/index.js';
import { MAX_COMMAND_LENGTH } from '../packages/core/dist/shell/command-length.js';
import { commandEffects } from '../packages/core/dist/shell/command-effects.js';
import { hostileCommands } from '../packages/core/dist/testing/hostile-commands.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    files: { type: 'string', default: '20000' },
    trues: { type: 'string', default: '1000' },
    bytes: { type: 'string', default: '2000000000' },
  },
});
const runs = Number(values.runs);
const FLOOD_ROUNDS = 3;
const COLD_RUNS = 3;
/** Changes nothing, but a shell cannot know that. */
const IDLE = 'touch -c absent';
/** Known to write nothing, so that nothing is looked at. */
const QUIET = 'ls absent';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-bench-')));
const trees = { tiny: makeTree(join(base, 'tiny'), 20), large: makeTree(join(base, 'large'), Number(values.files)) };
let homes = 0;

function makeTree(folder, files) {
  mkdirSync(folder, { recursive: true });
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

async function call(system, command, signal = new AbortController().signal) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  const request = { callId: '1', toolName: 'run_shell_command', argumentsText: JSON.stringify({ command }) };
  for await (const event of system.runCalls([request], signal)) {
    if (event.type === 'tool-call-end' && event.error && !signal.aborted) throw new Error(event.error.message);
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

const line = (name, ...columns) => console.log(name.padEnd(34), ...columns);

/** One process after the other, each as short as can be. */
async function manyShort(system, root, count) {
  const [ours, theirs] = [[], []];
  for (let round = -20; round < count; round++) {
    const { time } = await call(system, 'true');
    const other = await bare(root, 'true');
    if (round < 0) continue;
    ours.push(time);
    theirs.push(other);
  }
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const [mine, other] = [sum(ours), sum(theirs)];
  line(`${count} x true`, `${(mine / count).toFixed(1)} ms each  ${(mine / other).toFixed(2)} x bare (≤ 2)`);
}

/** Throughput against the same command into a file; both files are deleted. */
async function flood(system, root, bytes) {
  const command = `head -c ${bytes} /dev/zero`;
  await call(system, 'head -c 3000000 /dev/zero');
  const [shares, grown] = [[], []];
  for (let round = 0; round < FLOOD_ROUNDS; round++) {
    const file = join(base, 'flood');
    const other = await bare(root, `${command} > '${file}'`);
    rmSync(file);
    const rest = process.memoryUsage.rss();
    let peak = rest;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
    const { time } = await call(system, command);
    clearInterval(watch);
    emptyTemp(system);
    shares.push(other / time);
    grown.push((peak - rest) / 1e6);
  }
  const share = (median(shares) * 100).toFixed(0);
  line(
    `${bytes} bytes of output`,
    `${share} % of the throughput of "> file" (≥ 60)  ${Math.max(...grown).toFixed(0)} MB above rest (≤ 60)`,
  );
}

/** The longest texts that are read, of shapes that are built to take long: the best of three, so that it is not the machine that is measured. */
function hostileTexts() {
  const surroundings = {
    home: base,
    resolve: (path) => ({ path, zone: 'workspace' }),
    list: () => ['a', 'b.ts', 'c.md', 'dist', 'node_modules', 'src'],
  };
  const times = hostileCommands(MAX_COMMAND_LENGTH).map(({ shape, text }) => {
    const rounds = [1, 2, 3].map(() => {
      const startedAt = performance.now();
      commandEffects(text, { directory: base, zone: 'workspace' }, surroundings);
      return performance.now() - startedAt;
    });
    return { shape, time: Math.min(...rounds) };
  });
  const [worst] = times.toSorted((a, b) => b.time - a.time);
  const middle = median(times.map(({ time }) => time));
  line(
    'hostile texts, analysed',
    `${middle.toFixed(0)} ms, at most ${worst.time.toFixed(0)} ms (${worst.shape}) (≤ 200)`,
  );
}

function emptyTemp(system) {
  const folder = system.config.getTempDir();
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}

/** From the abort of the call to its answer, and what is left of the command then. */
async function cancel(system) {
  const times = [];
  for (let round = 0; round < runs; round++) {
    const controller = new AbortController();
    const running = call(system, 'sleep 1000', controller.signal);
    await sleep(150);
    const startedAt = performance.now();
    controller.abort();
    await running;
    times.push(performance.now() - startedAt);
  }
  line('sleep 1000, cancelled', `${median(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)} ms (≤ 500)`);
}

async function forks(system, root) {
  const { time } = await call(system, 'for i in $(seq 200); do sleep 100 & done');
  const left = readdirSync('/proc').filter((pid) => isLeft(pid, root)).length;
  line('200 children left running', `${time.toFixed(0)} ms, ${left} of them left`);
}

function isLeft(pid, root) {
  try {
    return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === root;
  } catch {
    return false;
  }
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
  hostileTexts();
  const quick = await newSystem(trees.tiny);
  if (Number(values.trues) > 0) await manyShort(quick, trees.tiny, Number(values.trues));
  if (Number(values.bytes) > 0) await flood(quick, trees.tiny, Number(values.bytes));
  await cancel(quick);
  if (process.platform === 'linux') await forks(quick, trees.tiny);
  await quick.close();
  if (Number(values.files) > 0) await looks();
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function looks() {
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
}
