// The file tools through the whole life of a call, as ratios to bare Node in the same run:
// `node bench/files.mjs [--quick] [--runs 7] [--folder DIR] [--core FILE]`. Needs a build and 1.5 GB of room in DIR
// (the folder for temporary files by default; `--quick` takes a tenth). Exits with 1 when a row misses its reach.
//
// Baselines, all with one warm file cache: to line N, awaited reads of 1 MiB in which Buffer.indexOf finds the line
// feeds (twice as fast as a loop over the bytes in Node 20); small files, awaited `fs.promises.readFile`; changes,
// read + write of a temporary file + fsync + rename. Peak memory is that of a child process of its own.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    runs: { type: 'string' },
    folder: { type: 'string' },
    core: { type: 'string' },
    /** Internal: JSON of the calls whose peak memory is asked for. */
    child: { type: 'string' },
  },
});
const corePath = values.core ?? fileURLToPath(new URL('../packages/core/dist/index.js', import.meta.url));
const { ApprovalMode, createToolSystem } = await import(pathToFileURL(corePath).href);
const MIB = 1024 * 1024;

const openSystem = (root, home) =>
  createToolSystem({
    roots: [root],
    tenonHome: join(home, 'tenon'),
    userHome: home,
    approvalMode: ApprovalMode.AUTO_EDIT,
    rules: [],
    environment: process.env,
  });

let calls = 0;

/** The text of the result; throws what the call failed with. */
async function call(system, toolName, argumentsText) {
  calls += 1;
  const request = { callId: String(calls), toolName, argumentsText };
  let text = '';
  for await (const event of system.runCalls([request], new AbortController().signal)) {
    if (event.type !== 'tool-call-end') continue;
    if (event.error) throw new Error(`${toolName}: ${event.error.message}`);
    text = JSON.stringify(event);
  }
  return text;
}

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const ratioOf = (ours, bare, reach) =>
  `${ours.toFixed(1).padStart(8)} ms  ${(ours / bare).toFixed(2).padStart(6)} x bare (${bare.toFixed(1)} ms; reach: ${reach} x)`;

const sourceText = (bytes) => {
  let text = '';
  for (let line = 0; text.length < bytes; line += 1) text += `  const value${line} = compute(${line}, options);\n`;
  return text;
};

if (values.child !== undefined) {
  const { root, home, reads } = JSON.parse(values.child);
  const system = await openSystem(root, home);
  for (const read of reads) await call(system, 'read_file', JSON.stringify(read));
  await system.close();
  process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
} else {
  await main();
}

async function main() {
  const base = realpathSync(mkdtempSync(join(values.folder ?? tmpdir(), 'tenon-bench-')));
  const [root, home] = [join(base, 'work'), join(base, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  const runs = Number(values.runs ?? (values.quick ? 5 : 7));
  const context = { root, home, runs, share: values.quick ? 0.1 : 1, small: join(root, 'small.txt') };
  writeFileSync(context.small, 'hello\n');
  let missed = 0;
  const report = (name, words, isMet) => {
    if (!isMet) missed += 1;
    console.log(`${name.padEnd(32)} ${words} ${isMet ? 'met' : 'MISSED'}`);
  };
  try {
    for (const row of [farLine, longLine, smallReads, editLarge, writeLarge]) await row(context, report);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  process.exitCode = missed === 0 ? 0 : 1;
}

/** Peak memory, in MB, of a process that makes these reads. */
function peakOf({ root, home }, reads) {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(
    process.execPath,
    [script, '--core', corePath, '--child', JSON.stringify({ root, home, reads })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(Number(text)) : reject(new Error(`child exited with ${code}`)),
    );
  });
}

function makeFile(path, blocks, blockOf) {
  const file = openSync(path, 'w');
  for (let block = 0; block < blocks; block += 1) writeSync(file, blockOf(block));
  closeSync(file);
}

/** A line far into a file of 20 million lines, for the first and for the second time. */
async function farLine(context, report) {
  const { root, home, runs, share } = context;
  const path = join(root, 'lines.txt');
  const blockLines = 20_000;
  makeFile(path, 1000 * share, (block) => {
    let text = '';
    for (let line = 0; line < blockLines; line += 1)
      text += `line ${String(block * blockLines + line).padStart(8, '0')} of a file of so many of them......\n`;
    return text;
  });
  // An index of a file that was changed a moment ago is not kept.
  await pause(200);
  const offset = 15_000_000 * share;
  const argumentsText = JSON.stringify({ absolute_path: path, offset, limit: 100 });
  const times = { cold: [], warm: [], bare: [] };
  for (let round = -1; round < runs; round += 1) {
    const bare = await timed(() => scanTo(path, offset));
    const system = await openSystem(root, home);
    await call(system, 'read_file', JSON.stringify({ absolute_path: context.small }));
    let text;
    const cold = await timed(async () => (text = await call(system, 'read_file', argumentsText)));
    if (!text.includes(`line ${String(offset).padStart(8, '0')}`)) throw new Error('the wrong lines were read');
    const further = JSON.stringify({ absolute_path: path, offset: offset - 12_345, limit: 100 });
    const warm = await timed(() => call(system, 'read_file', further));
    await system.close();
    // The first round warms the file cache.
    if (round < 0) continue;
    times.bare.push(bare);
    times.cold.push(cold);
    times.warm.push(warm);
  }
  const [cold, warm, bare] = [median(times.cold), median(times.warm), median(times.bare)];
  report(`line ${offset}, first time`, ratioOf(cold, bare, 1.5), cold <= 1.5 * bare);
  report(`line ${offset}, second time`, `${warm.toFixed(1).padStart(8)} ms  (reach: 20 ms)`, warm <= 20);
  await reportPeak(context, report, { name: 'memory for it', reads: [{ absolute_path: path, offset }] });
  rmSync(path);
}

async function scanTo(path, wanted) {
  const file = await open(path);
  const buffer = Buffer.allocUnsafe(MIB);
  try {
    let found = 0;
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, MIB, position);
      if (bytesRead === 0) return;
      const bytes = buffer.subarray(0, bytesRead);
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) if (++found === wanted) return;
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}

async function reportPeak(context, report, { name, reads }) {
  const rest = await peakOf(context, [{ absolute_path: context.small }]);
  const peak = await peakOf(context, reads);
  const above = peak - rest;
  report(
    name,
    `${peak.toFixed(0).padStart(8)} MB  ${above.toFixed(0).padStart(6)} MB above rest (${rest.toFixed(0)} MB; reach: 60 MB)`,
    above <= 60,
  );
}

/** 300 MB without a line feed: its start, and a piece of its middle. */
async function longLine(context, report) {
  const path = join(context.root, 'one-line.json');
  const size = 300 * context.share;
  makeFile(path, size, () => 'x'.repeat(MIB));
  const reads = [{ absolute_path: path }, { absolute_path: path, offset: 0, column: (size / 2) * MIB }];
  await reportPeak(context, report, { name: `one line of ${size} MB`, reads });
  rmSync(path);
}

async function smallReads({ root, home, runs }, report) {
  const paths = Array.from({ length: 1000 }, (_, index) => join(root, `small-${index}.ts`));
  for (const [index, path] of paths.entries()) {
    writeFileSync(path, `export const value${index} = ${index};\n${'// another line of it\n'.repeat(40)}`);
  }
  const system = await openSystem(root, home);
  const times = { ours: [], bare: [] };
  for (let round = -1; round < runs; round += 1) {
    const bare = await timed(async () => {
      for (const path of paths) await readFile(path);
    });
    const ours = await timed(async () => {
      for (const path of paths)
        await call(system, 'read_file', JSON.stringify({ absolute_path: path, limit: 1000 + round }));
    });
    if (round < 0) continue;
    times.bare.push(bare);
    times.ours.push(ours);
  }
  await system.close();
  const [ours, bare] = [median(times.ours), median(times.bare)];
  report('1,000 small reads', ratioOf(ours, bare, 3), ours <= 3 * bare);
  for (const path of paths) rmSync(path);
}

async function replaceFile(path, bytes) {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/** One line in the middle of 5 MB, there and back. */
async function editLarge({ root, home, runs }, report) {
  const [path, other] = [join(root, 'large.ts'), join(root, 'large-bare.ts')];
  const text = sourceText(5 * MIB);
  writeFileSync(path, text);
  writeFileSync(other, text);
  const system = await openSystem(root, home);
  await call(system, 'read_file', JSON.stringify({ absolute_path: path, offset: 50_000, limit: 20 }));
  const times = { ours: [], bare: [] };
  for (let round = -1; round < runs; round += 1) {
    const [from, to] = round % 2 === 0 ? ['edited', 'compute'] : ['compute', 'edited'];
    const [before, after] = [`value50000 = ${from}(`, `value50000 = ${to}(`];
    const bare = await timed(async () => {
      const found = await readFile(other, 'utf8');
      await replaceFile(other, found.replace(before, after));
    });
    const edit = JSON.stringify({ file_path: path, old_string: before, new_string: after });
    const ours = await timed(() => call(system, 'edit', edit));
    if (round < 0) continue;
    times.bare.push(bare);
    times.ours.push(ours);
  }
  await system.close();
  const [ours, bare] = [median(times.ours), median(times.bare)];
  report('edit in a file of 5 MB', ratioOf(ours, bare, 3), ours <= 3 * bare);
  for (const made of [path, other]) rmSync(made);
}

async function writeLarge({ root, home, runs }, report) {
  const content = sourceText(10 * MIB);
  const system = await openSystem(root, home);
  const times = { ours: [], bare: [] };
  for (let round = -1; round < runs; round += 1) {
    const [path, other] = [join(root, `new-${round}.ts`), join(root, `new-bare-${round}.ts`)];
    const bare = await timed(() => replaceFile(other, content));
    const argumentsText = JSON.stringify({ file_path: path, content });
    const ours = await timed(() => call(system, 'write_file', argumentsText));
    for (const made of [path, other]) await rm(made);
    if (round < 0) continue;
    times.bare.push(bare);
    times.ours.push(ours);
  }
  await system.close();
  const [ours, bare] = [median(times.ours), median(times.bare)];
  report('write of 10 MB', ratioOf(ours, bare, 1.5), ours <= 1.5 * bare);
}
